// SPDX-License-Identifier: MIT
// Reports of Nsight Systems: what is accepted is an application that can be written and read.
#include <filesystem>
#include <string>

#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"
#include "sim/system/nsys/report.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = fuzz::write("x.sqlite", fuzz::text_of(data, size));
  kineto::Imported imported;
  if (fuzz::is_accepted([&] { imported = nsys::import_report(file); })) {
    const std::string written = application::to_yaml(imported.application);
    (void)application::parse_application(written, "written.yaml");
  }
  return 0;
}
