// SPDX-License-Identifier: MIT
#include "sim/exec/ops/packing.h"

#include <bit>
#include <cmath>

#include "sim/exec/core/warp.h"
#include "sim/exec/memory/half.h"
#include "sim/exec/ops/narrow.h"

namespace gpusim::exec {
namespace {

using sass::Mod;
using sass::Packing;

constexpr std::size_t kPackingByte = 0;
constexpr std::size_t kPackRoundingByte = 1;
constexpr std::size_t kReluByte = 2;
constexpr std::size_t kFiniteByte = 3;

double float_input(const Warp& warp, const Source& source, unsigned lane) {
  std::uint32_t bits = warp.row(source)[lane];
  bits = source.absolute ? bits & 0x7fffffffU : bits;
  bits = source.negated ? bits ^ 0x80000000U : bits;
  return std::bit_cast<float>(bits);
}

/// Two numbers beside each other, the first one above.
void pack(Warp& warp, const MicroOp& op, LaneMask mask, const SmallFormat& format, unsigned width, bool from_halves) {
  const auto rounding = static_cast<sass::Rounding>(op.bytes[kPackRoundingByte]);
  const auto number = [&](double value) {
    value = op.bytes[kReluByte] != 0 && value < 0 ? 0 : value;
    return small_float(format, value, rounding, op.bytes[kFiniteByte] != 0);
  };
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) {
    double high = 0;
    double low = 0;
    if (from_halves) {
      const std::uint32_t word = warp.row(op.sources[1])[lane];
      high = Fp16::widen(static_cast<std::uint16_t>(word >> 16U));
      low = Fp16::widen(static_cast<std::uint16_t>(word));
    } else {
      high = float_input(warp, op.sources[0], lane);
      low = float_input(warp, op.sources[1], lane);
    }
    // What the third source has goes above, where there is room.
    const std::uint32_t above = width == 8 ? warp.row(op.sources[2])[lane] << 16U : 0;
    to[lane] = number(low) | number(high) << width | above;
  });
}

void pack_fp16(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  pack(warp, op, mask, kFp16, 16, false);
}

void pack_bf16(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  pack(warp, op, mask, kBf16, 16, false);
}

void pack_fp8(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const auto packing = static_cast<Packing>(op.bytes[kPackingByte]);
  const bool e5m2 = packing == Packing::kE5m2 || packing == Packing::kE5m2FromF16;
  const bool from_halves = packing == Packing::kE5m2FromF16 || packing == Packing::kE4m3FromF16;
  pack(warp, op, mask, e5m2 ? kE5m2 : kE4m3, 8, from_halves);
}

/// Two FP8 numbers of a half register as FP16, which holds all of them.
void unpack_fp8(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const auto packing = static_cast<Packing>(op.bytes[kPackingByte]);
  const SmallFormat& format = packing == Packing::kF16FromE5m2 ? kE5m2 : kE4m3;
  const Source& source = op.sources[1];
  const unsigned shift = source.part == sass::Part::kHigh ? 16 : 0;
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) {
    const std::uint32_t pair = warp.row(source)[lane] >> shift;
    const auto half = [&](std::uint32_t bits) {
      const auto value = static_cast<float>(small_value(format, bits & 0xffU, 8));
      return std::uint32_t{Fp16::narrow(value)};
    };
    to[lane] = half(pair) | half(pair >> 8U) << 16U;
  });
}

/// cvt.rna: to nearest, ties away from zero; the lower 13 bits are cleared.
void pack_tf32(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  constexpr std::uint32_t kHalfUnit = 0x1000;
  constexpr std::uint32_t kDropped = 0x1fff;
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) {
    const auto value = static_cast<float>(float_input(warp, op.sources[1], lane));
    const auto bits = std::bit_cast<std::uint32_t>(value);
    to[lane] = std::isnan(value) ? 0x7fffffffU : std::isinf(value) ? bits : (bits + kHalfUnit) & ~kDropped;
  });
}

Handler handler_of(Packing packing) {
  switch (packing) {
    case Packing::kF16: return pack_fp16;
    case Packing::kBf16: return pack_bf16;
    case Packing::kE5m2:
    case Packing::kE4m3:
    case Packing::kE5m2FromF16:
    case Packing::kE4m3FromF16: return pack_fp8;
    case Packing::kF16FromE5m2:
    case Packing::kF16FromE4m3: return unpack_fp8;
    case Packing::kTf32: return pack_tf32;
    default: return nullptr;
  }
}

}  // namespace

void lower_rare_packing(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 1 + i);
  }
  op.bytes[kPackingByte] = lowering.modifier(Mod::kPacking);
  op.bytes[kPackRoundingByte] = lowering.modifier(Mod::kRounding);
  op.bytes[kReluByte] = lowering.has(Mod::kRelu) ? 1 : 0;
  op.bytes[kFiniteByte] = lowering.has(Mod::kSaturateFinite) ? 1 : 0;
  op.handler = handler_of(static_cast<Packing>(op.bytes[kPackingByte]));
}

}  // namespace gpusim::exec
