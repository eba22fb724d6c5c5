// SPDX-License-Identifier: MIT
// Exchange between lanes: shuffles, votes, matches, reductions, and from lanes to the uniform datapath.
#include <algorithm>
#include <array>
#include <bit>

#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/ops/families.h"

namespace gpusim::exec {
namespace {

using sass::Mod;
using Values = std::array<std::uint32_t, kWarpLanes>;

void fill(std::uint32_t* row, std::uint32_t value) {
  std::fill_n(row, kRow, value);
}

/// The lane that `lane` reads from, and whether that is one of its segment (PTX: shfl.sync).
struct Partner {
  unsigned lane = 0;
  bool inside = false;
};

Partner partner_of(sass::Shuffle kind, unsigned lane, std::uint32_t by, std::uint32_t clamp) {
  const unsigned segment = clamp >> 8U & 31U;
  const unsigned first = lane & segment;
  const unsigned last = first | (clamp & 31U & ~segment);
  const unsigned distance = by & 31U;
  unsigned from = lane;
  bool inside = false;
  switch (kind) {
    case sass::Shuffle::kUp:
      inside = static_cast<int>(lane) - static_cast<int>(distance) >= static_cast<int>(last);
      from = lane - distance;
      break;
    case sass::Shuffle::kDown:
      from = lane + distance;
      inside = from <= last;
      break;
    case sass::Shuffle::kButterfly:
      from = lane ^ distance;
      inside = from <= last;
      break;
    case sass::Shuffle::kIndex:
      from = first | (distance & ~segment);
      inside = from <= last;
      break;
  }
  return inside ? Partner{from & 31U, true} : Partner{lane, false};
}

void shuffle(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const by = warp.row(op.sources[1]);
  const std::uint32_t* const clamp = warp.row(op.sources[2]);
  Values values;
  std::copy_n(warp.row(op.sources[0]), kRow, values.data());
  std::uint32_t* const to = warp.row(op.destinations[0]);
  LaneMask inside = 0;
  for_each_lane(mask, [&](unsigned lane) {
    const Partner partner = partner_of(static_cast<sass::Shuffle>(op.bytes[0]), lane, by[lane], clamp[lane]);
    to[lane] = values[partner.lane];
    inside |= LaneMask{partner.inside} << lane;
  });
  warp.set_predicate(op.predicate_destinations[0], inside, mask);
}

void lower_shfl(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.destination(0, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 2 + i);
  }
  lowering.op().bytes[0] = lowering.modifier(Mod::kShuffle);
  lowering.op().handler = shuffle;
}

bool vote_of(sass::Vote kind, LaneMask yes, LaneMask mask) {
  switch (kind) {
    case sass::Vote::kAll: return yes == mask;
    case sass::Vote::kAny: return yes != 0;
    default: return yes == mask || yes == 0;
  }
}

void vote(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const LaneMask yes = mask & warp.lanes_of(op.predicates[0]);
  const bool result = vote_of(static_cast<sass::Vote>(op.bytes[0]), yes, mask);
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) { to[lane] = yes; });
  warp.set_predicate(op.predicate_destinations[0], result ? kAllLanes : 0, mask);
}

void vote_uniform(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  const LaneMask yes = mask & warp.lanes_of(op.predicates[0]);
  fill(warp.row(op.destinations[0]), yes);
  const bool result = vote_of(static_cast<sass::Vote>(op.bytes[0]), yes, mask);
  warp.set_predicate(op.predicate_destinations[0], result ? kAllLanes : 0, kAllLanes);
}

void lower_vote(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.predicate_destination(0, 1);
  lowering.predicate(0, 2);
  lowering.op().bytes[0] = lowering.modifier(Mod::kVote);
  lowering.op().handler = lowering.instruction().op == sass::Op::kVoteu ? vote_uniform : vote;
}

