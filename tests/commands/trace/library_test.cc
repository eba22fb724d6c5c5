// SPDX-License-Identifier: MIT
// Which launches no GPU can make, and that the library has none at its defaults.
#include <filesystem>

#include <catch2/catch.hpp>

#include "sim/commands/trace/summary.h"
#include "sim/input/text/load.h"
#include "sim/input/text/source_text.h"

namespace gpusim::trace_summary {
namespace {

std::string problems_of(const std::string& head) {
  const trace::Trace trace = frontend::load_trace_text(
      "gpusim trace 1\nparam r = 64\nkernel k\ngrid (1)\n" + head + "code\nEXIT\nend\n", "t.trace", {});
  std::string out;
  for (const Problem& problem : launch_problems(trace)) {
    out += to_text(problem) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("registers of a CTA are counted in whole warps and by eights") {
  CHECK(problems_of("block (1024)\nregisters r\n").empty());
  CHECK(problems_of("block (993)\nregisters r + 1\n") ==
        "t.trace:3:8: kernel 'k' takes 73728 registers a CTA: no GPU has more than 65536 (r = 64)\n");
}

TEST_CASE("shared memory of a CTA is limited, and more so when its size is fixed by the compiler") {
  CHECK(problems_of("block (32)\nshared static 49152\nshared dynamic 183296\n").empty());
  CHECK(problems_of("block (32)\nshared static 49153\n") ==
        "t.trace:3:8: kernel 'k' takes 49153 bytes of static shared memory a CTA: no GPU has more than 49152 (r = "
        "64)\n");
  CHECK(problems_of("block (32)\nshared dynamic 232449\n") ==
        "t.trace:3:8: kernel 'k' takes 232449 bytes of shared memory a CTA: no GPU has more than 232448 (r = 64)\n");
}

TEST_CASE("every name of the library can be launched with its defaults, and as a file's name has no presets") {
  for (const auto& file : std::filesystem::directory_iterator(GPUSIM_SOURCE_DIR "/traces/library")) {
    const std::string path = file.path().string();
    for (const frontend::LibraryName& name : frontend::describe_trace_text(frontend::read_text(path), path).library) {
      INFO(name.name);
      trace::ParameterChoice choice;
      choice.overrides = name.presets;
      CHECK(launch_problems(frontend::load_trace_text(file.path(), choice)).empty());
      CHECK((file.path().stem() != name.name || name.presets.empty()));
    }
  }
}

}  // namespace gpusim::trace_summary
