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
      return {copy.at[2], copy.at[1] / 128};
    }
  }
  return {-1, -1};
}

}  // namespace

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
