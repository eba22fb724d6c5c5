// SPDX-License-Identifier: MIT
// Bits: logic by truth table, shifts, choices, permutations, counts. Those of the uniform datapath are the same on rows
// whose lanes are equal.
#include <algorithm>
#include <array>
#include <bit>

#include "sim/exec/lanes/lanes.h"
#include "sim/exec/lanes/rows.h"
#include "sim/exec/ops/truth_table.h"

namespace gpusim::exec::GPUSIM_LANES {
namespace {

using sass::Mod;

/// A table that is known when this is compiled: what compilers make of it is one or two operations.
template <std::uint32_t kTable>
void logic_fixed(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const PlainSource c(warp, op.sources[2]);
  write_lanes(warp.row(op.destinations[0]), mask,
              [&](unsigned lane) { return by_table(kTable, a(lane), b(lane), c(lane)); });
}

constexpr std::size_t kAndByte = 0;

/// Any table, with the predicate: whether a bit of the result is set, joined with another predicate.
void logic(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const PlainSource c(warp, op.sources[2]);
  std::uint32_t results[kWarpLanes];
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    results[lane] = by_table(op.immediate, a(lane), b(lane), c(lane));
  }
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) { return results[lane]; });
  if (op.predicate_destinations[0] != Warp::kPredicateSink) {
    const LaneMask set = lanes_where([&](unsigned lane) { return results[lane] != 0; });
    const LaneMask with = warp.lanes_of(op.predicates[0]);
    warp.set_predicate(op.predicate_destinations[0], op.bytes[kAndByte] != 0 ? set & with : set | with, mask);
  }
}

/// The tables that compilers use most: and, or, xor, and-or, or-and of three, and their like.
Handler logic_for(std::uint32_t table) {
  switch (table) {
    case 0xc0: return logic_fixed<0xc0>;
    case 0xfc: return logic_fixed<0xfc>;
    case 0x3c: return logic_fixed<0x3c>;
    case 0xf8: return logic_fixed<0xf8>;
    case 0x96: return logic_fixed<0x96>;
    case 0xfe: return logic_fixed<0xfe>;
    case 0x80: return logic_fixed<0x80>;
    case 0xca: return logic_fixed<0xca>;
    case 0x33: return logic_fixed<0x33>;
    case 0x30: return logic_fixed<0x30>;
    default: return logic;
  }
}

void lower_lop3(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.destination(0, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 2 + i);
  }
  lowering.predicate(0, 6);
  MicroOp& op = lowering.op();
  op.immediate = static_cast<std::uint32_t>(lowering.operand(5).value);
  op.bytes[kAndByte] = lowering.has(Mod::kAndPredicate) ? 1 : 0;
  op.handler = op.predicate_destinations[0] == Warp::kPredicateSink ? logic_for(op.immediate) : logic;
}

void shift_left(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource low(warp, op.sources[0]);
  const PlainSource shift(warp, op.sources[1]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const std::uint32_t by = shift(lane);
    return by < 32 ? low(lane) << (by & 31U) : 0;
  });
}

void shift_right(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource shift(warp, op.sources[1]);
  const PlainSource high(warp, op.sources[2]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const std::uint32_t by = shift(lane);
    return by < 32 ? high(lane) >> (by & 31U) : 0;
  });
}

void shift_right_signed(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource shift(warp, op.sources[1]);
  const PlainSource high(warp, op.sources[2]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    return static_cast<std::uint32_t>(high.as_signed(lane) >> std::min(shift(lane), 31U));
  });
}

constexpr std::size_t kTypeByte = 0;
constexpr std::size_t kRightByte = 1;
constexpr std::size_t kWrapByte = 2;
constexpr std::size_t kHighByte = 3;

/// SHF in general: two registers as 64 bits, shifted, of which one half is the result.
void shift_funnel(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource low(warp, op.sources[0]);
  const PlainSource shift(warp, op.sources[1]);
  const PlainSource high(warp, op.sources[2]);
  const auto type = static_cast<sass::ShiftType>(op.bytes[kTypeByte]);
  const bool right = op.bytes[kRightByte] != 0;
  const bool wraps = op.bytes[kWrapByte] != 0;
  const bool is_signed = type == sass::ShiftType::kS64 || type == sass::ShiftType::kS32;
  const unsigned most = type == sass::ShiftType::kS64 || type == sass::ShiftType::kU64 ? 64 : 32;
  const unsigned half = op.bytes[kHighByte] != 0 ? 32 : 0;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const unsigned by = wraps ? shift(lane) & (most - 1) : std::min(shift(lane), most);
    const std::uint64_t pair = low(lane) | std::uint64_t{high(lane)} << 32U;
    const std::uint64_t sign = is_signed ? 0 - (pair >> 63U) : 0;
    std::uint64_t result = 0;
    if (by >= 64) {
      result = right ? sign : 0;
    } else if (right) {
      result = is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(pair) >> by) : pair >> by;
    } else {
      result = pair << by;
    }
    return static_cast<std::uint32_t>(result >> half);
  });
}

