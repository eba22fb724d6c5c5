// SPDX-License-Identifier: MIT
// flash-attention-2-backward against what the algorithm needs.
#include <catch2/catch.hpp>

#include "sim/input/text/load.h"

#include "tests/support/thorough.h"
#include "tests/traces/machine.h"
#include "tests/traces/tally.h"

namespace gpusim::testing {
namespace {

constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kSeq = 384;
constexpr std::int64_t kKeys = 128;  // keys of a CTA

trace::Trace backward(std::int64_t d, bool causal) {
  const trace::ParameterChoice choice{
      {{"batch", 1}, {"heads", kHeads}, {"seq", kSeq}, {"d", d}, {"causal", causal ? 1 : 0}}, true};
  return frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/library/flash-attention-2-backward.trace", choice);
}

/// Row `row` of all heads meets the keys of its own head and, causal, of CTAs up to its own rows.
bool meets(std::int64_t row, std::int64_t key, bool causal) {
  return row / kSeq == key / kSeq && (!causal || row % kSeq >= key % kSeq / kKeys * kKeys);
}

std::map<Product, int> expected(std::int64_t d, bool causal) {
  std::map<Product, int> products;
  for (std::int64_t row = 0; row < kHeads * kSeq; row += 16) {
    for (std::int64_t key = 0; key < kHeads * kSeq; key += 8) {
      for (std::int64_t k = 0; k < d && meets(row, key, causal); k += 16) {
        products[{"S", row, key, k}] = 1;
        products[{"dP", row, key, k}] = 1;
      }
      for (std::int64_t col = 0; col < d && key % 16 == 0 && meets(row, key, causal); col += 8) {
        products[{"dV", key, col, row}] = 1;
        products[{"dK", key, col, row}] = 1;
        products[{"dQ", row, col, key}] = 1;
      }
    }
  }
  return products;
}

}  // namespace

TEST_CASE("FlashAttention backward: every product of a row and a key is formed once, of the right operands") {
  for (const std::int64_t d : {128, 64}) {
    for (const bool causal : {false, true}) {
      if (!test::is_thorough() && (d == 128 || !causal)) {
        continue;
      }
      INFO(d << " causal " << causal);
      const trace::Trace trace = backward(d, causal);
      REQUIRE(trace.kernels.size() == 3);
      const trace::Kernel& kernel = trace.kernels[1];
      Machine machine(kernel, {{"Q", d}, {"K", d}, {"V", d}, {"dO", d}, {"dK", d}, {"dV", d}});
      for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
        machine.run(trace::cta_at(cta, kernel.grid));
      }
      CHECK(machine.products() == expected(d, causal));
      CHECK(machine.stored().size() == static_cast<std::size_t>(kHeads * kSeq * d / 8));
      for (const auto& [place, times] : machine.stored()) {
        CHECK(times == 2);  // stores of dK and of dV
      }
    }
  }
}

TEST_CASE("FlashAttention backward: its tiles fit into an SM of A100, its swizzle has no bank conflict") {
  for (const std::int64_t d : {128, 64}) {
    const trace::Trace trace = backward(d, false);
    CHECK(trace.kernels[1].shared_dynamic_bytes == 144 * 1024);
    for (const trace::Kernel& kernel : trace.kernels) {
      CHECK(tally(kernel).conflicts == 0);
    }
  }
}

TEST_CASE("FlashAttention backward: dQ is added up in whole lines, once for each tile of keys that a row meets") {
  const trace::Trace trace = backward(128, false);
  const Tally counts = tally(trace.kernels[1]);
  const auto rows = static_cast<std::uint64_t>(kHeads * kSeq);
  CHECK(counts.count("RED.E.ADD.F32.FTZ.RN.STRONG.GPU") == rows * 128 / 32 * (kSeq / kKeys));
}

}  // namespace gpusim::testing
