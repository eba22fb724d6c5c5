// SPDX-License-Identifier: MIT
// attention-naive-mma against what the algorithm needs.
#include <catch2/catch.hpp>

#include "sim/input/text/load.h"

#include "tests/traces/machine.h"
#include "tests/traces/tally.h"

namespace attention_naive_mma_test {

using namespace gpusim;
using namespace gpusim::testing;

namespace {

constexpr std::int64_t kSeq = 256;
constexpr std::int64_t kKeys = 256;

trace::Trace attention(std::int64_t d, std::int64_t tile) {
  const trace::ParameterChoice choice{{{"heads", 1}, {"seq", kSeq}, {"kv", kKeys}, {"d", d}, {"tile", tile}}, true};
  return frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/library/attention-naive-mma.trace", choice);
}

/// What a kernel multiplies and stores, all its CTAs together.
Machine run(const trace::Kernel& kernel, std::int64_t d) {
  Machine machine(kernel, {{"Q", d}, {"K", d}, {"V", d}, {"S", kKeys}, {"O", d}});
  for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
    machine.run(trace::cta_at(cta, kernel.grid));
  }
  return machine;
}

/// The products of all rows, of so many columns and this depth.
std::map<Product, int> expected(const char* name, std::int64_t columns, std::int64_t depth) {
  std::map<Product, int> products;
  for (std::int64_t row = 0; row < kSeq; row += 16) {
    for (std::int64_t col = 0; col < columns; col += 8) {
      for (std::int64_t k = 0; k < depth; k += 16) {
        products[{name, row, col, k}] = 1;
      }
    }
  }
  return products;
}

}  // namespace

TEST_CASE("attention on tensor cores: each product of S and of O is formed once and lands in its place") {
  for (const auto& [d, tile] : {std::pair<std::int64_t, std::int64_t>{128, 128}, {96, 64}, {64, 128}}) {
    INFO(d << " " << tile);
    const trace::Trace trace = attention(d, tile);
    REQUIRE(trace.kernels.size() == 3);
    const Machine scores = run(trace.kernels[0], d);
    CHECK(scores.products() == expected("S", kKeys, d));
    CHECK(scores.stored().size() == static_cast<std::size_t>(kSeq * kKeys / 8));
    const Machine values = run(trace.kernels[2], d);
    CHECK(values.products() == expected("O", d, kKeys));
    CHECK(values.stored().size() == static_cast<std::size_t>(kSeq * d / 8));
  }
}

TEST_CASE("attention on tensor cores: no access to shared memory has a bank conflict") {
  for (const std::int64_t d : {128, 96, 64}) {
    for (const trace::Kernel& kernel : attention(d, 128).kernels) {
      INFO(d << " " << kernel.name);
      CHECK(tally(kernel).conflicts == 0);
    }
  }
}

}  // namespace attention_naive_mma_test
