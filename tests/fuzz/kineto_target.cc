// SPDX-License-Identifier: MIT
// Traces of PyTorch's profiler: what is accepted is an application that can be written and read.
#include <string>

#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"
#include "sim/system/kineto/import.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kineto::Imported imported;
  if (fuzz::is_accepted([&] { imported = kineto::import_text(std::string(fuzz::text_of(data, size)), "x.json"); })) {
    const std::string written = application::to_yaml(imported.application);
    (void)application::parse_application(written, "written.yaml");
  }
  return 0;
}
