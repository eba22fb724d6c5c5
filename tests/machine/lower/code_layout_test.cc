// SPDX-License-Identifier: MIT
#include "sim/machine/lower/code_layout.h"

#include <catch2/catch.hpp>

#include "sim/model/trace/kernel.h"

using namespace gpusim;
using lower::layout_of;

namespace {

trace::Kernel with_counters(const std::vector<std::uint64_t>& pcs) {
  trace::Kernel kernel;
  for (const std::uint64_t pc : pcs) {
    kernel.code.emplace_back();
    kernel.texts.push_back({"NOP", "NOP", 1, pc});
  }
  return kernel;
}

}  // namespace

TEST_CASE("what was never executed keeps its room between recorded program counters") {
  const lower::CodeLayout layout = layout_of(with_counters({0x110, 0x120, 0x170, 0x180}));
  CHECK(layout.places == std::vector<std::uint32_t>{1, 2, 7, 8});
  CHECK(layout.lines == 2);
}

TEST_CASE("program counters that cannot be addresses of code say nothing about its room") {
  for (const auto& pcs : {std::vector<std::uint64_t>{0, 8, 16}, {0, 32, 16}, {0, 16, 16}, {0, 16, 1ULL << 60U}}) {
    CHECK(layout_of(with_counters(pcs)).places == std::vector<std::uint32_t>{0, 1, 2});
  }
}
