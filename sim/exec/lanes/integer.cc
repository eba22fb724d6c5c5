// SPDX-License-Identifier: MIT
// Integer arithmetic: sums, products, shifts with sums, minima, comparisons. Those of the uniform datapath are the same
// on rows whose lanes are equal.
#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sim/exec/lanes/lanes.h"
#include "sim/exec/lanes/rows.h"

namespace gpusim::exec::GPUSIM_LANES {
namespace {

using sass::Mod;

/// Bytes of a MicroOp that say whether a source is signed, and which minimum or comparison is meant.
constexpr std::size_t kSignedByte = 0;
constexpr std::size_t kWhichByte = 1;
constexpr std::size_t kBooleanByte = 2;
constexpr std::size_t kReluByte = 3;

std::uint64_t extended(std::uint32_t value, bool is_signed) {
  return is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)}) : value;
}

void move(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) { return a(lane); });
}

void lower_mov(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.op().handler = move;
}

void add3(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const IntegerSource a(warp, op.sources[0]);
  const IntegerSource b(warp, op.sources[1]);
  const IntegerSource c(warp, op.sources[2]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) { return a(lane) + b(lane) + c(lane); });
}

/// With carries in and out, one bit each: two sums may carry.
void add3_carry(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const IntegerSource a(warp, op.sources[0]);
  const IntegerSource b(warp, op.sources[1]);
  const IntegerSource c(warp, op.sources[2]);
  const LaneMask in = warp.lanes_of(op.predicates[0]);
  const LaneMask too = warp.lanes_of(op.predicates[1]);
  std::uint32_t carries[kWarpLanes];
  std::uint32_t sums[kWarpLanes];
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint64_t sum = a.in_sum(lane) + b.in_sum(lane) + c.in_sum(lane) + (in >> lane & 1U) + (too >> lane & 1U);
    sums[lane] = static_cast<std::uint32_t>(sum);
    carries[lane] = static_cast<std::uint32_t>(sum >> 32U);
  }
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) { return sums[lane]; });
  warp.set_predicate(op.predicate_destinations[0], lanes_where([&](unsigned lane) { return carries[lane] > 0; }), mask);
  warp.set_predicate(op.predicate_destinations[1], lanes_where([&](unsigned lane) { return carries[lane] > 1; }), mask);
}

/// A predicate that adds a carry where there is one: none without .X.
void carry_in(Lowering& lowering, std::size_t to, std::size_t operand_at) {
  lowering.predicate(to, operand_at);
  if (lowering.operand(operand_at).kind == sass::OperandKind::kNone) {
    lowering.op().predicates[to].inverted = true;
  }
}

void lower_iadd3(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.predicate_destination(0, 1);
  lowering.predicate_destination(1, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 3 + i);
  }
  carry_in(lowering, 0, 6);
  carry_in(lowering, 1, 7);
  MicroOp& op = lowering.op();
  const bool carries = lowering.has(Mod::kExtended) || op.predicate_destinations[0] != Warp::kPredicateSink ||
                       op.predicate_destinations[1] != Warp::kPredicateSink;
  op.handler = carries ? add3_carry : add3;
}

void add3_wide(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const auto value = [&](const Source& source, unsigned lane) {
    const std::uint64_t wide = PlainSource(warp, source).wide(lane);
    return source.negated ? 0 - wide : wide;
  };
  write_wide_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    return value(op.sources[0], lane) + value(op.sources[1], lane) + value(op.sources[2], lane);
  });
}

void lower_iadd3_64(Lowering& lowering) {
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 1 + i);
  }
  lowering.op().handler = add3_wide;
}

void multiply_add(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const IntegerSource c(warp, op.sources[2]);
  const std::uint32_t flip = op.sources[0].negated != op.sources[1].negated ? ~std::uint32_t{0} : 0;
  write_lanes(warp.row(op.destinations[0]), mask,
              [&](unsigned lane) { return ((a(lane) * b(lane)) ^ flip) - flip + c(lane); });
}

