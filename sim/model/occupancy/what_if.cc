// SPDX-License-Identifier: MIT
#include "sim/model/occupancy/what_if.h"

#include <algorithm>
#include <cmath>

#include "sim/model/arch/sm_config.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"

namespace gpusim::occupancy {
namespace {

constexpr std::uint64_t kKiB = 1024;
/// What an instruction can name, less the zero register.
constexpr std::uint64_t kMostRegisters = 255;
/// Below this there is hardly a kernel, so nothing of use is proposed.
constexpr std::uint64_t kFewestRegisters = 16;

LaunchShape with(const LaunchShape& shape, Knob knob, std::uint64_t value) {
  LaunchShape changed = shape;
  switch (knob) {
    case Knob::kBlock: changed.threads_per_cta = static_cast<std::uint32_t>(value); break;
    case Knob::kRegisters: changed.registers_per_thread = static_cast<std::uint32_t>(value); break;
    case Knob::kSharedMem:
      changed.static_shared_bytes = std::min(shape.static_shared_bytes, value);
      changed.dynamic_shared_bytes = value - changed.static_shared_bytes;
      break;
    case Knob::kBarriers: changed.barriers = static_cast<std::uint32_t>(value); break;
  }
  return changed;
}

std::uint32_t warps(const stats::Occupancy& occupancy) {
  return occupancy.ctas_per_sm * occupancy.warps_per_cta;
}

/// first, first + step, ..., and `last` whether or not a step ends there.
std::vector<std::uint64_t> steps(std::uint64_t first, std::uint64_t last, std::uint64_t step) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t value = first; value < last; value += step) {
    values.push_back(value);
  }
  values.push_back(last);
  return values;
}

std::vector<std::uint64_t> curve_values(const arch::SmConfig& sm, const LaunchShape& shape, Knob knob) {
  const std::uint64_t registers = std::max(1U, sm.limits.register_allocation_unit / kWarpLanes);
  switch (knob) {
    case Knob::kBlock: return steps(kWarpLanes, sm.limits.threads_per_cta, kWarpLanes);
    case Knob::kRegisters: return steps(registers, std::max(kMostRegisters, registers), registers);
    case Knob::kSharedMem: return steps(0, shared_ceiling(sm.shared, shape), kKiB);
    case Knob::kBarriers: break;
  }
  return steps(1, std::max(1U, sm.limits.barriers_per_sm), 1);
}

/// Block sizes other than the present, the nearest first.
std::vector<std::uint64_t> other_blocks(const arch::SmConfig& sm, const LaunchShape& shape) {
  const std::uint64_t now = shape.threads_per_cta;
  std::vector<std::uint64_t> values = curve_values(sm, shape, Knob::kBlock);
  std::erase(values, now);
  std::ranges::sort(values, {}, [now](std::uint64_t value) { return std::max(value, now) - std::min(value, now); });
  return values;
}

/// Sizes below the present that fill whole units of allocation, descending.
std::vector<std::uint64_t> less_shared(const arch::SharedMemoryConfig& shared, const LaunchShape& shape) {
  std::vector<std::uint64_t> values;
  if (shape.shared_bytes() > 0) {
    const std::uint64_t most = std::min(shape.shared_bytes() - 1, shared_ceiling(shared, shape));
    std::uint64_t units = (most + shared.reserved_per_cta) / shared.allocation_unit;
    for (; units * shared.allocation_unit > shared.reserved_per_cta; --units) {
      values.push_back(units * shared.allocation_unit - shared.reserved_per_cta);
    }
    values.push_back(0);
  }
  return values;
}

/// Whole numbers below `now`, from `most` at most down to `least`.
std::vector<std::uint64_t> fewer(std::uint64_t now, std::uint64_t most, std::uint64_t least) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t value = std::min(now, most + 1); value > least;) {
    values.push_back(--value);
  }
  return values;
}

/// Other values that are worth a try, the nearest first.
std::vector<std::uint64_t> candidates(const arch::SmConfig& sm, const LaunchShape& shape, Knob knob) {
  switch (knob) {
    case Knob::kBlock: return other_blocks(sm, shape);
    case Knob::kRegisters: return fewer(shape.registers_per_thread, kMostRegisters, kFewestRegisters);
    case Knob::kSharedMem: return less_shared(sm.shared, shape);
    case Knob::kBarriers: break;
  }
  return fewer(shape.barriers, sm.limits.barriers_per_sm, 1);
}

