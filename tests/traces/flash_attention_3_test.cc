// SPDX-License-Identifier: MIT
// The order in which flash-attention-3 goes through its tiles.
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"
#include "sim/model/trace/walker.h"

namespace flash_attention_3_test {

using namespace gpusim;

namespace {

struct Tile {
  std::int64_t head = 0;
  std::int64_t block = 0;
  friend auto operator<=>(const Tile&, const Tile&) = default;
};

/// The tile that the CTA works on first: the last keys that its rows of Q see, which its producer asks for first.
Tile tile_of(const trace::Kernel& kernel, std::uint64_t cta) {
  trace::Walker walker(kernel, trace::cta_at(cta, kernel.grid), 0);
  for (trace::Step step; walker.next(step);) {
    if (step.mask != 0 && kernel.code[step.pc].kind == isa::OpKind::kTensorCopy) {
      const trace::AsyncOperands copy = walker.async_operands();
      return {copy.at[1], copy.at[2] / 128};
    }
  }
  return {-1, -1};
}

/// A head of causal attention of `seq` rows of Q and `kv` of K and V, on two CTAs.
trace::Kernel causal_head(std::int64_t seq, std::int64_t kv) {
  const trace::ParameterChoice choice{{{"batch", 1}, {"heads", 1}, {"seq", seq}, {"kv", kv}, {"causal", 1}, {"sms", 2}},
                                      false};
  return frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/library/flash-attention-3.trace", choice).kernels.at(0);
}

/// Steps of warp `warp` of all CTAs that are of the kind, with a lane that takes part.
std::size_t steps_of(const trace::Kernel& kernel, std::uint32_t warp, isa::OpKind kind) {
  std::size_t count = 0;
  for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
    trace::Walker walker(kernel, trace::cta_at(cta, kernel.grid), warp);
    for (trace::Step step; walker.next(step);) {
      count += step.mask != 0 && kernel.code[step.pc].kind == kind ? 1 : 0;
    }
  }
  return count;
}

}  // namespace

TEST_CASE(
    "causal FlashAttention-3 with more keys than rows multiplies and fetches what the last row of each tile sees") {
  // Two tiles of 128 rows; 640 keys, 384 of them before the first row's own: tiles of 128 keys, four and five of them.
  const trace::Kernel kernel = causal_head(256, 640);
  constexpr std::size_t kTiles = 4 + 5;
  constexpr std::size_t kDepth = 128 / 16;
  CHECK(steps_of(kernel, 4, isa::OpKind::kWgmma) == kTiles * 2 * kDepth);
  // Q in two boxes of 64 columns for each tile of rows, K and V in two for each tile of keys.
  CHECK(steps_of(kernel, 0, isa::OpKind::kTensorCopy) == 2 * 2 + kTiles * 2 * 2);
  CHECK(steps_of(causal_head(256, 256), 4, isa::OpKind::kWgmma) == (1 + 2) * 2 * kDepth);
}

TEST_CASE("causal FlashAttention-3 refuses fewer keys than rows, and names the parameter") {
  CHECK_THROWS_WITH(causal_head(256, 128), Catch::Contains("kv must be at least seq"));
}

TEST_CASE("causal FlashAttention-3 takes the longest tiles first, in sections of heads whose K and V take 32 MiB") {
  constexpr std::int64_t kHeads = 20;
  constexpr std::int64_t kBlocks = 64;
  // With as many CTAs as tiles each takes one, in order. K and V of a head take 8192 x 128 x 2 x 2 B: eight heads have
  // 32 MiB, and four are left for the last section.
  const trace::ParameterChoice choice{
      {{"batch", 1}, {"heads", kHeads}, {"seq", kBlocks * 128}, {"causal", 1}, {"sms", 65535}}, false};
  const trace::Trace trace =
      frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/library/flash-attention-3.trace", choice);
  const trace::Kernel& kernel = trace.kernels.at(0);
  REQUIRE(kernel.ctas() == kHeads * kBlocks);
  std::set<Tile> seen;
  for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
    const auto at = static_cast<std::int64_t>(cta);
    const std::int64_t first = at / (8 * kBlocks) * 8;
    const std::int64_t wide = first == 16 ? 4 : 8;
    const std::int64_t within = at - first * kBlocks;
    const Tile tile = tile_of(kernel, cta);
    INFO("CTA " << cta);
    CHECK(tile == Tile{first + within % wide, kBlocks - 1 - within / wide});
    seen.insert(tile);
  }
  CHECK(seen.size() == kernel.ctas());
}

}  // namespace flash_attention_3_test
