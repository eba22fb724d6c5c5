// SPDX-License-Identifier: MIT
#include "sim/exec/alike/warp_slopes.h"

#include <algorithm>
#include <bit>

#include "sim/code/flow/registers.h"
#include "sim/exec/alike/region.h"
#include "sim/exec/core/image.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/rows.h"
#include "sim/exec/ops/special_numbers.h"
#include "sim/exec/ops/truth_table.h"

namespace gpusim::exec {
namespace {

using sass::Mod;
using sass::Op;

constexpr std::int64_t kWords = std::int64_t{1} << 32U;
constexpr std::int64_t kHalf = std::int64_t{1} << 31U;
constexpr LaneSlopes kNoSlopes{};

std::vector<std::uint32_t> rows_in(const flow::RegisterSet& set, const RowLayout& layout) {
  std::vector<std::uint32_t> rows;
  for (std::size_t place = 0; place < flow::kFirstPredicatePlace; ++place) {
    if (set[place]) {
      const auto index = static_cast<unsigned>(place);
      const std::uint32_t words = place < flow::kFirstUniformPlace
                                      ? RowLayout::general(index)
                                      : layout.uniform(index - unsigned{flow::kFirstUniformPlace});
      rows.push_back(words / kRow);
    }
  }
  return rows;
}

/// The word as a number with sign, or without.
std::int64_t number(std::uint32_t word, bool is_signed) {
  return is_signed ? std::int64_t{static_cast<std::int32_t>(word)} : std::int64_t{word};
}

bool reads_other_lanes(Op op) {
  return op == Op::kShfl || op == Op::kVote || op == Op::kVoteu || op == Op::kMatch || op == Op::kRedux;
}

/// Trailing zeros that all parts have in common.
unsigned common_zeros(const Slope& slope) {
  return static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(slope.x | slope.y | slope.z)));
}

}  // namespace

RowsOfCode::RowsOfCode(const Image& image) {
  for (const sass::Instruction& instruction : image.instructions) {
    of.push_back({rows_in(flow::sources_of(instruction), image.layout),
                  rows_in(flow::destinations_of(instruction), image.layout)});
    const std::uint32_t rows = image.layout.rows();
    std::erase_if(of.back().sources, [rows](std::uint32_t row) { return row >= rows; });
    std::erase_if(of.back().destinations, [rows](std::uint32_t row) { return row >= rows; });
  }
}

WarpSlopes::WarpSlopes(const Image& image, const RowsOfCode& rows, Region& region)
    : image_(image), rows_(rows), region_(region), slopes_(image.layout.rows()), moves_(image.layout.rows()) {}

WarpSlopes::Follow WarpSlopes::rule_of(Op op) {
  switch (op) {
    case Op::kMov:
    case Op::kUmov: return &WarpSlopes::copy;
    case Op::kR2ur: return &WarpSlopes::to_uniform;
    case Op::kS2r:
    case Op::kS2ur: return &WarpSlopes::place_in_grid;
    case Op::kIadd3:
    case Op::kUiadd3:
    case Op::kViadd: return &WarpSlopes::add;
    case Op::kImad:
    case Op::kUimad: return &WarpSlopes::multiply;
    case Op::kImadWide:
    case Op::kUimadWide: return &WarpSlopes::multiply_wide;
    case Op::kLea:
    case Op::kUlea: return &WarpSlopes::shift_add;
    case Op::kShf:
    case Op::kUshf: return &WarpSlopes::shift;
    case Op::kLop3:
    case Op::kUlop3: return &WarpSlopes::logic;
    case Op::kImnmx:
    case Op::kVimnmx: return &WarpSlopes::minimum;
    case Op::kViaddmnmx: return &WarpSlopes::minimum_of_sum;
    case Op::kSel:
    case Op::kUsel: return &WarpSlopes::select;
    case Op::kIsetp:
    case Op::kUisetp: return &WarpSlopes::compare;
    default: return &WarpSlopes::fix_sources;
  }
}

void WarpSlopes::before(const Warp& warp, std::uint32_t pc, LaneMask mask) {
  pc_ = pc;
  mask_ = mask;
  may_change_ = false;
  const sass::Instruction& instruction = image_.instructions[pc];
  const bool reads_place = instruction.op == Op::kS2r || instruction.op == Op::kS2ur;
  const auto moves = [this](std::uint32_t row) { return moves_[row] != 0; };
  if (flow::role_of(instruction.op) == flow::Role::kAccess) {
    return;  // its addresses have slopes, and what it loads means nothing
  }
  if (reads_place || std::ranges::any_of(rows_.of[pc].sources, moves)) {
    result_ = kNoSlopes;
    (this->*rule_of(instruction.op))(warp, pc);
  }
}

