// SPDX-License-Identifier: MIT
// Conversions between formats of numbers, one lane after another. FP64 holds every floating-point source exactly, so
// each conversion rounds once.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/half.h"
#include "sim/exec/ops/families.h"
#include "sim/exec/ops/narrow.h"
#include "sim/exec/ops/rounding.h"

namespace gpusim::exec {
namespace {

using sass::FloatType;
using sass::IntegerType;
using sass::Mod;
using sass::Rounding;

constexpr std::size_t kFromByte = 0;
constexpr std::size_t kToByte = 1;
constexpr std::size_t kConvertRoundingByte = 2;
constexpr std::size_t kConvertFtzByte = 3;
constexpr std::size_t kNanZeroByte = 4;

Rounding rounding_of(const MicroOp& op) {
  return static_cast<Rounding>(op.bytes[kConvertRoundingByte]);
}

std::uint64_t raw_of(const Warp& warp, const Source& source, unsigned lane, bool wide) {
  const std::uint32_t* const row = warp.row(source);
  return row[lane] | (wide ? std::uint64_t{row[kRow + lane]} << 32U : 0);
}

double with_sign(const Source& source, double value) {
  value = source.absolute ? std::fabs(value) : value;
  return source.negated ? -value : value;
}

double float_of(FloatType type, const Source& source, std::uint64_t raw, bool flushes) {
  const auto word = static_cast<std::uint32_t>(raw);
  const auto half = static_cast<std::uint16_t>(source.part == sass::Part::kHigh ? word >> 16U : word);
  switch (type) {
    case FloatType::kF16: return Fp16::widen(half);
    case FloatType::kBf16: return Bf16::widen(half);
    case FloatType::kF64: return std::bit_cast<double>(raw);
    default: {
      const auto value = std::bit_cast<float>(word);
      return flushes && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0, double{value}) : double{value};
    }
  }
}

double input_of(const Warp& warp, const MicroOp& op, unsigned lane) {
  const auto from = static_cast<FloatType>(op.bytes[kFromByte]);
  const Source& source = op.sources[0];
  const std::uint64_t raw = raw_of(warp, source, lane, from == FloatType::kF64);
  return with_sign(source, float_of(from, source, raw, op.bytes[kConvertFtzByte] != 0));
}

void write_result(Warp& warp, const MicroOp& op, unsigned lane, std::uint64_t value, bool wide) {
  std::uint32_t* const to = warp.row(op.destinations[0]);
  to[lane] = static_cast<std::uint32_t>(value);
  if (wide) {
    to[kRow + lane] = static_cast<std::uint32_t>(value >> 32U);
  }
}

void float_to_float(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const auto to = static_cast<FloatType>(op.bytes[kToByte]);
  for_each_lane(mask, [&](unsigned lane) {
    const std::uint64_t result =
        narrowed(to, input_of(warp, op, lane), rounding_of(op), op.bytes[kConvertFtzByte] != 0);
    write_result(warp, op, lane, result, to == FloatType::kF64);
  });
}

void keep_types(Lowering& lowering, FloatType from, std::uint8_t to) {
  MicroOp& op = lowering.op();
  lowering.destination(0, 0);
  lowering.source(0, 1);
  op.bytes[kFromByte] = static_cast<std::uint8_t>(from);
  op.bytes[kToByte] = to;
  op.bytes[kConvertRoundingByte] = lowering.modifier(Mod::kRounding);
  op.bytes[kConvertFtzByte] = lowering.has(Mod::kFtz) ? 1 : 0;
}

bool is_float_type(std::uint8_t type) {
  return type >= static_cast<std::uint8_t>(FloatType::kF16) && type <= static_cast<std::uint8_t>(FloatType::kBf16);
}

void lower_f2f(Lowering& lowering) {
  const std::uint8_t from = lowering.modifier(Mod::kFromFloat);
  const std::uint8_t to = lowering.modifier(Mod::kToFloat);
  keep_types(lowering, static_cast<FloatType>(from), to);
  lowering.op().handler = is_float_type(from) && is_float_type(to) ? float_to_float : nullptr;
}

struct IntegerShape {
  unsigned bits = 32;
  bool is_signed = false;
};

IntegerShape shape_of(IntegerType type) {
  const auto number = static_cast<unsigned>(type);
  return {8U << number / 2, number % 2 == 1};
}

/// An integral number as an integer; the nearest one where it does not fit.
std::uint64_t saturated(double value, const IntegerShape& shape) {
  const double limit = std::ldexp(1.0, static_cast<int>(shape.bits) - (shape.is_signed ? 1 : 0));
  const std::uint64_t largest = ~std::uint64_t{0} >> (64U - shape.bits + (shape.is_signed ? 1U : 0U));
  if (value >= limit) {
    return largest;
  }
  if (!shape.is_signed) {
    return value <= 0 ? 0 : static_cast<std::uint64_t>(value);
  }
  return value < -limit ? ~largest : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// NaN becomes 0 with NTZ, else what has only the highest bit set (x86 and NVIDIA agree there).
void float_to_integer(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const IntegerShape shape = shape_of(static_cast<IntegerType>(op.bytes[kToByte]));
  const std::uint64_t for_nan =
      op.bytes[kNanZeroByte] != 0 || shape.bits < 32 ? 0 : std::uint64_t{1} << (shape.bits - 1);
  for_each_lane(mask, [&](unsigned lane) {
    const double value = input_of(warp, op, lane);
    const std::uint64_t result = std::isnan(value) ? for_nan : saturated(integral(value, rounding_of(op)), shape);
    write_result(warp, op, lane, result, shape.bits == 64);
  });
}

FloatType float_type_or_f32(std::uint8_t type) {
  return type == 0 ? FloatType::kF32 : static_cast<FloatType>(type);
}

void lower_f2i(Lowering& lowering) {
  keep_types(lowering, float_type_or_f32(lowering.modifier(Mod::kFromFloat)), lowering.modifier(Mod::kToInteger));
  MicroOp& op = lowering.op();
  op.bytes[kNanZeroByte] = lowering.has(Mod::kNoTrap) ? 1 : 0;
  op.handler = is_float_type(op.bytes[kFromByte]) ? float_to_integer : nullptr;
}

/// FRND: to an integral number of the same format.
void float_to_integral(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const auto type = static_cast<FloatType>(op.bytes[kFromByte]);
  for_each_lane(mask, [&](unsigned lane) {
    const double value = input_of(warp, op, lane);
    const double whole = std::copysign(integral(value, rounding_of(op)), value);
    write_result(warp, op, lane, narrowed(type, whole, Rounding::kNearest, false), type == FloatType::kF64);
  });
}

void lower_frnd(Lowering& lowering) {
  keep_types(lowering, float_type_or_f32(lowering.modifier(Mod::kFromFloat)), 0);
  lowering.op().handler = is_float_type(lowering.op().bytes[kFromByte]) ? float_to_integral : nullptr;
}

/// The bits of an integer source, extended to 64 with its sign.
std::int64_t integer_of(const Warp& warp, const MicroOp& op, unsigned lane, const IntegerShape& shape) {
  const Source& source = op.sources[0];
  std::uint64_t raw = raw_of(warp, source, lane, shape.bits == 64);
  switch (source.part) {
    case sass::Part::kByte1: raw >>= 8U; break;
    case sass::Part::kByte2:
    case sass::Part::kHigh: raw >>= 16U; break;
    case sass::Part::kByte3: raw >>= 24U; break;
    default: break;
  }
  const unsigned unused = 64U - shape.bits;
  auto value = shape.is_signed ? static_cast<std::int64_t>(raw << unused) >> unused
                               : static_cast<std::int64_t>(raw << unused >> unused);
  value = source.absolute && shape.is_signed && value < 0
              ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value))
              : value;
  return source.negated ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value)) : value;
}

