// SPDX-License-Identifier: MIT
// FP32 arithmetic, rounded to nearest: sums, products, minima, comparisons. Other roundings: directed.cc of
// sim/exec/ops.
#include <cmath>
#include <limits>

#include "sim/exec/lanes/float32.h"
#include "sim/exec/lanes/lanes.h"
#include "sim/exec/lanes/rows.h"
#include "sim/exec/ops/directed.h"

namespace gpusim::exec::GPUSIM_LANES {
namespace {

using sass::Mod;

enum class Action : std::uint8_t { kAdd, kMultiply, kMultiplyAdd };

template <Action kAction>
float calculated(float a, float b, float c) {
  if constexpr (kAction == Action::kAdd) {
    return a + b;
  } else if constexpr (kAction == Action::kMultiply) {
    return a * b;
  } else {
    return std::fma(a, b, c);
  }
}

template <Action kAction, bool kFtz, bool kSat>
void arithmetic(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const FloatSource a(warp, op.sources[0]);
  const FloatSource b(warp, op.sources[1]);
  const FloatSource c(warp, op.sources[2]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const auto input = [lane](const FloatSource& source) {
      return std::bit_cast<float>(kFtz ? flushed(source.bits(lane)) : source.bits(lane));
    };
    float result = calculated<kAction>(input(a), input(b), input(c));
    std::uint32_t bits = kFtz ? flushed(std::bit_cast<std::uint32_t>(result)) : std::bit_cast<std::uint32_t>(result);
    return kSat ? saturated(bits) : canonical(bits);
  });
}

template <Action kAction>
Handler arithmetic_for(Lowering& lowering) {
  const bool ftz = lowering.has(Mod::kFtz);
  const bool sat = lowering.has(Mod::kSat);
  if (ftz) {
    return sat ? arithmetic<kAction, true, true> : arithmetic<kAction, true, false>;
  }
  return sat ? arithmetic<kAction, false, true> : arithmetic<kAction, false, false>;
}

/// What is rare: another rounding, a product that is scaled, 0 times anything as 0.
bool is_directed(const Lowering& lowering) {
  return lowering.has(Mod::kRounding) || lowering.has(Mod::kFmz) || lowering.has(Mod::kScale);
}

template <Action kAction>
void lower_arithmetic(Lowering& lowering, std::size_t sources, Handler directed) {
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < sources; ++i) {
    lowering.source(i, 1 + i);
  }
  keep_float_modes(lowering);
  lowering.op().handler = is_directed(lowering) ? directed : arithmetic_for<kAction>(lowering);
}

void lower_fadd(Lowering& lowering) {
  lower_arithmetic<Action::kAdd>(lowering, 2, directed_add);
}

void lower_fmul(Lowering& lowering) {
  lower_arithmetic<Action::kMultiply>(lowering, 2, directed_multiply);
}

void lower_ffma(Lowering& lowering) {
  lower_arithmetic<Action::kMultiplyAdd>(lowering, 3, directed_multiply_add);
}

void choose_float(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const FloatSource a(warp, op.sources[0]);
  const FloatSource b(warp, op.sources[1]);
  const LaneMask first = warp.lanes_of(op.predicates[0]);
  const bool ftz = op.bytes[0] != 0;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const std::uint32_t bits = (first >> lane & 1U) != 0 ? a.bits(lane) : b.bits(lane);
    return ftz ? flushed(bits) : bits;
  });
}

void lower_fsel(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.source(1, 2);
  lowering.predicate(0, 3);
  lowering.op().bytes[0] = lowering.has(Mod::kFtz) ? 1 : 0;
  lowering.op().handler = choose_float;
}