/// MATCH: which lanes have the same value, of 32 or 64 bits.
void match(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const low = warp.row(op.sources[0]);
  const std::uint32_t* const high = op.width == 2 ? low + kRow : low;
  const bool any = op.bytes[0] != 0;
  Values same{};
  LaneMask left = mask;
  while (left != 0) {
    const unsigned lead = lowest_lane(left);
    LaneMask equal = 0;
    for_each_lane(
        left, [&](unsigned lane) { equal |= LaneMask{low[lane] == low[lead] && high[lane] == high[lead]} << lane; });
    for_each_lane(equal, [&](unsigned lane) { same[lane] = equal; });
    left &= ~equal;
  }
  std::uint32_t* const to = warp.row(op.destinations[0]);
  const bool all = mask != 0 && same[lowest_lane(mask)] == mask;
  for_each_lane(mask, [&](unsigned lane) { to[lane] = any || all ? same[lane] : 0; });
  warp.set_predicate(op.predicate_destinations[0], all ? kAllLanes : 0, mask);
}

void lower_match(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.predicate_destination(0, 0);
  lowering.destination(0, 1);
  lowering.source(0, 2);
  op.width = lowering.operand(2).width;
  op.bytes[0] = lowering.has(Mod::kAny) ? 1 : 0;
  op.handler = match;
}

std::uint32_t reduced(sass::Reduction kind, bool is_signed, std::uint32_t a, std::uint32_t b) {
  const auto x = static_cast<std::int32_t>(a);
  const auto y = static_cast<std::int32_t>(b);
  switch (kind) {
    case sass::Reduction::kAnd: return a & b;
    case sass::Reduction::kOr: return a | b;
    case sass::Reduction::kXor: return a ^ b;
    case sass::Reduction::kSum: return a + b;
    case sass::Reduction::kMin: return is_signed ? static_cast<std::uint32_t>(std::min(x, y)) : std::min(a, b);
    default: return is_signed ? static_cast<std::uint32_t>(std::max(x, y)) : std::max(a, b);
  }
}

void reduce(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  const std::uint32_t* const from = warp.row(op.sources[0]);
  std::uint32_t result = from[lowest_lane(mask)];
  for_each_lane(mask & (mask - 1), [&](unsigned lane) {
    result = reduced(static_cast<sass::Reduction>(op.bytes[0]), op.bytes[1] != 0, result, from[lane]);
  });
  fill(warp.row(op.destinations[0]), result);
}

void lower_redux(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.op().bytes[0] = lowering.modifier(Mod::kReduction);
  lowering.op().bytes[1] = lowering.has(Mod::kSigned) ? 1 : 0;
  lowering.op().handler = reduce;
}

/// R2UR: the value of the lowest lane, or all lanes' values joined by OR. The predicate says whether all are equal.
void to_uniform(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  const std::uint32_t* const from = warp.row(op.sources[0]);
  const std::uint32_t first = from[lowest_lane(mask)];
  std::uint32_t joined = 0;
  std::uint32_t different = 0;
  for_each_lane(mask, [&](unsigned lane) {
    joined |= from[lane];
    different |= from[lane] ^ first;
  });
  fill(warp.row(op.destinations[0]), op.bytes[0] != 0 ? joined : first);
  warp.set_predicate(op.predicate_destinations[0], different == 0 ? kAllLanes : 0, mask);
}

void lower_r2ur(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.destination(0, 1);
  lowering.source(0, 2);
  lowering.op().bytes[0] = lowering.has(Mod::kOr) ? 1 : 0;
  lowering.op().handler = to_uniform;
}

/// ELECT: the predicate is true for the lowest lane alone; the uniform register says which that is (PTX: elect.sync).
void elect(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const LaneMask candidates = mask & warp.lanes_of(op.predicates[0]);
  if (candidates != 0) {
    fill(warp.row(op.destinations[0]), lowest_lane(candidates));
  }
  warp.set_predicate(op.predicate_destinations[0], candidates & (0U - candidates), mask);
}

void lower_elect(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.destination(0, 1);
  lowering.predicate(0, 2);
  lowering.op().handler = elect;
}

}  // namespace

std::span<const LowerRow> exchange_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kShfl, lower_shfl},   {Op::kVote, lower_vote}, {Op::kVoteu, lower_vote},  {Op::kMatch, lower_match},
      {Op::kRedux, lower_redux}, {Op::kR2ur, lower_r2ur}, {Op::kElect, lower_elect},
  };
  return kRows;
}

}  // namespace gpusim::exec