/// A result that nobody reads is bounded, too: carries are predicates of their own.
void WarpSlopes::after(const Warp& warp) {
  if (mask_ == 0) {
    return;
  }
  forget_destinations();
  if (!may_change_) {
    return;
  }
  const std::uint32_t row = image_.code[pc_].destinations[0] / kRow;
  const std::uint32_t* const words = warp.row(Source{.offset = row * kRow});
  for_each_lane(mask_, [&](unsigned lane) { keep_word(words[lane], result_[lane]); });
  if (row >= RowLayout::kFirstRegister) {
    for_each_lane(mask_, [&](unsigned lane) { slopes_[row][lane] = result_[lane]; });
    moves_[row] = 1;
  }
}

/// What writes a uniform register writes it for all lanes, whichever are active.
void WarpSlopes::forget_destinations() {
  const std::uint32_t first_uniform = image_.layout.uniform(0) / kRow;
  for (const std::uint32_t row : rows_.of[pc_].destinations) {
    if (moves_[row] != 0) {
      for_each_lane(row >= first_uniform ? kAllLanes : mask_, [&](unsigned lane) { slopes_[row][lane] = {}; });
      moves_[row] = std::ranges::any_of(slopes_[row], [](const Slope& slope) { return !slope.is_zero(); }) ? 1 : 0;
    }
  }
}

const LaneSlopes& WarpSlopes::slopes_of(const Source& source) const {
  return source.pooled ? kNoSlopes : slopes_[source.offset / kRow];
}

Slope WarpSlopes::slope(const Source& source, unsigned lane) const {
  return slopes_of(source)[lane];
}

Slope WarpSlopes::signed_slope(const Source& source, unsigned lane) const {
  return slope(source, lane) * (source.negated || source.inverted ? -1 : 1);
}

void WarpSlopes::fix(const Source& source, unsigned lane) {
  region_.fix(slope(source, lane));
}

void WarpSlopes::keep_sign(std::uint32_t word, const Slope& slope) {
  const std::int64_t value = word;
  region_.require(slope, value < kHalf ? -value : kHalf - value, (value < kHalf ? kHalf : kWords) - 1 - value);
}

void WarpSlopes::keep_word(std::uint32_t word, const Slope& slope) {
  const std::int64_t value = word;
  region_.require(slope, -value, kWords - 1 - value);
}

void WarpSlopes::set_result(unsigned lane, const Slope& slope) {
  if (!slope.is_usable()) {
    fix_sources_of_lane(lane);
    return;
  }
  result_[lane] = slope;
  may_change_ = may_change_ || !slope.is_zero();
}

void WarpSlopes::fix_sources_of_lane(unsigned lane) {
  for (const std::uint32_t row : rows_.of[pc_].sources) {
    region_.fix(slopes_[row][lane]);
  }
}

void WarpSlopes::fix_sources(const Warp& /*warp*/, std::uint32_t pc) {
  const LaneMask lanes = reads_other_lanes(image_.instructions[pc].op) ? kAllLanes : mask_;
  for_each_lane(lanes, [this](unsigned lane) { fix_sources_of_lane(lane); });
}

void WarpSlopes::copy(const Warp& /*warp*/, std::uint32_t pc) {
  const LaneSlopes& from = slopes_of(image_.code[pc].sources[0]);
  for_each_lane(mask_, [&](unsigned lane) { set_result(lane, from[lane]); });
}

/// The value of the lowest lane. Where lanes differ, the predicate says so: all have to grow alike.
void WarpSlopes::to_uniform(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  constexpr std::size_t kJoinsByte = 0;
  if (op.bytes[kJoinsByte] != 0 || mask_ == 0) {
    return fix_sources(warp, pc);
  }
  const LaneSlopes& from = slopes_of(op.sources[0]);
  const Slope& first = from[lowest_lane(mask_)];
  for_each_lane(mask_, [&](unsigned lane) { region_.fix(from[lane] - first); });
  mask_ = kAllLanes;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    set_result(lane, first);
  }
}

void WarpSlopes::place_in_grid(const Warp& /*warp*/, std::uint32_t pc) {
  const std::uint32_t special = image_.code[pc].immediate;
  const Slope grows{special == kCtaX ? 1 : 0, special == kCtaY ? 1 : 0, special == kCtaZ ? 1 : 0};
  for_each_lane(mask_, [&](unsigned lane) { set_result(lane, grows); });
}