/// 64 bits of product and sum, of which the whole, the upper half, or the lower half with carries counts.
template <bool kHighOnly>
void multiply_add_wide(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const PlainSource c(warp, op.sources[2]);
  const bool is_signed = op.bytes[kSignedByte] != 0;
  const std::uint64_t flip = op.sources[0].negated != op.sources[1].negated ? ~std::uint64_t{0} : 0;
  const std::uint64_t flip_c = op.sources[2].negated || op.sources[2].inverted ? ~std::uint64_t{0} : 0;
  const std::uint64_t plus_c = op.sources[2].negated ? 1 : 0;
  const LaneMask in = warp.lanes_of(op.predicates[0]);
  std::uint64_t results[kWarpLanes];
  LaneMask carries = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint64_t product = (extended(a(lane), is_signed) * extended(b(lane), is_signed) ^ flip) - flip;
    results[lane] = product + (c.wide(lane) ^ flip_c) + plus_c + (in >> lane & 1U);
    carries |= static_cast<LaneMask>(results[lane] < product) << lane;
  }
  if (kHighOnly) {
    write_lanes(warp.row(op.destinations[0]), mask,
                [&](unsigned lane) { return static_cast<std::uint32_t>(results[lane] >> 32U); });
  } else {
    write_wide_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) { return results[lane]; });
  }
  warp.set_predicate(op.predicate_destinations[0], carries, mask);
}

/// IMAD.WIDE without carries: the one that addresses are made of.
template <bool kSigned>
void multiply_add_pair(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const PlainSource c(warp, op.sources[2]);
  write_wide_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    return extended(a(lane), kSigned) * extended(b(lane), kSigned) + c.wide(lane);
  });
}

/// IMAD.X: the third source is inverted, not negated, and a carry is added.
void multiply_add_extended(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const IntegerSource b(warp, op.sources[1]);
  const IntegerSource c(warp, op.sources[2]);
  const LaneMask in = warp.lanes_of(op.predicates[0]);
  const std::uint32_t flip = op.sources[0].negated ? ~std::uint32_t{0} : 0;
  write_lanes(warp.row(op.destinations[0]), mask,
              [&](unsigned lane) { return ((a(lane) * b(lane)) ^ flip) - flip + c(lane) + (in >> lane & 1U); });
}

void lower_imad_operands(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.predicate_destination(0, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 2 + i);
  }
  carry_in(lowering, 0, 5);
  lowering.op().bytes[kSignedByte] = lowering.has(Mod::kSigned) ? 1 : 0;
}

void lower_imad(Lowering& lowering) {
  lower_imad_operands(lowering);
  lowering.op().handler = lowering.has(Mod::kExtended) ? multiply_add_extended : multiply_add;
}

void lower_imad_wide(Lowering& lowering) {
  lower_imad_operands(lowering);
  MicroOp& op = lowering.op();
  const bool plain = !op.sources[0].negated && !op.sources[1].negated && !op.sources[2].negated &&
                     !op.sources[2].inverted && !lowering.has(Mod::kExtended) &&
                     op.predicate_destinations[0] == Warp::kPredicateSink;
  const bool is_signed = lowering.has(Mod::kSigned);
  op.handler = !plain ? multiply_add_wide<false> : is_signed ? multiply_add_pair<true> : multiply_add_pair<false>;
}

void lower_imad_high(Lowering& lowering) {
  lower_imad_operands(lowering);
  lowering.op().handler = multiply_add_wide<true>;
}