Proposal proposal(const arch::SmConfig& sm, const LaunchShape& shape, std::vector<Change> changes) {
  LaunchShape changed = shape;
  Proposal result;
  for (const Change& change : changes) {
    changed = with(changed, change.knob, change.to);
    result.relative_change +=
        std::abs(static_cast<double>(change.to) - static_cast<double>(change.from)) / static_cast<double>(change.from);
  }
  const stats::Occupancy occupancy = residency(sm, changed).occupancy;
  result.changes = std::move(changes);
  result.ctas_per_sm = occupancy.ctas_per_sm;
  result.occupancy_pct = occupancy.theoretical_pct();
  return result;
}

/// The nearest value of the knob for which `helps(occupancy)`, as a list of one change; empty when there is none.
template <class Helps>
std::vector<Change> nearest_change(const arch::SmConfig& sm, const LaunchShape& shape, Knob knob, Helps helps) {
  for (const std::uint64_t value : candidates(sm, shape, knob)) {
    if (helps(residency(sm, with(shape, knob, value)).occupancy)) {
      return {{knob, value_of(shape, knob), value}};
    }
  }
  return {};
}

/// The least of each resource to give up for one CTA more; empty when that does not help either.
std::vector<Change> together(const arch::SmConfig& sm, const LaunchShape& shape, std::uint32_t wanted) {
  constexpr std::array<std::pair<Knob, stats::Limiter>, 3> kResources{{{Knob::kRegisters, stats::Limiter::kRegisters},
                                                                       {Knob::kSharedMem, stats::Limiter::kSharedMem},
                                                                       {Knob::kBarriers, stats::Limiter::kBarriers}}};
  LaunchShape changed = shape;
  std::vector<Change> changes;
  for (const auto& [knob, limiter] : kResources) {
    const auto at = static_cast<std::size_t>(limiter);
    if (residency(sm, shape).occupancy.limit[at] >= wanted) {
      continue;
    }
    for (const Change& change : nearest_change(
             sm, shape, knob, [&](const stats::Occupancy& occupancy) { return occupancy.limit[at] >= wanted; })) {
      changes.push_back(change);
      changed = with(changed, change.knob, change.to);
    }
  }
  const bool helps = residency(sm, changed).occupancy.ctas_per_sm >= wanted;
  return helps ? changes : std::vector<Change>();
}

}  // namespace

std::uint64_t value_of(const LaunchShape& shape, Knob knob) {
  switch (knob) {
    case Knob::kBlock: return shape.threads_per_cta;
    case Knob::kRegisters: return shape.registers_per_thread;
    case Knob::kSharedMem: return shape.shared_bytes();
    case Knob::kBarriers: break;
  }
  return shape.barriers;
}

std::vector<Point> curve(const arch::SmConfig& sm, const LaunchShape& shape, Knob knob) {
  std::vector<std::uint64_t> values = curve_values(sm, shape, knob);
  const std::uint64_t now = value_of(shape, knob);
  if (const auto at = std::ranges::lower_bound(values, now); at == values.end() || *at != now) {
    values.insert(at, now);
  }
  std::vector<Point> points;
  for (const std::uint64_t value : values) {
    const stats::Occupancy occupancy = residency(sm, with(shape, knob, value)).occupancy;
    points.push_back({value, occupancy.ctas_per_sm, warps(occupancy), occupancy.theoretical_pct()});
  }
  return points;
}

std::vector<Proposal> proposals(const arch::SmConfig& sm, const LaunchShape& shape) {
  const stats::Occupancy now = residency(sm, shape).occupancy;
  std::vector<Proposal> found;
  for (const Knob knob : {Knob::kRegisters, Knob::kSharedMem, Knob::kBlock, Knob::kBarriers}) {
    std::vector<Change> change = nearest_change(
        sm, shape, knob, [&now](const stats::Occupancy& occupancy) { return warps(occupancy) > warps(now); });
    if (!change.empty()) {
      found.push_back(proposal(sm, shape, std::move(change)));
    }
  }
  std::ranges::stable_sort(found, {}, &Proposal::relative_change);
  if (found.empty()) {
    if (std::vector<Change> changes = together(sm, shape, now.ctas_per_sm + 1); !changes.empty()) {
      found.push_back(proposal(sm, shape, std::move(changes)));
    }
  }
  return found;
}

}  // namespace gpusim::occupancy