/// As the sum neither wraps round once more nor once less, its carries stay what they are.
void WarpSlopes::add(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  if (image_.instructions[pc].has(Mod::kPacked)) {
    return fix_sources(warp, pc);
  }
  for_each_lane(mask_, [&](unsigned lane) {
    set_result(lane, signed_slope(op.sources[0], lane) + signed_slope(op.sources[1], lane) +
                         signed_slope(op.sources[2], lane));
  });
}

/// One factor may grow, and the other one is fixed then.
std::pair<Slope, Slope> WarpSlopes::factors(const MicroOp& op, unsigned lane) {
  const Slope a = slope(op.sources[0], lane);
  const Slope b = slope(op.sources[1], lane);
  if (a.is_zero() || b.is_zero()) {
    return {a, b};
  }
  region_.fix(b);
  return {a, Slope()};
}

void WarpSlopes::multiply(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  if (image_.instructions[pc].has(Mod::kExtended)) {
    return fix_sources(warp, pc);
  }
  const std::int64_t sign = op.sources[0].negated != op.sources[1].negated ? -1 : 1;
  for_each_lane(mask_, [&](unsigned lane) {
    const auto [a, b] = factors(op, lane);
    const Slope product =
        a * number(warp.row(op.sources[1])[lane], true) + b * number(warp.row(op.sources[0])[lane], true);
    set_result(lane, product * sign + signed_slope(op.sources[2], lane));
  });
}

/// The upper half stays as it is, since the lower one does not wrap round.
void WarpSlopes::multiply_wide(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  const bool is_plain = !op.sources[0].negated && !op.sources[1].negated && !op.sources[2].negated &&
                        !op.sources[2].inverted && op.predicate_destinations[0] == Warp::kPredicateSink;
  if (!is_plain) {
    return fix_sources(warp, pc);
  }
  const bool is_signed = image_.instructions[pc].has(Mod::kSigned);
  const std::uint32_t* const words_a = warp.row(op.sources[0]);
  const std::uint32_t* const words_b = warp.row(op.sources[1]);
  Source upper = op.sources[2];
  upper.offset += kRow;
  for_each_lane(mask_, [&](unsigned lane) {
    const auto [a, b] = factors(op, lane);
    if (is_signed) {
      keep_sign(words_a[lane], a);
      keep_sign(words_b[lane], b);
    }
    fix(upper, lane);
    set_result(
        lane, a * number(words_b[lane], is_signed) + b * number(words_a[lane], is_signed) + slope(op.sources[2], lane));
  });
}

/// LEA. What is shifted out of the word stays as it is, since what is left does not wrap round.
void WarpSlopes::shift_add(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  const sass::Instruction& instruction = image_.instructions[pc];
  const unsigned by = op.immediate;
  if (by >= 32) {
    return fix_sources(warp, pc);
  }
  const bool high = instruction.has(Mod::kHigh);
  const std::uint32_t* const words = warp.row(op.sources[0]);
  for_each_lane(mask_, [&](unsigned lane) {
    const Slope a = slope(op.sources[0], lane);
    const Slope shifted = a * (std::int64_t{1} << by);
    if (!shifted.is_usable()) {
      return fix_sources_of_lane(lane);
    }
    keep_word(words[lane] << by, shifted);
    if (high && instruction.has(Mod::kSignExtend)) {
      keep_sign(words[lane], a);
    }
    fix(op.sources[2], lane);
    const bool flips = op.sources[0].negated || op.sources[0].inverted;
    const Slope own = high ? Slope{} : shifted * (flips ? -1 : 1);
    set_result(lane, own + signed_slope(op.sources[1], lane));
  });
}

void WarpSlopes::shift(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  const sass::Instruction& instruction = image_.instructions[pc];
  const auto type = static_cast<sass::ShiftType>(instruction.modifier(Mod::kShiftType));
  const bool narrow = type == sass::ShiftType::kS32 || type == sass::ShiftType::kU32;
  const bool right = instruction.has(Mod::kRight);
  const bool high = instruction.has(Mod::kHigh);
  if (instruction.has(Mod::kWrap) || (narrow && right != high) || (!narrow && right)) {
    return fix_sources(warp, pc);
  }
  if (right) {
    return shift_right(warp, op, type == sass::ShiftType::kS32);
  }
  const std::uint32_t* const words = warp.row(op.sources[0]);
  const std::uint32_t* const by = warp.row(op.sources[1]);
  for_each_lane(mask_, [&](unsigned lane) {
    const Slope shifted = slope(op.sources[0], lane) * (std::int64_t{1} << (by[lane] & 31U));
    fix(op.sources[1], lane);
    fix(op.sources[2], lane);
    if (by[lane] >= 32 || !shifted.is_usable()) {
      return fix_sources_of_lane(lane);
    }
    keep_word(words[lane] << by[lane], shifted);
    set_result(lane, high ? Slope{} : shifted);
  });
}