/// LEA: a shifted left, and b added.
template <bool kHigh>
void shift_add(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const IntegerSource b(warp, op.sources[1]);
  const PlainSource upper(warp, op.sources[2]);
  const unsigned shift = op.immediate;
  const bool sign_extends = op.bytes[kSignedByte] != 0;
  const LaneMask in = warp.lanes_of(op.predicates[0]);
  const std::uint32_t flip = op.sources[0].negated || op.sources[0].inverted ? ~std::uint32_t{0} : 0;
  const std::uint32_t plus = op.sources[0].negated ? 1 : 0;
  std::uint64_t sums[kWarpLanes];
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    std::uint64_t pair = a(lane) | std::uint64_t{upper(lane)} << 32U;
    if (kHigh) {
      pair = sign_extends ? extended(a(lane), true) : pair;
    }
    const std::uint64_t shifted = pair << shift;
    const auto part = static_cast<std::uint32_t>(kHigh ? shifted >> 32U : shifted);
    sums[lane] = std::uint64_t{part ^ flip} + plus + b.in_sum(lane) + (in >> lane & 1U);
  }
  write_lanes(warp.row(op.destinations[0]), mask,
              [&](unsigned lane) { return static_cast<std::uint32_t>(sums[lane]); });
  warp.set_predicate(op.predicate_destinations[0], lanes_where([&](unsigned lane) { return sums[lane] >> 32U != 0; }),
                     mask);
}

void lower_lea(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.predicate_destination(0, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 2 + i);
  }
  carry_in(lowering, 0, 6);
  MicroOp& op = lowering.op();
  op.immediate = static_cast<std::uint32_t>(lowering.operand(5).value);
  op.bytes[kSignedByte] = lowering.has(Mod::kSignExtend) ? 1 : 0;
  op.handler = lowering.has(Mod::kHigh) ? shift_add<true> : shift_add<false>;
}

template <class Compare>
LaneMask compare_lanes(const PlainSource& a, const PlainSource& b, bool is_signed, const Compare& compare) {
  return is_signed ? lanes_where([&](unsigned lane) { return compare(a.as_signed(lane), b.as_signed(lane)); })
                   : lanes_where([&](unsigned lane) { return compare(a(lane), b(lane)); });
}

LaneMask compared(sass::IntCompare which, const PlainSource& a, const PlainSource& b, bool is_signed) {
  using sass::IntCompare;
  switch (which) {
    case IntCompare::kLess: return compare_lanes(a, b, is_signed, [](auto x, auto y) { return x < y; });
    case IntCompare::kEqual: return lanes_where([&](unsigned lane) { return a(lane) == b(lane); });
    case IntCompare::kLessEqual: return compare_lanes(a, b, is_signed, [](auto x, auto y) { return x <= y; });
    case IntCompare::kGreater: return compare_lanes(a, b, is_signed, [](auto x, auto y) { return x > y; });
    case IntCompare::kNotEqual: return lanes_where([&](unsigned lane) { return a(lane) != b(lane); });
    case IntCompare::kGreaterEqual: return compare_lanes(a, b, is_signed, [](auto x, auto y) { return x >= y; });
    case IntCompare::kTrue: return kAllLanes;
    case IntCompare::kFalse: break;
  }
  return 0;
}

void compare_set(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const auto which = static_cast<sass::IntCompare>(op.bytes[kWhichByte]);
  set_joined(warp, op, op.bytes[kBooleanByte], compared(which, a, b, op.bytes[kSignedByte] != 0), mask);
}

/// ISETP.EX: where the upper halves are equal, the comparison of the lower ones decides.
void compare_set_extended(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  using sass::IntCompare;
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const auto which = static_cast<IntCompare>(op.bytes[kWhichByte]);
  const LaneMask lower = warp.lanes_of(op.predicates[1]);
  const LaneMask equal = compared(IntCompare::kEqual, a, b, false);
  LaneMask result = compared(which, a, b, op.bytes[kSignedByte] != 0);
  if (which != IntCompare::kTrue && which != IntCompare::kFalse) {
    result = (equal & lower) | (~equal & result);
  }
  set_joined(warp, op, op.bytes[kBooleanByte], result, mask);
}

void lower_isetp(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.predicate_destination(1, 1);
  lowering.source(0, 2);
  lowering.source(1, 3);
  lowering.predicate(0, 4);
  lowering.predicate(1, 5);
  MicroOp& op = lowering.op();
  op.bytes[kSignedByte] = lowering.has(Mod::kSigned) ? 1 : 0;
  op.bytes[kWhichByte] = lowering.modifier(Mod::kIntCompare);
  op.bytes[kBooleanByte] = lowering.modifier(Mod::kBoolean);
  op.handler = lowering.has(Mod::kUsesLower) ? compare_set_extended : compare_set;
}

