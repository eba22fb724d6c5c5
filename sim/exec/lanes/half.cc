// SPDX-License-Identifier: MIT
// FP16 and BF16 arithmetic, two numbers a lane. Sums and products of two are rounded to FP32 first, which has bits
// enough that the second rounding changes nothing; products with a sum go by way of FP64, and round to odd.
#include "sim/exec/memory/half.h"

#include <cmath>

#include "sim/exec/lanes/float32.h"
#include "sim/exec/lanes/lanes.h"
#include "sim/exec/lanes/odd.h"
#include "sim/exec/lanes/rows.h"
#include "sim/exec/ops/packing.h"

namespace gpusim::exec::GPUSIM_LANES {
namespace {

using sass::Mod;

constexpr std::size_t kFtzByte = 0;
constexpr std::size_t kSatByte = 1;
constexpr std::size_t kHalfReluByte = 2;
constexpr std::size_t kFmzByte = 3;
constexpr std::size_t kNegatesHighByte = 4;

/// Both numbers of a source as FP32.
template <class Format>
class HalfSource {
 public:
  HalfSource(const Warp& warp, const Source& source, bool ftz, bool negates_high = false)
      : row_(warp.row(source)), ftz_(ftz), is_float_(source.part == sass::Part::kFloat) {
    low_shift_ = source.part == sass::Part::kHighTwice ? 16 : 0;
    high_shift_ = source.part == sass::Part::kLowTwice ? 0 : 16;
    keep_ = source.absolute ? 0x7fffffffU : 0xffffffffU;
    low_flip_ = source.negated ? 0x80000000U : 0;
    high_flip_ = low_flip_ ^ (negates_high ? 0x80000000U : 0);
  }
  [[nodiscard]] float low(unsigned lane) const { return number(lane, low_shift_, low_flip_); }
  [[nodiscard]] float high(unsigned lane) const { return number(lane, high_shift_, high_flip_); }

 private:
  [[nodiscard]] float number(unsigned lane, unsigned shift, std::uint32_t flip) const {
    auto half = static_cast<std::uint16_t>(row_[lane] >> shift);
    if (ftz_ && (half & Format::kExponent) == 0) {
      half &= 0x8000U;
    }
    const std::uint32_t bits = is_float_ ? row_[lane] : std::bit_cast<std::uint32_t>(Format::widen(half));
    return std::bit_cast<float>((bits & keep_) ^ flip);
  }

  const std::uint32_t* row_;
  bool ftz_;
  bool is_float_;
  unsigned low_shift_;
  unsigned high_shift_;
  std::uint32_t keep_;
  std::uint32_t low_flip_;
  std::uint32_t high_flip_;
};

struct Modes {
  explicit Modes(const MicroOp& op)
      : ftz(op.bytes[kFtzByte] != 0), sat(op.bytes[kSatByte] != 0), relu(op.bytes[kHalfReluByte] != 0) {}
  bool ftz;
  bool sat;
  bool relu;

