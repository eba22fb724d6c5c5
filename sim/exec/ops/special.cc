// SPDX-License-Identifier: MIT
// Special registers, and the predicate files as numbers.
#include <algorithm>
#include <array>

#include "sim/exec/core/context.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/memory/windows.h"
#include "sim/exec/ops/families.h"
#include "sim/exec/ops/special_numbers.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

using Values = std::array<std::uint32_t, kWarpLanes>;

/// threadIdx.x, .y or .z of all lanes, or all three packed into a word.
Values thread_indices(const Warp& warp, std::uint32_t number) {
  const Dim3& block = warp.cta().image().launch.block;
  const std::uint32_t first = warp.index() * kWarpLanes;
  Dim3 thread{first % block.x, first / block.x % block.y, first / block.x / block.y};
  Values values;
  for (std::uint32_t& value : values) {
    switch (number) {
      case kThreadX: value = thread.x; break;
      case kThreadY: value = thread.y; break;
      case kThreadZ: value = thread.z; break;
      default: value = thread.x | thread.y << 16U | thread.z << 26U; break;
    }
    if (++thread.x == block.x) {
      thread.x = 0;
      if (++thread.y == block.y) {
        thread.y = 0;
        ++thread.z;
      }
    }
  }
  return values;
}

/// What is the same in every warp.
std::uint32_t value_of_lane(std::uint32_t number, unsigned lane) {
  const LaneMask own = LaneMask{1} << lane;
  switch (number) {
    case kEqualMask: return own;
    case kLessMask: return own - 1;
    case kLessEqualMask: return own | (own - 1);
    case kGreaterMask: return ~(own | (own - 1));
    case kGreaterEqualMask: return ~(own - 1);
    default: return lane;
  }
}

/// What is the same in all lanes. Numbers of virtual SM and warp: bits 20 on and 8 to 14 (code of ptxas 13.0 for %smid,
/// %warpid).
std::uint32_t value_of_warp(const Context& context, const Warp& warp, std::uint32_t number) {
  switch (number) {
    case kVirtualId: return context.sm << 20U | warp.index() << 8U;
    case kVirtualSm: return context.sm;
    case kCtaX: return warp.cta().place().x;
    case kCtaY: return warp.cta().place().y;
    case kCtaZ: return warp.cta().place().z;
    case kSharedWindowHigh: return static_cast<std::uint32_t>(kSharedWindow >> 32U);
    case kSharedWindowLow: return static_cast<std::uint32_t>(kSharedWindow);
    case kSharedSize: return static_cast<std::uint32_t>(context.image.facts.shared_bytes);
    case kLocalWindowLow: return static_cast<std::uint32_t>(kLocalWindow);
    case kClock:
    case kClockLow:
    case kTimerLow: return static_cast<std::uint32_t>(context.clock);
    case kClockHigh:
    case kTimerHigh: return static_cast<std::uint32_t>(context.clock >> 32U);
    case kClusterRank: return warp.cta().rank();
    default: return 0;
  }
}

Values values_of(const Context& context, const Warp& warp, std::uint32_t number) {
  Values values;
  if (number >= kThread && number <= kThreadZ) {
    return thread_indices(warp, number);
  }
  if (number == kLaneId || (number >= kEqualMask && number <= kGreaterEqualMask)) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      values[lane] = value_of_lane(number, lane);
    }
  } else {
    values.fill(value_of_warp(context, warp, number));
  }
  return values;
}

void write_values(const Values& values, LaneMask mask, std::uint32_t* to) {
  for_each_lane(mask, [&](unsigned lane) { to[lane] = values[lane]; });
}