/// Parts of a word that are as wide as T: `of_part` gives the result of the one that begins at a bit.
template <class T, class OfPart>
std::uint32_t of_parts(const OfPart& of_part) {
  std::uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(T)) {
    const T part = of_part(shift);
    result |= std::uint32_t{static_cast<std::make_unsigned_t<T>>(part)} << shift;
  }
  return result;
}

/// The smaller where the predicate of the lane is true, else the larger; with RELU at least 0.
class Choice {
 public:
  Choice(const Warp& warp, const MicroOp& op)
      : wants_less_(warp.lanes_of(op.predicates[0])), relu_(op.bytes[kReluByte] != 0) {}

  template <class T>
  [[nodiscard]] T of(unsigned lane, T x, T y) const {
    return (wants_less_ >> lane & 1U) != 0 ? std::min(x, y) : std::max(x, y);
  }
  template <class T>
  [[nodiscard]] T rectified(T value) const {
    return relu_ && value < T{0} ? T{0} : value;
  }

 private:
  LaneMask wants_less_;
  bool relu_;
};

template <class T>
void minimum(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const Choice choice(warp, op);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    return of_parts<T>([&](unsigned shift) {
      return choice.rectified(choice.of(lane, static_cast<T>(a(lane) >> shift), static_cast<T>(b(lane) >> shift)));
    });
  });
}

/// Also writes two predicates: whether the lower and the upper half are those of `a`.
template <class T>
void minimum_and_whose(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const Choice choice(warp, op);
  LaneMask of_a[2];
  for (unsigned half = 0; half < 2; ++half) {
    of_a[half] = lanes_where([&](unsigned lane) {
      const auto x = static_cast<T>(a(lane) >> 16 * half);
      return choice.of(lane, x, static_cast<T>(b(lane) >> 16 * half)) == x;
    });
  }
  minimum<T>(context, warp, op, mask);
  warp.set_predicate(op.predicate_destinations[0], of_a[0], mask);
  warp.set_predicate(op.predicate_destinations[1], of_a[1], mask);
}

/// VIMNMX3
template <class T>
void minimum_of_three(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const PlainSource c(warp, op.sources[2]);
  const Choice choice(warp, op);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    return of_parts<T>([&](unsigned shift) {
      const T of_two = choice.of(lane, static_cast<T>(a(lane) >> shift), static_cast<T>(b(lane) >> shift));
      return choice.rectified(choice.of(lane, of_two, static_cast<T>(c(lane) >> shift)));
    });
  });
}

/// VIADDMNMX: the smaller or larger of a + b and c. Parts of a word have no signs.
template <class T>
void add_minimum(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const IntegerSource b(warp, op.sources[1]);
  const IntegerSource c(warp, op.sources[2]);
  const Choice choice(warp, op);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    return of_parts<T>([&](unsigned shift) {
      const auto sum = static_cast<T>((a(lane) >> shift) + (b(lane) >> shift));
      return choice.rectified(choice.of(lane, sum, static_cast<T>(c(lane) >> shift)));
    });
  });
}

void lower_imnmx(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.source(1, 2);
  lowering.predicate(0, 3);
  lowering.op().handler = lowering.has(Mod::kSigned) ? minimum<std::int32_t> : minimum<std::uint32_t>;
}

/// The type is a number of kMinMaxTypes.
Handler of_type(std::uint8_t type, std::span<const Handler> handlers) {
  return type < handlers.size() ? handlers[type] : nullptr;
}