  template <class Format>
  [[nodiscard]] std::uint32_t finished(float value) const {
    std::uint32_t half = Format::narrow(value);
    const bool is_number = (half & 0x7fffU) <= Format::kExponent;
    if (ftz && (half & Format::kExponent) == 0) {
      half &= 0x8000U;
    }
    if (relu && is_number && (half & 0x8000U) != 0) {
      half = 0;
    }
    if (sat) {
      half = !is_number || (half & 0x8000U) != 0 ? 0 : half < Format::kOne ? half : Format::kOne;
    }
    return half;
  }
};

enum class HalfAction : std::uint8_t { kAdd, kMultiply, kMultiplyAdd };

/// The value, or one that rounds to the same number of 16 bits.
template <HalfAction kAction>
float half_calculated(float a, float b, float c, bool zero_wins) {
  if constexpr (kAction == HalfAction::kAdd) {
    return a + b;
  } else {
    const bool none = zero_wins && (a == 0.0F || b == 0.0F);
    if constexpr (kAction == HalfAction::kMultiply) {
      return none ? 0.0F : a * b;
    } else {
      return none ? 0.0F + c : odd_multiply_add(a, b, c);
    }
  }
}

template <class Format, HalfAction kAction>
void half_arithmetic(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const Modes modes(op);
  const HalfSource<Format> a(warp, op.sources[0], modes.ftz);
  const HalfSource<Format> b(warp, op.sources[1], modes.ftz, op.bytes[kNegatesHighByte] != 0);
  const HalfSource<Format> c(warp, op.sources[2], modes.ftz);
  const bool fmz = op.bytes[kFmzByte] != 0;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const float low = half_calculated<kAction>(a.low(lane), b.low(lane), c.low(lane), fmz);
    const float high = half_calculated<kAction>(a.high(lane), b.high(lane), c.high(lane), fmz);
    return modes.finished<Format>(low) | modes.finished<Format>(high) << 16U;
  });
}

/// .F32: the lower result alone, as FP32.
template <class Format, HalfAction kAction>
void arithmetic_to_float(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const Modes modes(op);
  const HalfSource<Format> a(warp, op.sources[0], modes.ftz);
  const HalfSource<Format> b(warp, op.sources[1], modes.ftz);
  const HalfSource<Format> c(warp, op.sources[2], modes.ftz);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    float result = 0;
    if constexpr (kAction == HalfAction::kMultiplyAdd) {
      result = std::fma(a.low(lane), b.low(lane), c.low(lane));
    } else {
      result = half_calculated<kAction>(a.low(lane), b.low(lane), c.low(lane), false);
    }
    const auto bits = std::bit_cast<std::uint32_t>(result);
    return modes.sat ? saturated(bits) : canonical(bits);
  });
}

void keep_modes(Lowering& lowering) {
  MicroOp& op = lowering.op();
  op.bytes[kFtzByte] = lowering.has(Mod::kFtz) ? 1 : 0;
  op.bytes[kSatByte] = lowering.has(Mod::kSat) ? 1 : 0;
  op.bytes[kHalfReluByte] = lowering.has(Mod::kRelu) ? 1 : 0;
  op.bytes[kFmzByte] = lowering.has(Mod::kFmz) ? 1 : 0;
  op.bytes[kNegatesHighByte] = lowering.has(Mod::kNegatesHigh) ? 1 : 0;
}

template <HalfAction kAction>
void lower_half_arithmetic(Lowering& lowering, std::size_t sources) {
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < sources; ++i) {
    lowering.source(i, 1 + i);
  }
  keep_modes(lowering);
  const bool bfloat = lowering.has(Mod::kBfloat);
  if (lowering.has(Mod::kWiden)) {
    lowering.op().handler = bfloat ? arithmetic_to_float<Bf16, kAction> : arithmetic_to_float<Fp16, kAction>;
  } else {
    lowering.op().handler = bfloat ? half_arithmetic<Bf16, kAction> : half_arithmetic<Fp16, kAction>;
  }
}

void lower_hadd2(Lowering& lowering) {
  lower_half_arithmetic<HalfAction::kAdd>(lowering, 2);
}

void lower_hmul2(Lowering& lowering) {
  lower_half_arithmetic<HalfAction::kMultiply>(lowering, 2);
}

void move_halves(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[2]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) { return a(lane); });
}

/// Whether it is how compilers write a constant into a register when other pipes are busy: 0 times 0 plus a number.
bool is_move(const Lowering& lowering) {
  const auto is_zero = [&](std::size_t at) {
    const sass::Operand& operand = lowering.operand(at);
    return operand.is_register(isa::RegFile::kGeneral) && operand.index == isa::kRZ;
  };
  const sass::Operand& added = lowering.operand(3);
  const bool modifies = lowering.has(Mod::kSat) || lowering.has(Mod::kRelu) || lowering.has(Mod::kFtz);
  const auto is_nan = [&](unsigned shift) { return (added.value >> shift & 0x7fff) > Fp16::kExponent; };
  return is_zero(1) && is_zero(2) && added.kind == sass::OperandKind::kImmediate && !modifies &&
         !lowering.has(Mod::kBfloat) && !is_nan(0) && !is_nan(16);
}

