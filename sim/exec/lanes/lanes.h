// SPDX-License-Identifier: MIT
// Loops over the lanes of a warp, in the shape that compilers vectorise.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/exec/core/context.h"
#include "sim/exec/core/micro_op.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/lanes/variant.h"

// The turns of the loop that follows do not depend on each other. Clang finds that out by itself, and has other words.
#ifdef __clang__
#define GPUSIM_INDEPENDENT_LANES
#else
#define GPUSIM_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

namespace gpusim::exec::GPUSIM_LANES {

/// All ones for a lane of the mask, else 0.
inline std::uint32_t ones_if(LaneMask mask, unsigned lane) {
  return 0U - (mask >> lane & 1U);
}

/// Sets the lanes of the mask to value(lane). The row may be one that value() reads, at the same lane.
template <class Value>
inline void write_lanes(std::uint32_t* to, LaneMask mask, const Value& value) {
  if (mask == kAllLanes) {
    GPUSIM_INDEPENDENT_LANES
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      to[lane] = value(lane);
    }
  } else {
    GPUSIM_INDEPENDENT_LANES
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint32_t chosen = ones_if(mask, lane);
      to[lane] = (to[lane] & ~chosen) | (value(lane) & chosen);
    }
  }
}

/// The same for values of 64 bits in two rows.
template <class Value>
inline void write_wide_lanes(std::uint32_t* to, LaneMask mask, const Value& value) {
  GPUSIM_INDEPENDENT_LANES
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t chosen = ones_if(mask, lane);
    const std::uint64_t result = value(lane);
    to[lane] = (to[lane] & ~chosen) | (static_cast<std::uint32_t>(result) & chosen);
    to[kRow + lane] = (to[kRow + lane] & ~chosen) | (static_cast<std::uint32_t>(result >> 32U) & chosen);
  }
}

/// The lanes for which holds(lane).
template <class Condition>
inline LaneMask lanes_where(const Condition& holds) {
  LaneMask mask = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    mask |= static_cast<LaneMask>(holds(lane)) << lane;
  }
  return mask;
}

/// An integer source with its sign: negation is ~x + 1.
class IntegerSource {
 public:
  IntegerSource(const Warp& warp, const Source& source)
      : row_(warp.row(source)),
        flip_(source.negated || source.inverted ? ~std::uint32_t{0} : 0),
        plus_(source.negated ? 1 : 0) {}
  std::uint32_t operator()(unsigned lane) const { return (row_[lane] ^ flip_) + plus_; }
  std::int32_t as_signed(unsigned lane) const { return static_cast<std::int32_t>((*this)(lane)); }
  /// What it adds to a sum of more than 32 bits, whose carries count as of ~x and 1.
  std::uint64_t in_sum(unsigned lane) const { return std::uint64_t{row_[lane] ^ flip_} + plus_; }

 private:
  const std::uint32_t* row_;
  std::uint32_t flip_;
  std::uint32_t plus_;
};

/// A source without sign.
class PlainSource {
 public:
  PlainSource(const Warp& warp, const Source& source) : row_(warp.row(source)) {}
  std::uint32_t operator()(unsigned lane) const { return row_[lane]; }
  std::int32_t as_signed(unsigned lane) const { return static_cast<std::int32_t>(row_[lane]); }
  std::uint64_t wide(unsigned lane) const { return row_[lane] | std::uint64_t{row_[kRow + lane]} << 32U; }

 private:
  const std::uint32_t* row_;
};

/// An FP32 source with its sign.
class FloatSource {
 public:
  FloatSource(const Warp& warp, const Source& source)
      : row_(warp.row(source)),
        keep_(source.absolute ? 0x7fffffffU : 0xffffffffU),
        flip_(source.negated ? 0x80000000U : 0U) {}
  std::uint32_t bits(unsigned lane) const { return (row_[lane] & keep_) ^ flip_; }
  float operator()(unsigned lane) const { return std::bit_cast<float>(bits(lane)); }

 private:
  const std::uint32_t* row_;
  std::uint32_t keep_;
  std::uint32_t flip_;
};

/// By sass::Boolean.
inline LaneMask joined_lanes(std::uint8_t boolean, LaneMask a, LaneMask b) {
  switch (static_cast<sass::Boolean>(boolean)) {
    case sass::Boolean::kAnd: return a & b;
    case sass::Boolean::kOr: return a | b;
    default: return a ^ b;
  }
}

/// Sets both predicates of a comparison: of it, and of its opposite, each joined with the instruction's predicate.
inline void set_joined(Warp& warp, const MicroOp& op, std::uint8_t boolean, LaneMask compared, LaneMask mask) {
  const LaneMask with = warp.lanes_of(op.predicates[0]);
  warp.set_predicate(op.predicate_destinations[0], joined_lanes(boolean, compared, with), mask);
  warp.set_predicate(op.predicate_destinations[1], joined_lanes(boolean, ~compared, with), mask);
}

}  // namespace gpusim::exec::GPUSIM_LANES