void lower_vimnmx(Lowering& lowering) {
  constexpr Handler kPlain[] = {minimum<std::uint32_t>, minimum<std::int32_t>, minimum<std::uint16_t>,
                                minimum<std::int16_t>,  minimum<std::uint8_t>, minimum<std::int8_t>};
  constexpr Handler kWhose[] = {nullptr, nullptr, minimum_and_whose<std::uint16_t>, minimum_and_whose<std::int16_t>};
  lowering.destination(0, 0);
  lowering.predicate_destination(0, 1);
  lowering.predicate_destination(1, 2);
  lowering.source(0, 3);
  lowering.source(1, 4);
  lowering.predicate(0, 5);
  MicroOp& op = lowering.op();
  op.bytes[kReluByte] = lowering.has(Mod::kRelu) ? 1 : 0;
  const bool tells =
      op.predicate_destinations[0] != Warp::kPredicateSink || op.predicate_destinations[1] != Warp::kPredicateSink;
  const std::span<const Handler> handlers = tells ? std::span<const Handler>(kWhose) : kPlain;
  op.handler = of_type(lowering.modifier(Mod::kMinMaxType), handlers);
}

void lower_three(Lowering& lowering) {
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 1 + i);
  }
  lowering.predicate(0, 4);
  lowering.op().bytes[kReluByte] = lowering.has(Mod::kRelu) ? 1 : 0;
}

void lower_vimnmx3(Lowering& lowering) {
  constexpr Handler kHandlers[] = {minimum_of_three<std::uint32_t>, minimum_of_three<std::int32_t>,
                                   minimum_of_three<std::uint16_t>, minimum_of_three<std::int16_t>,
                                   minimum_of_three<std::uint8_t>,  minimum_of_three<std::int8_t>};
  lower_three(lowering);
  lowering.op().handler = of_type(lowering.modifier(Mod::kMinMaxType), kHandlers);
}

void lower_viaddmnmx(Lowering& lowering) {
  constexpr Handler kHandlers[] = {add_minimum<std::uint32_t>, add_minimum<std::int32_t>, add_minimum<std::uint16_t>,
                                   add_minimum<std::int16_t>,  add_minimum<std::uint8_t>, add_minimum<std::int8_t>};
  lower_three(lowering);
  MicroOp& op = lowering.op();
  const bool has_sign = op.sources[1].negated || op.sources[2].negated;
  const std::span<const Handler> handlers(kHandlers, has_sign ? 2 : std::size(kHandlers));
  op.handler = of_type(lowering.modifier(Mod::kMinMaxType), handlers);
}

/// VIADD: whole, or parts of 16 or 8 bits.
template <unsigned kBits>
void add_parts(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const std::uint32_t sign_a = op.sources[0].negated ? ~std::uint32_t{0} : 1;
  const std::uint32_t sign_b = op.sources[1].negated ? ~std::uint32_t{0} : 1;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    if (kBits == 32) {
      return a(lane) * sign_a + b(lane) * sign_b;
    }
    std::uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += kBits) {
      const std::uint32_t sum = (a(lane) >> shift) * sign_a + (b(lane) >> shift) * sign_b;
      result |= (sum & static_cast<std::uint32_t>(sass::low_bits(kBits))) << shift;
    }
    return result;
  });
}

void lower_viadd(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.source(1, 2);
  constexpr Handler kHandlers[] = {add_parts<32>, add_parts<16>, nullptr, nullptr, add_parts<8>};
  const std::uint8_t packed = lowering.modifier(Mod::kPacked);
  lowering.op().handler = packed < std::size(kHandlers) ? kHandlers[packed] : nullptr;
}

void absolute(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const std::uint32_t sign = 0U - (a(lane) >> 31U);
    return (a(lane) ^ sign) - sign;
  });
}

void lower_iabs(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.op().handler = absolute;
}

/// |a - b| + c, of the whole.
template <class T>
void difference(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const PlainSource c(warp, op.sources[2]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const auto x = static_cast<T>(a(lane));
    const auto y = static_cast<T>(b(lane));
    return (x > y ? a(lane) - b(lane) : b(lane) - a(lane)) + c(lane);
  });
}

/// The byte that begins at bit `shift`, with its sign where T has one.
template <class T>
int byte_of(std::uint32_t word, unsigned shift) {
  constexpr unsigned kAboveByte = 24;
  if constexpr (std::is_signed_v<T>) {
    return static_cast<std::int32_t>(word << (kAboveByte - shift)) >> kAboveByte;
  } else {
    return static_cast<int>(word >> shift & 0xffU);
  }
}