void lower_hfma2(Lowering& lowering) {
  lower_half_arithmetic<HalfAction::kMultiplyAdd>(lowering, 3);
  if (is_move(lowering)) {
    lowering.op().handler = move_halves;
  }
}

/// F2FP: two FP32 numbers, rounded to nearest, side by side.
template <class Format>
void pack(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const FloatSource high(warp, op.sources[0]);
  const FloatSource low(warp, op.sources[1]);
  const Modes modes(op);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    return modes.finished<Format>(low(lane)) | modes.finished<Format>(high(lane)) << 16U;
  });
}

void lower_f2fp(Lowering& lowering) {
  MicroOp& op = lowering.op();
  const auto packing = static_cast<sass::Packing>(lowering.modifier(Mod::kPacking));
  const bool plain = !lowering.has(Mod::kRounding) && !lowering.has(Mod::kSaturateFinite);
  if (plain && (packing == sass::Packing::kF16 || packing == sass::Packing::kBf16)) {
    lowering.destination(0, 0);
    lowering.source(0, 1);
    lowering.source(1, 2);
    op.bytes[kHalfReluByte] = lowering.has(Mod::kRelu) ? 1 : 0;
    op.handler = packing == sass::Packing::kF16 ? pack<Fp16> : pack<Bf16>;
  } else {
    lower_rare_packing(lowering);
  }
}

constexpr std::size_t kCompareByte = 1;
constexpr std::size_t kHalfBooleanByte = 2;
constexpr std::size_t kOnesByte = 3;

struct HalfMasks {
  LaneMask low = 0;
  LaneMask high = 0;
};

template <class Format>
HalfMasks compared_halves(const Warp& warp, const MicroOp& op) {
  const HalfSource<Format> a(warp, op.sources[0], op.bytes[kFtzByte] != 0);
  const HalfSource<Format> b(warp, op.sources[1], op.bytes[kFtzByte] != 0);
  return {compared_floats(
              op.bytes[kCompareByte], [&](unsigned lane) { return a.low(lane); },
              [&](unsigned lane) { return b.low(lane); }),
          compared_floats(
              op.bytes[kCompareByte], [&](unsigned lane) { return a.high(lane); },
              [&](unsigned lane) { return b.high(lane); })};
}

template <class Format>
void compare_halves(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const HalfMasks compared = compared_halves<Format>(warp, op);
  const LaneMask with = warp.lanes_of(op.predicates[0]);
  const LaneMask low = joined_lanes(op.bytes[kHalfBooleanByte], compared.low, with);
  const LaneMask high = joined_lanes(op.bytes[kHalfBooleanByte], compared.high, with);
  const std::uint32_t truth = op.bytes[kOnesByte] != 0 ? Format::kOne : 0xffffU;
  write_lanes(warp.row(op.destinations[0]), mask,
              [&](unsigned lane) { return (ones_if(low, lane) & truth) | (ones_if(high, lane) & truth << 16U); });
}

template <class Format>
void compare_halves_to_predicates(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const HalfMasks compared = compared_halves<Format>(warp, op);
  if (op.bytes[kOnesByte] != 0) {  // .H_AND: of both, and its opposite
    set_joined(warp, op, op.bytes[kHalfBooleanByte], compared.low & compared.high, mask);
    return;
  }
  const LaneMask with = warp.lanes_of(op.predicates[0]);
  const LaneMask low = joined_lanes(op.bytes[kHalfBooleanByte], compared.low, with);
  const LaneMask high = joined_lanes(op.bytes[kHalfBooleanByte], compared.high, with);
  warp.set_predicate(op.predicate_destinations[0], low, mask);
  warp.set_predicate(op.predicate_destinations[1], high, mask);
}

