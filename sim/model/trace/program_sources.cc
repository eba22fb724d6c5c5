// SPDX-License-Identifier: MIT
#include "sim/model/trace/program_sources.h"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace gpusim::trace {
namespace {

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// Where values for each lane are worked out and read at once. One per thread and not one per cursor: those of all
/// warps would not stay in the host's cache.
LaneValues& scratch() {
  // A thread's own variable with a destructor would end the program where memory is out.
  static_assert(std::is_trivially_destructible_v<LaneValues>);
  thread_local LaneValues values;
  return values;
}

/// Lanes of a warp that are threads of the CTA.
LaneMask lanes_of(const Program& program, std::uint32_t warp) {
  const std::uint32_t threads = program.threads - warp * kWarpLanes;
  return threads >= kWarpLanes ? kAllLanes : (LaneMask{1} << threads) - 1;
}

}  // namespace

ProgramSources::ProgramSources(const Program& program, CtaId cta, std::uint32_t warp, PollAnswers answers,
                               std::uint64_t most_walked)
    : most_walked_(most_walked),
      program_(&program),
      cta_(cta),
      warp_(warp),
      waits_for_machine_(answers == PollAnswers::kOfMachine),
      active_(lanes_of(program, warp)),
      live_(active_) {
  if (program.levels > kInlineLevels) {
    deep_ = std::make_unique<std::int64_t[]>(kVarLoops + std::size_t{2} * program.levels);
  }
  std::int64_t* values = variables();
  values[kVarCtaX] = cta.x;
  values[kVarCtaY] = cta.y;
  values[kVarCtaZ] = cta.z;
  values[kVarWarp] = warp;
  values[kVarRuntimePredicate] = 1;
  for (std::size_t i = 0; i < program.hoisted.size(); ++i) {
    Fault never;
    values[kVarHoisted + i] = run_scalar(context(), program.hoisted[i], 0, never);
  }
}

void ProgramSources::begin_loop(const Loop& loop) {
  std::int64_t* values = variables();
  values[iteration_variable(loop.level)] = 0;
  if (!loop.per_lane) {
    values[trips_variable(loop.level)] = uniform_value(loop.trips.uniform);
  }
}

LaneMask ProgramSources::loop_taken(const FlowOp& op) {
  const Loop& loop = program_->loops[op.loop];
  std::int64_t* values = variables();
  std::int64_t& iteration = values[iteration_variable(loop.level)];
  if (op.kind == FlowKind::kLoopGuard) {
    return loop.per_lane ? ~lanes_with_more_trips(loop, 0)
                         : (values[trips_variable(loop.level)] > 0 ? LaneMask{0} : kAllLanes);
  }
  // The trips are those of the iteration that ends here; lanes that go on are in the next.
  const LaneMask taken = loop.per_lane ? lanes_with_more_trips(loop, iteration + 1)
                                       : (iteration + 1 < values[trips_variable(loop.level)] ? kAllLanes : LaneMask{0});
  ++iteration;
  return taken;
}

LaneMask ProgramSources::lanes_with_more_trips(const Loop& loop, std::int64_t than) {
  const std::int64_t* offsets = scratch().data();
  std::int64_t base = 0;
  if (loop.trips.part != kNone) {
    const TabledLanes trips = tabled_lanes(loop.trips);
    base = trips.base;
    offsets = program_->patterns[trips.pattern].offsets.data();
  } else {
    base = uniform_value(loop.trips.uniform);
    lane_values(loop.trips, active_);
  }
  LaneMask mask = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    mask |= LaneMask{wrapping_add(base, offsets[lane]) > than} << lane;
  }
  return mask;
}

LaneMask ProgramSources::condition_lanes(std::uint32_t index) {
  const Condition& condition = program_->conditions[index];
  if (condition.kind == Condition::Kind::kTabled) {
    return program_->masks[condition.first_mask + warp_];
  }
  if (condition.kind == Condition::Kind::kCompared) {
    return compare_lanes(condition);
  }
  if (condition.kind == Condition::Kind::kLanes) {
    return evaluate_lanes(condition);
  }
  Fault fault;
  const std::int64_t value = run_scalar(context(), condition.scalar, 0, fault);
  if (fault) [[unlikely]] {
    fail(fault, any_lane());
  }
  return value != 0 ? kAllLanes : 0;
}

LaneMask ProgramSources::evaluate_lanes(const Condition& condition) {
  LaneExpression expression;
  expression.lanes = condition.lanes;
  expression.scalar = condition.scalar;
  lane_values(expression, active_);
  const LaneValues& values = scratch();
  LaneMask mask = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    mask |= LaneMask{values[lane] != 0} << lane;
  }
  return mask;
}

ProgramSources::TabledLanes ProgramSources::tabled_lanes(const LaneExpression& expression) {
  const LanePart& part = program_->lane_parts[expression.part + warp_];
  return {wrapping_add(uniform_value(expression.uniform), part.base), part.pattern};
}