/// The differences of four bytes, each in its byte, or with ACC their sum and c.
template <class T>
void difference_of_bytes(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const PlainSource c(warp, op.sources[2]);
  const bool accumulates = op.bytes[kWhichByte] != 0;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    std::uint32_t result = accumulates ? c(lane) : 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const int x = byte_of<T>(a(lane), shift);
      const int y = byte_of<T>(b(lane), shift);
      const auto distance = static_cast<std::uint32_t>(x > y ? x - y : y - x);
      result += accumulates ? distance : (distance & 0xffU) << shift;
    }
    return result;
  });
}

void lower_vabsdiff(Lowering& lowering) {
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 1 + i);
  }
  MicroOp& op = lowering.op();
  const bool is_signed = lowering.has(Mod::kSigned);
  op.bytes[kWhichByte] = lowering.has(Mod::kAccumulate) ? 1 : 0;
  if (lowering.instruction().op == sass::Op::kVabsdiff) {
    op.handler = is_signed ? difference<std::int32_t> : difference<std::uint32_t>;
  } else {
    op.handler = is_signed ? difference_of_bytes<std::int8_t> : difference_of_bytes<std::uint8_t>;
  }
}

/// IDP: products of parts of a, of 8 or 16 bits, with bytes of b, and c. A part with sign is moved up to the sign of
/// the word, and back.
void dot_product(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const PlainSource c(warp, op.sources[2]);
  const bool signed_a = op.bytes[kSignedByte] != 0;
  const bool signed_b = op.bytes[kWhichByte] != 0;
  const unsigned bits_a = op.width;
  const unsigned first_b = op.immediate;
  const auto part = [](std::uint32_t word, unsigned at, unsigned bits, bool is_signed) {
    const std::uint32_t top = word << (32U - at - bits);
    return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> (32U - bits)) : top >> (32U - bits);
  };
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    std::uint32_t sum = c(lane);
    for (unsigned i = 0; i < 32 / bits_a; ++i) {
      sum += part(a(lane), i * bits_a, bits_a, signed_a) * part(b(lane), first_b + 8 * i, 8, signed_b);
    }
    return sum;
  });
}

void lower_idp(Lowering& lowering) {
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 1 + i);
  }
  MicroOp& op = lowering.op();
  const std::uint8_t form = lowering.modifier(Mod::kDotForm);  // 4A, 2A.LO, none, 2A.HI
  op.width = form == 0 ? 8 : 16;
  op.immediate = form == 3 ? 16 : 0;
  op.bytes[kSignedByte] = lowering.modifier(Mod::kDotTypeA) & 1U;
  op.bytes[kWhichByte] = lowering.modifier(Mod::kDotTypeB) & 1U;
  op.handler = form == 2 ? nullptr : dot_product;
}

}  // namespace

std::span<const LowerRow> integer_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kMov, lower_mov},
      {Op::kUmov, lower_mov},
      {Op::kIadd3, lower_iadd3},
      {Op::kUiadd3, lower_iadd3},
      {Op::kUiadd364, lower_iadd3_64},
      {Op::kImad, lower_imad},
      {Op::kUimad, lower_imad},
      {Op::kImadWide, lower_imad_wide},
      {Op::kUimadWide, lower_imad_wide},
      {Op::kImadHi, lower_imad_high},
      {Op::kUimadHi, lower_imad_high},
      {Op::kLea, lower_lea},
      {Op::kUlea, lower_lea},
      {Op::kIsetp, lower_isetp},
      {Op::kUisetp, lower_isetp},
      {Op::kImnmx, lower_imnmx},
      {Op::kVimnmx, lower_vimnmx},
      {Op::kVimnmx3, lower_vimnmx3},
      {Op::kViaddmnmx, lower_viaddmnmx},
      {Op::kViadd, lower_viadd},
      {Op::kIabs, lower_iabs},
      {Op::kVabsdiff, lower_vabsdiff},
      {Op::kVabsdiff4, lower_vabsdiff},
      {Op::kIdp, lower_idp},
  };
  return kRows;
}

}  // namespace gpusim::exec::GPUSIM_LANES