/// Rounds once, in the host's mode that is set.
template <class Float>
Float rounded_float(std::int64_t value, bool is_unsigned) {
  return is_unsigned ? static_cast<Float>(opaque(static_cast<std::uint64_t>(value)))
                     : static_cast<Float>(opaque(value));
}

void integer_to_float(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const IntegerShape shape = shape_of(static_cast<IntegerType>(op.bytes[kFromByte]));
  const auto to = static_cast<FloatType>(op.bytes[kToByte]);
  const bool is_unsigned = !shape.is_signed && shape.bits == 64;
  const RoundingScope scope(rounding_of(op));
  for_each_lane(mask, [&](unsigned lane) {
    const std::int64_t value = integer_of(warp, op, lane, shape);
    std::uint64_t result = 0;
    switch (to) {
      case FloatType::kF32:
        result = std::bit_cast<std::uint32_t>(opaque(rounded_float<float>(value, is_unsigned)));
        break;
      case FloatType::kF64:
        result = std::bit_cast<std::uint64_t>(opaque(rounded_float<double>(value, is_unsigned)));
        break;
      default: result = narrowed(to, opaque(rounded_float<double>(value, is_unsigned)), rounding_of(op), false); break;
    }
    write_result(warp, op, lane, result, to == FloatType::kF64);
  });
}