/// The number grows by a multiple of what is shifted out, or the result stays as it is.
void WarpSlopes::shift_right(const Warp& warp, const MicroOp& op, bool is_signed) {
  const std::uint32_t* const by = warp.row(op.sources[1]);
  const std::uint32_t* const words = warp.row(op.sources[2]);
  for_each_lane(mask_, [&](unsigned lane) {
    fix(op.sources[1], lane);
    const Slope grows = slope(op.sources[2], lane);
    const unsigned bits = std::min(by[lane], 31U);
    if (is_signed) {
      keep_sign(words[lane], grows);
    } else if (by[lane] >= 32) {
      return fix_sources_of_lane(lane);
    }
    if (!grows.is_zero() && common_zeros(grows) >= bits) {
      set_result(lane, {grows.x >> bits, grows.y >> bits, grows.z >> bits});
      return;
    }
    const std::int64_t value = number(words[lane], is_signed);
    const std::int64_t first = (value >> bits) * (std::int64_t{1} << bits);
    region_.require(grows, first - value, first + (std::int64_t{1} << bits) - 1 - value);
  });
}

void WarpSlopes::logic(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  if (op.predicate_destinations[0] != Warp::kPredicateSink) {
    return fix_sources(warp, pc);
  }
  for_each_lane(mask_, [&](unsigned lane) { logic_of_lane(warp, op, lane); });
}

/// A slope that is a multiple of 2^n leaves the n lowest bits as they are. The bits above pass, or have no part in the
/// result.
void WarpSlopes::logic_of_lane(const Warp& warp, const MicroOp& op, unsigned lane) {
  std::array<std::uint32_t, 3> words{};
  std::size_t growing = words.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = warp.row(op.sources[i])[lane];
    if (!slope(op.sources[i], lane).is_zero()) {
      if (growing != words.size()) {
        return fix_sources_of_lane(lane);
      }
      growing = i;
    }
  }
  if (growing == words.size()) {
    return;
  }
  const Slope grows = slope(op.sources[growing], lane);
  const auto with = [&](std::uint32_t word) {
    std::array<std::uint32_t, 3> all = words;
    all[growing] = word;
    return by_table(op.immediate, all[0], all[1], all[2]);
  };
  const std::uint32_t of_zeros = with(0);
  const std::uint32_t of_ones = with(~std::uint32_t{0});
  const std::uint32_t above = ~std::uint32_t{0} << std::min(common_zeros(grows), 31U);
  if ((~of_zeros & of_ones & above) == above) {
    set_result(lane, grows);
  } else if ((of_zeros & ~of_ones & above) == above) {
    set_result(lane, grows * -1);
  } else if (((of_zeros ^ of_ones) & above) != 0) {
    fix_sources_of_lane(lane);
  }
}

void WarpSlopes::select(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  const LaneMask first = warp.lanes_of(op.predicates[0]);
  for_each_lane(mask_,
                [&](unsigned lane) { set_result(lane, slope(op.sources[(first >> lane & 1U) != 0 ? 0 : 1], lane)); });
}

void WarpSlopes::keep_outcome(sass::IntCompare which, std::int64_t difference, const Slope& slope) {
  using sass::IntCompare;
  constexpr std::int64_t kFar = std::int64_t{1} << 61U;
  if (which == IntCompare::kTrue || which == IntCompare::kFalse) {
    return;
  }
  const bool equal_is_less = which == IntCompare::kLessEqual || which == IntCompare::kGreater;
  const bool equal_is_greater = which == IntCompare::kLess || which == IntCompare::kGreaterEqual;
  std::int64_t low = -kFar;
  std::int64_t high = kFar;
  if (difference > 0 || (difference == 0 && equal_is_greater)) {
    low = equal_is_greater ? 0 : 1;
  } else if (difference < 0 || equal_is_less) {
    high = equal_is_less ? 0 : -1;
  } else {
    low = 0;
    high = 0;
  }
  region_.require(slope, low - difference, high - difference);
}

