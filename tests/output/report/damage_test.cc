// SPDX-License-Identifier: MIT
// Saved results that were damaged: refused with a message, or read to something that can be rendered; never a crash.
#include <catch2/catch.hpp>

#include "sim/base/hash.h"
#include "sim/base/problem.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"
#include "sim/output/text/layout.h"

#include "tests/output/report/sample.h"

namespace damage_test {

using namespace gpusim;

namespace {

/// Renders what was read in every format, or returns false when it was refused.
bool survives(const std::string& text) {
  try {
    const stats::Result result = report::parse_json(text, "damaged.json");
    return !report::to_text(result, {layout::Look(), true}).empty() && !report::to_json(result).empty() &&
           !report::to_csv(result).empty();
  } catch (const InputError& error) {
    return std::string(error.what()).starts_with("damaged.json:");
  }
}

}  // namespace

TEST_CASE("a saved result with bytes changed at random is refused or rendered, but never crashes") {
  stats::Result result = report::sample_result();
  result.watch = report::sample_watch();
  const std::string text = report::to_json(result);
  const std::string bytes = "0123456789eE.-+\"{}[],:ntf \n\xff";
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    std::string damaged = text;
    for (std::uint64_t change = 0; change < 1 + seed % 4; ++change) {
      const std::uint64_t random = mix64(seed * 8 + change + 1);
      damaged[random % damaged.size()] = bytes[(random >> 40U) % bytes.size()];
    }
    INFO("seed " << seed);
    CHECK(survives(damaged));
  }
}

TEST_CASE("a saved result cut anywhere is refused") {
  const std::string text = report::to_json(report::sample_result());
  for (std::size_t length = 0; length + 2 < text.size(); length += 97) {
    INFO(length);
    CHECK_THROWS_AS(report::parse_json(text.substr(0, length), "damaged.json"), InputError);
  }
}

TEST_CASE("numbers at the ends of their range are rendered") {
  stats::Result result = report::sample_result();
  result.sm_clock_mhz = 1e-300;
  result.machine.dram_bytes_per_second = 1e300;
  result.kernels[0].cycles = ~std::uint64_t{0};
  result.kernels[0].launch_us = 1e300;
  result.kernels[0].sm.warp_instructions = ~std::uint64_t{0};
  result.kernels[0].grid = {0xffffffffU, 0xffffffffU, 0xffffffffU};
  CHECK(survives(report::to_json(result)));
}

}  // namespace damage_test
