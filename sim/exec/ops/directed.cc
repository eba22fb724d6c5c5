// SPDX-License-Identifier: MIT
#include "sim/exec/ops/directed.h"

#include <bit>
#include <cmath>

#include "sim/exec/core/warp.h"
#include "sim/exec/ops/rounding.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

constexpr std::size_t kRoundingByte = 0;
constexpr std::size_t kFtzByte = 1;
constexpr std::size_t kSatByte = 2;
constexpr std::size_t kFmzByte = 3;
constexpr std::size_t kProductScaleByte = 4;

double scale_of(std::uint8_t scale) {
  constexpr double kScales[] = {1, 1. / 8, 1. / 4, 1. / 2, 1, 2, 4, 8};
  return kScales[scale & 7U];
}

float flushed_if(bool flush, float value) {
  return flush && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

std::uint32_t finished(const MicroOp& op, float result) {
  constexpr std::uint32_t kNan = 0x7fffffffU;
  result = flushed_if(op.bytes[kFtzByte] != 0, result);
  if (op.bytes[kSatByte] != 0) {
    result = result > 0.0F ? std::fmin(result, 1.0F) : 0.0F;
  }
  return std::isnan(result) ? kNan : std::bit_cast<std::uint32_t>(result);
}

/// Calls calculate(a, b, c) for each lane, in the rounding mode of the instruction.
template <class Calculate>
void directed(Warp& warp, const MicroOp& op, LaneMask mask, const Calculate& calculate) {
  const RoundingScope scope(static_cast<sass::Rounding>(op.bytes[kRoundingByte]));
  const auto input = [&](std::size_t at, unsigned lane) {
    const Source& source = op.sources[at];
    std::uint32_t bits = warp.row(source)[lane];
    bits = source.absolute ? bits & 0x7fffffffU : bits;
    bits = source.negated ? bits ^ 0x80000000U : bits;
    return opaque(flushed_if(op.bytes[kFtzByte] != 0, std::bit_cast<float>(bits)));
  };
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) {
    to[lane] = finished(op, opaque<float>(calculate(input(0, lane), input(1, lane), input(2, lane))));
  });
}

/// The same of FP64.
template <class Calculate>
void directed_double(Warp& warp, const MicroOp& op, LaneMask mask, const Calculate& calculate) {
  const RoundingScope scope(static_cast<sass::Rounding>(op.bytes[kRoundingByte]));
  const auto input = [&](std::size_t at, unsigned lane) {
    const Source& source = op.sources[at];
    const std::uint32_t* const row = warp.row(source);
    std::uint64_t bits = row[lane] | std::uint64_t{row[kRow + lane]} << 32U;
    bits = source.absolute ? bits & ~(std::uint64_t{1} << 63U) : bits;
    bits = source.negated ? bits ^ std::uint64_t{1} << 63U : bits;
    return opaque(std::bit_cast<double>(bits));
  };
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) {
    const auto bits =
        std::bit_cast<std::uint64_t>(opaque<double>(calculate(input(0, lane), input(1, lane), input(2, lane))));
    to[lane] = static_cast<std::uint32_t>(bits);
    to[kRow + lane] = static_cast<std::uint32_t>(bits >> 32U);
  });
}

bool is_nothing(const MicroOp& op, float a, float b) {
  return op.bytes[kFmzByte] != 0 && (a == 0.0F || b == 0.0F);
}

}  // namespace

void keep_float_modes(Lowering& lowering) {
  MicroOp& op = lowering.op();
  op.bytes[kRoundingByte] = lowering.modifier(Mod::kRounding);
  op.bytes[kFtzByte] = lowering.has(Mod::kFtz) ? 1 : 0;
  op.bytes[kSatByte] = lowering.has(Mod::kSat) ? 1 : 0;
  op.bytes[kFmzByte] = lowering.has(Mod::kFmz) ? 1 : 0;
  op.bytes[kProductScaleByte] = lowering.modifier(Mod::kScale);
}

void directed_add(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  directed(warp, op, mask, [](float a, float b, float) { return a + b; });
}

void directed_multiply(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  // The product of two FP32 numbers is exact in FP64, scaled or not; it is rounded once, to FP32.
  directed(warp, op, mask, [&](float a, float b, float) {
    const double product = double{a} * double{b} * scale_of(op.bytes[kProductScaleByte]);
    return is_nothing(op, a, b) ? 0.0F : static_cast<float>(opaque(product));
  });
}

void directed_multiply_add(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  directed(warp, op, mask,
           [&](float a, float b, float c) { return is_nothing(op, a, b) ? 0.0F + c : std::fma(a, b, c); });
}

void directed_add_double(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  directed_double(warp, op, mask, [](double a, double b, double) { return a + b; });
}

void directed_multiply_double(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  directed_double(warp, op, mask, [](double a, double b, double) { return a * b; });
}

void directed_multiply_add_double(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  directed_double(warp, op, mask, [](double a, double b, double c) { return std::fma(a, b, c); });
}

}  // namespace gpusim::exec
