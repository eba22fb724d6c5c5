// SPDX-License-Identifier: MIT
// MUFU: the functions of the special function unit. Results are closer to the exact value than the hardware's published
// errors (CUDA Programming Guide, "Intrinsic Functions"), but not the same bits. Subnormal numbers count as zero.
#include <cmath>

#include "sim/exec/lanes/float32.h"
#include "sim/exec/lanes/lanes.h"
#include "sim/exec/lanes/rows.h"
#include "sim/exec/memory/half.h"

namespace gpusim::exec::GPUSIM_LANES {
namespace {

using sass::Mod;

/// 2 to the power of x: an integer power by its exponent, the rest in -1/2 to 1/2 by the Taylor series of exp.
float exp2_of(float x) {
  const float clamped = x < -200.0F ? -200.0F : x > 200.0F ? 200.0F : x;
  const float whole = std::nearbyint(clamped);
  const double rest = (double{clamped} - double{whole}) * 0.693147180559945309;
  double power = 1.0 / 5040;
  power = power * rest + 1.0 / 720;
  power = power * rest + 1.0 / 120;
  power = power * rest + 1.0 / 24;
  power = power * rest + 1.0 / 6;
  power = power * rest + 0.5;
  power = power * rest + 1;
  power = power * rest + 1;
  constexpr std::int64_t kBias = 1023;
  const auto exponent = static_cast<std::uint64_t>(static_cast<std::int32_t>(whole) + kBias) << 52U;
  const auto result = static_cast<float>(power * std::bit_cast<double>(exponent));
  return x != x ? x : result;
}

/// The logarithm of a number in sqrt(1/2) to sqrt(2) by the series of the inverse hyperbolic tangent, and its exponent.
float log2_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  constexpr std::uint32_t kRootHalf = 0x3f3504f3U;  // sqrt(1/2)
  const auto exponent = static_cast<std::int32_t>(bits - kRootHalf) >> 23;
  const double mantissa = std::bit_cast<float>(bits - (static_cast<std::uint32_t>(exponent) << 23U));
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  double series = 1.0 / 11;
  series = series * square + 1.0 / 9;
  series = series * square + 1.0 / 7;
  series = series * square + 1.0 / 5;
  series = series * square + 1.0 / 3;
  series = series * square + 1;
  constexpr double kTwoByLog2 = 2.88539008177792681;  // 2 / ln 2
  const auto result = static_cast<float>(exponent + series * s * kTwoByLog2);
  const float special = x == 0.0F ? -HUGE_VALF : x < 0.0F ? NAN : x;
  return x > 0.0F && x < HUGE_VALF ? result : special;
}

/// sin(2 pi x) or, a quarter later, cos: the argument counts turns.
template <bool kCosine>
float sine_of(float turns) {
  const double quarters = (double{turns} - std::nearbyint(double{turns})) * 4;
  const double whole = std::nearbyint(quarters);
  const double x = (quarters - whole) * 1.57079632679489662;
  const double square = x * x;
  const double sine =
      x * (1 + square * (-1.0 / 6 + square * (1.0 / 120 + square * (-1.0 / 5040 + square * (1.0 / 362880)))));
  const double cosine =
      1 + square * (-0.5 + square * (1.0 / 24 + square * (-1.0 / 720 + square * (1.0 / 40320 - square / 3628800))));
  const auto quarter = static_cast<unsigned>(static_cast<std::int32_t>(whole) + (kCosine ? 1 : 0)) & 3U;
  const double chosen = (quarter & 1U) != 0 ? cosine : sine;
  return static_cast<float>((quarter & 2U) != 0 ? -chosen : chosen);
}

template <sass::Function kFunction>
float function_of(float x) {
  using sass::Function;
  switch (kFunction) {
    case Function::kCos: return sine_of<true>(x);
    case Function::kSin: return sine_of<false>(x);
    case Function::kExp2: return exp2_of(x);
    case Function::kLog2: return log2_of(x);
    case Function::kRcp: return 1.0F / x;
    case Function::kRsq: return static_cast<float>(1.0 / std::sqrt(double{x}));
    case Function::kSqrt: return std::sqrt(x);
    default: return std::tanh(x);
  }
}

template <sass::Function kFunction>
void special(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const FloatSource a(warp, op.sources[0]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const float result = function_of<kFunction>(std::bit_cast<float>(flushed(a.bits(lane))));
    return canonical(flushed(std::bit_cast<std::uint32_t>(result)));
  });
}

/// A special function of one half of a register. The source says which half; the result goes to the lower half.
template <sass::Function kFunction>
void special_half(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const Source& source = op.sources[0];
  const std::uint32_t* const row = warp.row(source);
  const unsigned shift = source.part == sass::Part::kHigh ? 16 : 0;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    auto half = static_cast<std::uint16_t>(row[lane] >> shift);
    half = source.absolute ? half & 0x7fffU : half;
    half = source.negated ? half ^ 0x8000U : half;
    return std::uint32_t{Fp16::narrow(function_of<kFunction>(Fp16::widen(half)))};
  });
}

/// The upper halves of 1 / x and of 1 / sqrt(x) for the upper half of an FP64 number.
template <bool kRoot>
void special_wide(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const FloatSource a(warp, op.sources[0]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const auto x = std::bit_cast<double>(std::uint64_t{a.bits(lane)} << 32U);
    const double result = 1.0 / (kRoot ? std::sqrt(x) : x);
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(result) >> 32U);
  });
}

template <sass::Function kFunction>
Handler handler_for(std::uint8_t type) {
  constexpr Handler kHandlers[] = {special<kFunction>, special_half<kFunction>};
  return type < std::size(kHandlers) ? kHandlers[type] : nullptr;
}

void lower_mufu(Lowering& lowering) {
  using sass::Function;
  MicroOp& op = lowering.op();
  const std::uint8_t type = lowering.modifier(Mod::kMufuType);
  lowering.destination(0, 0);
  lowering.source(0, 1);
  switch (static_cast<Function>(lowering.modifier(Mod::kFunction))) {
    case Function::kCos: op.handler = handler_for<Function::kCos>(type); break;
    case Function::kSin: op.handler = handler_for<Function::kSin>(type); break;
    case Function::kExp2: op.handler = handler_for<Function::kExp2>(type); break;
    case Function::kLog2: op.handler = handler_for<Function::kLog2>(type); break;
    case Function::kRcp: op.handler = handler_for<Function::kRcp>(type); break;
    case Function::kRsq: op.handler = handler_for<Function::kRsq>(type); break;
    case Function::kSqrt: op.handler = handler_for<Function::kSqrt>(type); break;
    case Function::kTanh: op.handler = handler_for<Function::kTanh>(type); break;
    case Function::kRcp64High: op.handler = special_wide<false>; break;
    case Function::kRsq64High: op.handler = special_wide<true>; break;
  }
}

}  // namespace

std::span<const LowerRow> function_rows() {
  static constexpr LowerRow kRows[] = {{sass::Op::kMufu, lower_mufu}};
  return kRows;
}

}  // namespace gpusim::exec::GPUSIM_LANES
