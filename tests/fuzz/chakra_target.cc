// SPDX-License-Identifier: MIT
// Chakra execution traces: what is accepted is an application that can be written and read.
#include <string>

#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"
#include "sim/system/chakra/import.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chakra::Imported imported;
  if (fuzz::is_accepted([&] {
        imported = chakra::import_traces({chakra::parse_trace(fuzz::text_of(data, size), "x.et")}, 2, "x.et");
      })) {
    const std::string written = application::to_yaml(imported.application);
    (void)application::parse_application(written, "written.yaml");
  }
  return 0;
}