void lower_i2f(Lowering& lowering) {
  MicroOp& op = lowering.op();
  keep_types(lowering, FloatType::kF32, static_cast<std::uint8_t>(float_type_or_f32(lowering.modifier(Mod::kToFloat))));
  op.bytes[kFromByte] = lowering.modifier(Mod::kFromInteger);
  op.handler = is_float_type(op.bytes[kToByte]) ? integer_to_float : nullptr;
}

void lower_i2fp(Lowering& lowering) {
  constexpr std::uint8_t kToF32 = 2;
  MicroOp& op = lowering.op();
  keep_types(lowering, FloatType::kF32, static_cast<std::uint8_t>(FloatType::kF32));
  op.bytes[kFromByte] = static_cast<std::uint8_t>(lowering.has(Mod::kSigned) ? IntegerType::kS32 : IntegerType::kU32);
  op.handler = lowering.modifier(Mod::kToFloat) == kToF32 ? integer_to_float : nullptr;
}

/// I2I: to a narrower type, saturated, from S32.
void saturate(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const IntegerShape shape = shape_of(static_cast<IntegerType>(op.bytes[kToByte]));
  const std::uint32_t* const from = warp.row(op.sources[0]);
  for_each_lane(mask, [&](unsigned lane) {
    write_result(warp, op, lane, saturated(double{static_cast<double>(static_cast<std::int32_t>(from[lane]))}, shape),
                 false);
  });
}

void lower_i2i(Lowering& lowering) {
  keep_types(lowering, FloatType::kF32, lowering.modifier(Mod::kToInteger));
  lowering.op().handler = saturate;
}

/// I2IP: a and b, saturated, side by side below what c had there.
void saturate_pair(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const IntegerShape shape = shape_of(static_cast<IntegerType>(op.bytes[kToByte]));
  const auto number = [&](std::size_t source, unsigned lane) {
    const auto value = static_cast<std::int32_t>(warp.row(op.sources[source])[lane]);
    return saturated(double{static_cast<double>(value)}, shape) & (~std::uint64_t{0} >> (64U - shape.bits));
  };
  for_each_lane(mask, [&](unsigned lane) {
    const std::uint64_t above = std::uint64_t{warp.row(op.sources[2])[lane]} << (2 * shape.bits);
    write_result(warp, op, lane, number(1, lane) | number(0, lane) << shape.bits | above, false);
  });
}

void lower_i2ip(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 1 + i);
  }
  constexpr std::uint8_t kLast = static_cast<std::uint8_t>(IntegerType::kS16);
  op.bytes[kToByte] = lowering.modifier(Mod::kToInteger);
  op.handler = op.bytes[kToByte] <= kLast ? saturate_pair : nullptr;
}

}  // namespace

std::span<const LowerRow> convert_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kF2f, lower_f2f},   {Op::kF2i, lower_f2i}, {Op::kFrnd, lower_frnd}, {Op::kI2f, lower_i2f},
      {Op::kI2fp, lower_i2fp}, {Op::kI2i, lower_i2i}, {Op::kI2ip, lower_i2ip},
  };
  return kRows;
}

}  // namespace gpusim::exec