void lower_shf(Lowering& lowering) {
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 1 + i);
  }
  MicroOp& op = lowering.op();
  const auto type = static_cast<sass::ShiftType>(lowering.modifier(Mod::kShiftType));
  const bool right = lowering.has(Mod::kRight);
  const bool high = lowering.has(Mod::kHigh);
  const bool narrow = type == sass::ShiftType::kS32 || type == sass::ShiftType::kU32;
  op.bytes[kTypeByte] = lowering.modifier(Mod::kShiftType);
  op.bytes[kRightByte] = right ? 1 : 0;
  op.bytes[kWrapByte] = lowering.has(Mod::kWrap) ? 1 : 0;
  op.bytes[kHighByte] = high ? 1 : 0;
  op.handler = shift_funnel;
  if (narrow && !lowering.has(Mod::kWrap) && right == high) {
    op.handler = !right ? shift_left : type == sass::ShiftType::kS32 ? shift_right_signed : shift_right;
  }
}

void select(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[1]);
  const LaneMask first = warp.lanes_of(op.predicates[0]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const std::uint32_t chosen = ones_if(first, lane);
    return (a(lane) & chosen) | (b(lane) & ~chosen);
  });
}

void lower_sel(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.source(1, 2);
  lowering.predicate(0, 3);
  lowering.op().handler = select;
}

/// Byte `index` of b:a; where bit 3 of the index is set, its sign.
std::uint32_t permuted_byte(std::uint64_t pair, unsigned index) {
  const std::uint32_t byte = static_cast<std::uint32_t>(pair >> (8 * (index & 7U))) & 0xffU;
  return (index & 8U) == 0 ? byte : (byte & 0x80U) != 0 ? 0xffU : 0;
}

/// What PRMT's selector stands for in each mode but the plain one (PTX: prmt), as four nibbles.
unsigned permutation(unsigned mode, unsigned selector) {
  constexpr std::array<std::array<std::uint16_t, 4>, 7> kModes = {{
      {},
      {0x3210, 0x4321, 0x5432, 0x6543},  // F4E
      {0x5670, 0x6701, 0x7012, 0x0123},  // B4E
      {0x0000, 0x1111, 0x2222, 0x3333},  // RC8
      {0x3210, 0x3211, 0x3222, 0x3333},  // ECL
      {0x0000, 0x1110, 0x2210, 0x3210},  // ECR
      {0x1010, 0x3232, 0x1010, 0x3232},  // RC16
  }};
  return kModes[mode][selector & 3U];
}

void permute(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource selector(warp, op.sources[1]);
  const PlainSource b(warp, op.sources[2]);
  const unsigned mode = op.bytes[0];
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const std::uint64_t pair = a(lane) | std::uint64_t{b(lane)} << 32U;
    const unsigned indices = mode == 0 ? selector(lane) : permutation(mode, selector(lane));
    return permuted_byte(pair, indices & 15U) | permuted_byte(pair, indices >> 4U & 15U) << 8U |
           permuted_byte(pair, indices >> 8U & 15U) << 16U | permuted_byte(pair, indices >> 12U & 15U) << 24U;
  });
}

/// With the same selector for all lanes, which takes no signs.
void permute_fixed(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource b(warp, op.sources[2]);
  const std::uint32_t indices = op.immediate;
  const auto byte = [&](unsigned lane, unsigned at) {
    const unsigned index = indices >> (4 * at) & 7U;
    const std::uint32_t word = index < 4 ? a(lane) : b(lane);
    return (word >> (8 * (index & 3U)) & 0xffU) << (8 * at);
  };
  write_lanes(warp.row(op.destinations[0]), mask,
              [&](unsigned lane) { return byte(lane, 0) | byte(lane, 1) | byte(lane, 2) | byte(lane, 3); });
}

void lower_prmt(Lowering& lowering) {
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.source(i, 1 + i);
  }
  MicroOp& op = lowering.op();
  op.bytes[0] = lowering.modifier(Mod::kPermute);
  const sass::Operand& selector = lowering.operand(2);
  op.immediate = static_cast<std::uint32_t>(selector.value);
  const bool fixed =
      selector.kind == sass::OperandKind::kImmediate && op.bytes[0] == 0 && (op.immediate & 0x8888U) == 0;
  constexpr std::uint8_t kLastMode = 6;
  op.handler = fixed ? permute_fixed : op.bytes[0] <= kLastMode ? permute : nullptr;
}

/// SGXT: the lower bits of a, as many as b says, with their sign or without.
void sign_extend(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  const PlainSource width(warp, op.sources[1]);
  const bool is_signed = op.bytes[0] != 0;
  const bool wraps = op.bytes[1] != 0;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const unsigned bits = wraps ? width(lane) & 31U : std::min(width(lane), 32U);
    if (bits == 0) {
      return std::uint32_t{0};
    }
    const std::uint32_t top = a(lane) << (32U - bits);
    return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> (32U - bits)) : top >> (32U - bits);
  });
}