LaneMask ProgramSources::compare_lanes(const Condition& condition) {
  const TabledLanes left = tabled_lanes(condition.left);
  const TabledLanes right = tabled_lanes(condition.right);
  const Pattern& of_left = program_->patterns[left.pattern];
  const Pattern& of_right = program_->patterns[right.pattern];
  const std::int64_t least_left = wrapping_add(left.base, of_left.least);
  const std::int64_t most_left = wrapping_add(left.base, of_left.most);
  const std::int64_t least_right = wrapping_add(right.base, of_right.least);
  const std::int64_t most_right = wrapping_add(right.base, of_right.most);
  // Between the outermost lie all, unless the sums pass the largest number: then the least is not the least.
  if (least_left <= most_left && least_right <= most_right) {
    if (most_left < least_right || (condition.or_equal && most_left == least_right)) {
      return kAllLanes;
    }
    if (most_right < least_left || (!condition.or_equal && most_right == least_left)) {
      return 0;
    }
  }
  LaneMask mask = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::int64_t a = wrapping_add(left.base, of_left.offsets[lane]);
    const std::int64_t b = wrapping_add(right.base, of_right.offsets[lane]);
    mask |= LaneMask{a < b || (condition.or_equal && a == b)} << lane;
  }
  return mask;
}

std::int64_t ProgramSources::uniform_value(const Affine& affine) {
  const std::int64_t* values = variables();
  std::int64_t sum = affine.constant;
  const VariableTerm* term = program_->variable_terms.data() + affine.first_variable;
  for (std::uint32_t i = 0; i < affine.variables; ++i) {
    sum = wrapping_add(sum, wrapping_multiply(term[i].coefficient, values[term[i].variable]));
  }
  return affine.codes == 0 ? sum : wrapping_add(sum, value_of_codes(affine));
}

/// The part of a value that is not a multiple of variables: apart from the rest, which is short and mostly the whole.
[[gnu::noinline]] std::int64_t ProgramSources::value_of_codes(const Affine& affine) {
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < affine.codes; ++i) {
    const CodeTerm& code = program_->code_terms[affine.first_code + i];
    Fault fault;
    const std::int64_t value = run_scalar(context(), code.code, 0, fault);
    if (fault) [[unlikely]] {
      fail(fault, any_lane());
    }
    sum = wrapping_add(sum, wrapping_multiply(code.coefficient, value));
  }
  return sum;
}

void ProgramSources::lane_values(const LaneExpression& expression, LaneMask lanes) {
  LaneValues& values = scratch();
  if (run_lanes(context(), expression.lanes, values)) {
    return;
  }
  // Some lane met a fault: perhaps one that takes no part, or on the side of a choice that was not taken.
  values.fill(0);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((lanes >> lane & 1U) != 0) {
      Fault fault;
      values[lane] = run_scalar(context(), expression.scalar, lane, fault);
      if (fault) {
        fail(fault, lane);
      }
    }
  }
}

LaneAddresses ProgramSources::addresses(AccessSlot slot) {
  const std::uint32_t index = program_->ops[at_].access[static_cast<std::size_t>(slot)];
  if (index == kNone) {
    return {0, program_->patterns[0].offsets.data(), 0};
  }
  const AccessSource& source = program_->accesses[index];
  if (source.address.part == kNone) {
    const std::int64_t uniform = uniform_value(source.address.uniform);
    lane_values(source.address, mask_);
    return checked(source, {static_cast<Address>(uniform), scratch().data(), LaneAddresses::kNoPattern});
  }
  const TabledLanes lanes = tabled_lanes(source.address);
  const auto base = static_cast<Address>(lanes.base);
  const Pattern& pattern = program_->patterns[lanes.pattern];
  const LaneAddresses all{base, pattern.offsets.data(), lanes.pattern};
  const Buffer& buffer = program_->buffers[source.buffer];
  // All lanes are inside when the outermost are; otherwise those that take part decide. Lowering `base` by the
  // buffer's makes an address below it enormous.
  const Address low = base + static_cast<Address>(pattern.least) - buffer.base;
  const Address high = base + static_cast<Address>(pattern.most) - buffer.base;
  const bool inside = low <= high && high <= buffer.bytes && source.bytes <= buffer.bytes - high;
  const bool aligned = ((base | pattern.bits) & (source.bytes - 1)) == 0;
  return inside && aligned ? all : checked(source, all);
}

std::uint32_t ProgramSources::target_rank() {
  const RankSource& source = program_->ranks[program_->ops[at_].target];
  const std::int64_t rank = uniform_value(source.rank);
  if (rank < 0 || rank >= program_->ctas_per_cluster) {
    fail_rank(source, rank);
  }
  return static_cast<std::uint32_t>(rank);
}

LaneAddresses ProgramSources::checked(const AccessSource& source, const LaneAddresses& addresses) {
  const Buffer& buffer = program_->buffers[source.buffer];
  const Address unaligned_bits = source.bytes - 1;
  const bool fits = source.bytes <= buffer.bytes;
  const Address last = buffer.bytes - source.bytes;  // offset of an access, where one fits
  for (LaneMask rest = mask_ & source.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const Address address = addresses.base + static_cast<Address>(addresses.offsets[lane]);
    if (!fits || address - buffer.base > last || (address & unaligned_bits) != 0) [[unlikely]] {
      fail_access(source, lane, static_cast<std::int64_t>(address));
    }
  }
  return addresses;
}

std::uint32_t ProgramSources::any_lane() const {
  return active_ == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(active_));
}

}  // namespace gpusim::trace