/// The smaller where the predicate is true. -0 is below +0; a number wins against NaN, or the other way round.
void minimum_float(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const FloatSource a(warp, op.sources[0]);
  const FloatSource b(warp, op.sources[1]);
  const LaneMask wants_less = warp.lanes_of(op.predicates[0]);
  const bool ftz = op.bytes[0] != 0;
  const bool nan_wins = op.bytes[1] != 0;
  const bool xors = op.bytes[2] != 0;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const std::uint32_t x = ftz ? flushed(a.bits(lane)) : a.bits(lane);
    const std::uint32_t y = ftz ? flushed(b.bits(lane)) : b.bits(lane);
    const bool less = ordered(x) < ordered(y);
    std::uint32_t result = less == ((wants_less >> lane & 1U) != 0) ? x : y;
    result = is_nan(x) ? y : result;
    result = is_nan(y) ? x : result;
    const bool none = nan_wins ? is_nan(x) || is_nan(y) : is_nan(x) && is_nan(y);
    result = xors ? (result & 0x7fffffffU) | ((x ^ y) & 0x80000000U) : result;
    return none ? kNanBits : result;
  });
}

void lower_fmnmx(Lowering& lowering) {
  lower_fsel(lowering);
  lowering.op().bytes[1] = lowering.has(Mod::kNan) ? 1 : 0;
  lowering.op().bytes[2] = lowering.has(Mod::kXorSign) ? 1 : 0;
  lowering.op().handler = minimum_float;
}

LaneMask compared_lanes(const Warp& warp, const MicroOp& op) {
  const FloatSource a(warp, op.sources[0]);
  const FloatSource b(warp, op.sources[1]);
  const bool ftz = op.bytes[0] != 0;
  const auto left = [&](unsigned lane) { return std::bit_cast<float>(ftz ? flushed(a.bits(lane)) : a.bits(lane)); };
  const auto right = [&](unsigned lane) { return std::bit_cast<float>(ftz ? flushed(b.bits(lane)) : b.bits(lane)); };
  return compared_floats(op.bytes[1], left, right);
}

void compare_floats_set(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  set_joined(warp, op, op.bytes[2], compared_lanes(warp, op), mask);
}

/// FSET.BF: 1.0 for true.
void compare_ones(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const LaneMask with = warp.lanes_of(op.predicates[0]);
  const LaneMask result = joined_lanes(op.bytes[2], compared_lanes(warp, op), with);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) { return ones_if(result, lane) & 0x3f800000U; });
}

void lower_compare(Lowering& lowering, std::size_t first_source) {
  lowering.source(0, first_source);
  lowering.source(1, first_source + 1);
  lowering.predicate(0, first_source + 2);
  MicroOp& op = lowering.op();
  op.bytes[0] = lowering.has(Mod::kFtz) ? 1 : 0;
  op.bytes[1] = lowering.modifier(Mod::kFloatCompare);
  op.bytes[2] = lowering.modifier(Mod::kBoolean);
}

void lower_fsetp(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.predicate_destination(1, 1);
  lower_compare(lowering, 2);
  lowering.op().handler = compare_floats_set;
}

void lower_fset(Lowering& lowering) {
  lowering.destination(0, 0);
  lower_compare(lowering, 1);
  lowering.op().handler = compare_ones;
}

/// FCHK: whether a quotient needs the slow path of a division. What the hardware tests is not published; this is true
/// wherever reciprocal, product or remainder may leave the range of normal numbers.
void check_division(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const FloatSource a(warp, op.sources[0]);
  const FloatSource b(warp, op.sources[1]);
  const auto exponent = [](std::uint32_t bits) { return static_cast<int>(bits >> 23U & 0xffU); };
  warp.set_predicate(op.predicate_destinations[0], lanes_where([&](unsigned lane) {
                       const int x = exponent(a.bits(lane));
                       const int y = exponent(b.bits(lane));
                       const int quotient = x - y;
                       constexpr int kFractionBits = 24;
                       return y < 2 || y > 252 || x > 254 || x < kFractionBits + 2 || quotient > 125 || quotient < -124;
                     }),
                     mask);
}

void lower_fchk(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.source(0, 1);
  lowering.source(1, 2);
  lowering.op().handler = check_division;
}

}  // namespace

std::span<const LowerRow> float_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kFadd, lower_fadd},   {Op::kFmul, lower_fmul},   {Op::kFfma, lower_ffma}, {Op::kFsel, lower_fsel},
      {Op::kFmnmx, lower_fmnmx}, {Op::kFsetp, lower_fsetp}, {Op::kFset, lower_fset}, {Op::kFchk, lower_fchk},
  };
  return kRows;
}

}  // namespace gpusim::exec::GPUSIM_LANES