bool is_known(std::uint32_t number) {
  constexpr SpecialNumber kKnown[] = {kLaneId,
                                      kClock,
                                      kVirtualId,
                                      kThread,
                                      kThreadX,
                                      kThreadY,
                                      kThreadZ,
                                      kCtaX,
                                      kCtaY,
                                      kCtaZ,
                                      kSharedSize,
                                      kLocalWindowLow,
                                      kSharedWindowHigh,
                                      kSharedWindowLow,
                                      kEqualMask,
                                      kLessMask,
                                      kLessEqualMask,
                                      kGreaterMask,
                                      kGreaterEqualMask,
                                      kVirtualSm,
                                      kClockLow,
                                      kClockHigh,
                                      kTimerLow,
                                      kTimerHigh,
                                      kClusterRank,
                                      kNone};
  return std::ranges::find(kKnown, number) != std::end(kKnown);
}

void read_special(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  write_values(values_of(context, warp, op.immediate), mask, warp.row(op.destinations[0]));
}

/// CS2R of 64 bits: the register and the one behind it, such as SR_CLOCKLO and SR_CLOCKHI; zeros of SRZ.
void read_special_pair(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  std::uint32_t* const to = warp.row(op.destinations[0]);
  const std::uint32_t next = op.immediate == kNone ? std::uint32_t{kNone} : op.immediate + 1;
  write_values(values_of(context, warp, op.immediate), mask, to);
  write_values(values_of(context, warp, next), mask, to + kRow);
}

void lower_special(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.destination(0, 0);
  op.immediate = static_cast<std::uint32_t>(lowering.operand(1).value);
  if (is_known(op.immediate)) {
    op.handler = lowering.operand(0).width == 2 ? read_special_pair : read_special;
  }
}

constexpr unsigned kPredicatesOfFile = 7;

/// P2R, UP2UR: the predicates that the mask names as bits, the other bits from a register; into one of its bytes.
void predicates_to_register(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const from = warp.row(op.sources[0]);
  std::uint32_t* const to = warp.row(op.destinations[0]);
  const unsigned shift = 8U * op.bytes[1];
  for_each_lane(mask, [&](unsigned lane) {
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < kPredicatesOfFile; ++i) {
      bits |= (warp.predicates[op.bytes[0] + i] >> lane & 1U) << i;
    }
    to[lane] = (from[lane] & ~(op.immediate << shift)) | (bits & op.immediate) << shift;
  });
}

/// R2P, UR2UP: the predicates that the mask names, from the bits of a register's byte.
void register_to_predicates(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const from = warp.row(op.sources[0]);
  const unsigned shift = 8U * op.bytes[1];
  for (unsigned i = 0; i < kPredicatesOfFile; ++i) {
    if ((op.immediate >> i & 1U) != 0) {
      LaneMask value = 0;
      for_each_lane(mask, [&](unsigned lane) { value |= (from[lane] >> (shift + i) & 1U) << lane; });
      warp.set_predicate(static_cast<std::uint8_t>(op.bytes[0] + i), value, mask);
    }
  }
}

std::uint8_t first_of(const sass::Operand& file) {
  return file.file == isa::RegFile::kUniformPredicate ? Warp::kFirstUniformPredicate : 0;
}

void lower_p2r(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.destination(0, 0);
  lowering.source(0, 2);
  op.bytes[0] = first_of(lowering.operand(1));
  op.bytes[1] = lowering.modifier(Mod::kByte);
  op.immediate = static_cast<std::uint32_t>(lowering.operand(3).value);
  op.handler = predicates_to_register;
}

void lower_r2p(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.source(0, 1);
  op.bytes[0] = first_of(lowering.operand(0));
  const auto part = static_cast<int>(lowering.operand(1).part) - static_cast<int>(sass::Part::kByte0);
  op.bytes[1] = static_cast<std::uint8_t>(std::clamp(part, 0, 3));
  op.immediate = static_cast<std::uint32_t>(lowering.operand(2).value);
  op.handler = register_to_predicates;
}

}  // namespace

std::span<const LowerRow> special_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kS2r, lower_special}, {Op::kS2ur, lower_special}, {Op::kCs2r, lower_special}, {Op::kP2r, lower_p2r},
      {Op::kUp2ur, lower_p2r},   {Op::kR2p, lower_r2p},      {Op::kUr2up, lower_r2p},
  };
  return kRows;
}

}  // namespace gpusim::exec