void lower_sgxt(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.source(1, 2);
  lowering.op().bytes[0] = lowering.has(Mod::kSigned) ? 1 : 0;
  lowering.op().bytes[1] = lowering.has(Mod::kWrap) ? 1 : 0;
  lowering.op().handler = sign_extend;
}

/// BMSK: as many ones as b says, from bit a on.
void bit_mask(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource position(warp, op.sources[0]);
  const PlainSource width(warp, op.sources[1]);
  const bool wraps = op.bytes[1] != 0;
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const unsigned at = wraps ? position(lane) & 31U : std::min(position(lane), 32U);
    const unsigned bits = wraps ? width(lane) & 31U : std::min(width(lane), 32U);
    const std::uint64_t ones = (std::uint64_t{1} << bits) - 1;
    return static_cast<std::uint32_t>(ones << at);
  });
}

void lower_bmsk(Lowering& lowering) {
  lower_sgxt(lowering);
  lowering.op().handler = bit_mask;
}

std::uint32_t reversed(std::uint32_t word) {
  word = (word >> 1U & 0x55555555U) | (word & 0x55555555U) << 1U;
  word = (word >> 2U & 0x33333333U) | (word & 0x33333333U) << 2U;
  word = (word >> 4U & 0x0f0f0f0fU) | (word & 0x0f0f0f0fU) << 4U;
  word = (word >> 8U & 0x00ff00ffU) | (word & 0x00ff00ffU) << 8U;
  return word >> 16U | word << 16U;
}

void reverse_bits(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const PlainSource a(warp, op.sources[0]);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) { return reversed(a(lane)); });
}

void lower_brev(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.op().handler = reverse_bits;
}

void count_bits(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const IntegerSource a(warp, op.sources[0]);
  write_lanes(warp.row(op.destinations[0]), mask,
              [&](unsigned lane) { return static_cast<std::uint32_t>(std::popcount(a(lane))); });
}

void lower_popc(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.op().handler = count_bits;
}

/// FLO: the highest bit that is set, or that differs from the sign; all ones where there is none.
void find_leading(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const IntegerSource a(warp, op.sources[0]);
  const bool is_signed = op.bytes[0] != 0;
  const bool as_shift = op.bytes[1] != 0;
  const auto searched = [&](unsigned lane) {
    const std::uint32_t word = a(lane);
    return is_signed ? word ^ (0U - (word >> 31U)) : word;
  };
  warp.set_predicate(op.predicate_destinations[0], lanes_where([&](unsigned lane) { return searched(lane) != 0; }),
                     mask);
  write_lanes(warp.row(op.destinations[0]), mask, [&](unsigned lane) {
    const std::uint32_t word = searched(lane);
    const auto above = static_cast<std::uint32_t>(std::countl_zero(word));
    return word == 0 ? ~std::uint32_t{0} : as_shift ? above : 31U - above;
  });
}

void lower_flo(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.predicate_destination(0, 1);
  lowering.source(0, 2);
  lowering.op().bytes[0] = lowering.has(Mod::kSigned) ? 1 : 0;
  lowering.op().bytes[1] = lowering.has(Mod::kShiftAmount) ? 1 : 0;
  lowering.op().handler = find_leading;
}

/// PLOP3: two functions of the same three predicates.
void predicate_logic(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const LaneMask a = warp.lanes_of(op.predicates[0]);
  const LaneMask b = warp.lanes_of(op.predicates[1]);
  const LaneMask c = warp.lanes_of(op.predicates[2]);
  warp.set_predicate(op.predicate_destinations[0], by_table(op.bytes[0], a, b, c), mask);
  warp.set_predicate(op.predicate_destinations[1], by_table(op.bytes[1], a, b, c), mask);
}

void lower_plop3(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.predicate_destination(1, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    lowering.predicate(i, 2 + i);
  }
  lowering.op().bytes[0] = static_cast<std::uint8_t>(lowering.operand(5).value);
  lowering.op().bytes[1] = static_cast<std::uint8_t>(lowering.operand(6).value);
  lowering.op().handler = predicate_logic;
}

}  // namespace

std::span<const LowerRow> logic_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kLop3, lower_lop3}, {Op::kUlop3, lower_lop3}, {Op::kShf, lower_shf},     {Op::kUshf, lower_shf},
      {Op::kSel, lower_sel},   {Op::kUsel, lower_sel},   {Op::kPrmt, lower_prmt},   {Op::kUprmt, lower_prmt},
      {Op::kSgxt, lower_sgxt}, {Op::kUsgxt, lower_sgxt}, {Op::kBmsk, lower_bmsk},   {Op::kUbmsk, lower_bmsk},
      {Op::kBrev, lower_brev}, {Op::kUbrev, lower_brev}, {Op::kPopc, lower_popc},   {Op::kUpopc, lower_popc},
      {Op::kFlo, lower_flo},   {Op::kUflo, lower_flo},   {Op::kPlop3, lower_plop3}, {Op::kUplop3, lower_plop3},
  };
  return kRows;
}

}  // namespace gpusim::exec::GPUSIM_LANES