void WarpSlopes::minimum(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  const sass::Instruction& instruction = image_.instructions[pc];
  const std::uint8_t type =
      instruction.op == Op::kImnmx ? instruction.modifier(Mod::kSigned) : instruction.modifier(Mod::kMinMaxType);
  if (type > 1 || instruction.has(Mod::kRelu)) {
    return fix_sources(warp, pc);
  }
  const std::uint32_t* const words_a = warp.row(op.sources[0]);
  const std::uint32_t* const words_b = warp.row(op.sources[1]);
  for_each_lane(mask_, [&](unsigned lane) {
    choose_less(warp, op, lane, {words_a[lane], slope(op.sources[0], lane)},
                {words_b[lane], slope(op.sources[1], lane)}, type != 0);
  });
}

/// VIADDMNMX: of a + b and c.
void WarpSlopes::minimum_of_sum(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  const sass::Instruction& instruction = image_.instructions[pc];
  const std::uint8_t type = instruction.modifier(Mod::kMinMaxType);
  const bool is_plain = !op.sources[1].negated && !op.sources[2].negated;
  if (type > 1 || instruction.has(Mod::kRelu) || !is_plain) {
    return fix_sources(warp, pc);
  }
  const std::uint32_t* const words_a = warp.row(op.sources[0]);
  const std::uint32_t* const words_b = warp.row(op.sources[1]);
  const std::uint32_t* const words_c = warp.row(op.sources[2]);
  for_each_lane(mask_, [&](unsigned lane) {
    const Growing sum{words_a[lane] + words_b[lane], slope(op.sources[0], lane) + slope(op.sources[1], lane)};
    keep_word(sum.word, sum.slope);
    choose_less(warp, op, lane, sum, {words_c[lane], slope(op.sources[2], lane)}, type != 0);
  });
}

/// The result is a or b, as long as which of them is less does not turn.
void WarpSlopes::choose_less(const Warp& warp, const MicroOp& op, unsigned lane, const Growing& a, const Growing& b,
                             bool is_signed) {
  if (is_signed) {
    keep_sign(a.word, a.slope);
    keep_sign(b.word, b.slope);
  }
  const std::int64_t difference = number(a.word, is_signed) - number(b.word, is_signed);
  keep_outcome(sass::IntCompare::kLess, difference, a.slope - b.slope);
  const LaneMask is_less = difference < 0 ? LaneMask{1} << lane : 0;
  const bool takes_b = ((is_less ^ warp.lanes_of(op.predicates[0])) >> lane & 1U) != 0;
  set_result(lane, takes_b ? b.slope : a.slope);
}

/// The comparison has the same outcome as long as the difference stays on its side of zero.
void WarpSlopes::compare(const Warp& warp, std::uint32_t pc) {
  const MicroOp& op = image_.code[pc];
  const sass::Instruction& instruction = image_.instructions[pc];
  if (instruction.has(Mod::kUsesLower)) {
    return fix_sources(warp, pc);
  }
  const bool is_signed = instruction.has(Mod::kSigned);
  const auto which = static_cast<sass::IntCompare>(instruction.modifier(Mod::kIntCompare));
  const std::uint32_t* const words_a = warp.row(op.sources[0]);
  const std::uint32_t* const words_b = warp.row(op.sources[1]);
  for_each_lane(mask_, [&](unsigned lane) {
    const Slope a = slope(op.sources[0], lane);
    const Slope b = slope(op.sources[1], lane);
    if (is_signed) {
      keep_sign(words_a[lane], a);
      keep_sign(words_b[lane], b);
    }
    const std::int64_t difference = number(words_a[lane], is_signed) - number(words_b[lane], is_signed);
    keep_outcome(which, difference, a - b);
  });
}

Slope WarpSlopes::address_slope(const AddressSources& from, LaneMask mask) {
  const auto upper = [](Source source) {
    source.offset += kRow;
    return source;
  };
  const unsigned lead = lowest_lane(mask);
  const Slope uniform = slope(from.uniform, lead);
  if (from.uniform_is_wide) {
    fix(upper(from.uniform), lead);
  }
  const Slope first = slope(from.base, lead);
  for_each_lane(mask, [&](unsigned lane) {
    region_.fix(slope(from.base, lane) - first);
    if (from.base_is_wide) {
      fix(upper(from.base), lane);
    }
  });
  const Slope all = first * from.scale + uniform;
  if (all.is_usable() && all.is_multiple_of(from.unit)) {
    return all;
  }
  region_.fix(first);
  region_.fix(uniform);
  return {};
}

}  // namespace gpusim::exec