void lower_half_compare(Lowering& lowering, std::size_t first_source, Mod third) {
  MicroOp& op = lowering.op();
  lowering.source(0, first_source);
  lowering.source(1, first_source + 1);
  lowering.predicate(0, first_source + 2);
  op.bytes[kFtzByte] = lowering.has(Mod::kFtz) ? 1 : 0;
  op.bytes[kCompareByte] = lowering.modifier(Mod::kFloatCompare);
  op.bytes[kHalfBooleanByte] = lowering.modifier(Mod::kBoolean);
  op.bytes[kOnesByte] = lowering.has(third) ? 1 : 0;
}

void lower_hset2(Lowering& lowering) {
  lowering.destination(0, 0);
  lower_half_compare(lowering, 1, Mod::kOnes);
  lowering.op().handler = lowering.has(Mod::kBfloat) ? compare_halves<Bf16> : compare_halves<Fp16>;
}

void lower_hsetp2(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.predicate_destination(1, 1);
  lower_half_compare(lowering, 2, Mod::kBothHalves);
  lowering.op().handler =
      lowering.has(Mod::kBfloat) ? compare_halves_to_predicates<Bf16> : compare_halves_to_predicates<Fp16>;
}

/// As FMNMX, of each half.
template <class Format>
std::uint32_t lesser(float a, float b, bool wants_less, bool nan_wins, bool xors) {
  const auto x = std::bit_cast<std::uint32_t>(a);
  const auto y = std::bit_cast<std::uint32_t>(b);
  if (nan_wins ? is_nan(x) || is_nan(y) : is_nan(x) && is_nan(y)) {
    return Format::kNan;
  }
  const bool first = is_nan(y) || (!is_nan(x) && (ordered(x) < ordered(y)) == wants_less);
  const std::uint32_t half = Format::narrow(first ? a : b);
  return xors ? (half & 0x7fffU) | ((x ^ y) >> 16U & 0x8000U) : half;
}

constexpr std::size_t kNanByte = 1;
constexpr std::size_t kXorByte = 2;

template <class Format>
void minimum_halves(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const HalfSource<Format> a(warp, op.sources[0], op.bytes[kFtzByte] != 0);
  const HalfSource<Format> b(warp, op.sources[1], op.bytes[kFtzByte] != 0);
  const LaneMask less = warp.lanes_of(op.predicates[0]);
  const bool nan_wins = op.bytes[kNanByte] != 0;
  const bool xors = op.bytes[kXorByte] != 0;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const bool wants_less = (less >> lane & 1U) != 0;
    return lesser<Format>(a.low(lane), b.low(lane), wants_less, nan_wins, xors) |
           lesser<Format>(a.high(lane), b.high(lane), wants_less, nan_wins, xors) << 16U;
  });
}

void lower_hmnmx2(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.source(1, 2);
  lowering.predicate(0, 3);
  op.bytes[kFtzByte] = lowering.has(Mod::kFtz) ? 1 : 0;
  op.bytes[kNanByte] = lowering.has(Mod::kNan) ? 1 : 0;
  op.bytes[kXorByte] = lowering.has(Mod::kXorSign) ? 1 : 0;
  op.handler = lowering.has(Mod::kBfloat) ? minimum_halves<Bf16> : minimum_halves<Fp16>;
}

}  // namespace

std::span<const LowerRow> half_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kHadd2, lower_hadd2}, {Op::kHmul2, lower_hmul2}, {Op::kHfma2, lower_hfma2},   {Op::kHfma2Mma, lower_hfma2},
      {Op::kF2fp, lower_f2fp},   {Op::kHset2, lower_hset2}, {Op::kHsetp2, lower_hsetp2}, {Op::kHmnmx2, lower_hmnmx2},
  };
  return kRows;
}

}  // namespace gpusim::exec::GPUSIM_LANES
