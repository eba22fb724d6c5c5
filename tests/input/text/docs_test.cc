// SPDX-License-Identifier: MIT
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/input/text/support.h"

namespace docs_test {

using namespace gpusim;
using namespace gpusim::test;

namespace {

void add_examples(const std::string& page, std::vector<std::string>& all) {
  std::ifstream in(std::string(GPUSIM_SOURCE_DIR) + "/docs/" + page);
  REQUIRE(in);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```gpusim") {
      all.emplace_back();
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      all.back() += line + '\n';
    }
  }
}

std::vector<std::string> examples() {
  std::vector<std::string> all;
  add_examples("trace-format.md", all);
  add_examples("trace-machine.md", all);
  add_examples("matrices.md", all);
  return all;
}

}  // namespace

TEST_CASE("every trace in the format's documentation loads without a warning and walks at its test size") {
  const std::vector<std::string> traces = examples();
  CHECK(traces.size() == 15);
  for (const std::string& text : traces) {
    INFO(text);
    trace::ParameterChoice small;
    small.use_test_set = true;
    const trace::Trace trace = load(text, small);
    CHECK(trace.warnings.empty());
    for (const trace::Kernel& kernel : trace.kernels) {
      CHECK_NOTHROW(walk_all(kernel));
    }
  }
}

TEST_CASE("the documented row sums run their last turn with eight lanes") {
  const trace::Trace trace = load(examples().at(1));
  std::size_t full = 0;
  std::size_t partial = 0;
  for (const Event& event : walk(trace.kernels.at(0))) {
    if (event.opcode == "LDG.E") {
      full += event.active == kAllLanes ? 1 : 0;
      partial += event.active == 0xffU ? 1 : 0;
    }
  }
  CHECK(full == 4 * 31);
  CHECK(partial == 4);
}

}  // namespace docs_test
