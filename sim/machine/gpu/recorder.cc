// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/recorder.h"

#include <algorithm>
#include <span>

#include "sim/machine/gpu/machine.h"
#include "sim/machine/gpu/memory_side.h"
#include "sim/machine/sm/per_worker.h"
#include "sim/machine/sm/sm.h"

namespace gpusim::gpu {
namespace {

/// All but what memory partitions record cycle by cycle: what they count waits for its port or bus, and comes in
/// batches.
stats::TrafficCounters traffic_counted(const Machine& machine, const MemorySide& memory) {
  stats::TrafficCounters sum;
  for (const auto& sm : machine.sms()) {
    const stats::L1Counters l1 = sm->l1_counters();
    sum.l1_sectors += l1.load_sectors + l1.bypass_sectors + l1.store_sectors + l1.atomic_sectors;
    sum.l1_lookups += l1.load_sectors;
    sum.l1_hits += l1.load_hits;
    sum.l1_wavefronts += l1.wavefronts;
    sum.shared_wavefronts += sm->shared_wavefronts();
  }
  const stats::L2Counters l2 = memory.l2_counters();
  sum.l2_lookups = l2.read_sectors;
  sum.l2_hits = l2.read_hits;
  return sum;
}

/// What moved before cycle `now`, up to which everything has happened: no SM's banks pass more in an interval than they
/// can.
stats::TrafficCounters moved_before(Cycle now, const Machine& machine, const MemorySide& memory) {
  stats::TrafficCounters sum = traffic_counted(machine, memory);
  for (const auto& sm : machine.sms()) {
    const sm::StageWork ahead = sm->counted_ahead(now);
    const sm::StageWork uncounted = sm->uncounted(now);
    sum.l1_sectors += uncounted.l1_sectors - ahead.l1_sectors;
    sum.l1_wavefronts += uncounted.l1_wavefronts - ahead.l1_wavefronts;
    sum.shared_wavefronts += uncounted.shared_wavefronts - ahead.shared_wavefronts;
  }
  return sum;
}

stats::IntervalTable<stats::StallCycles> states_of(const sm::Workers& workers) {
  stats::IntervalTable<stats::StallCycles> sum;
  for (const sm::PerWorker& worker : workers) {
    sum.merge(worker.series->table());
  }
  return sum;
}

}  // namespace

/// Nothing happened between the cycle that was asked for and `now`, but accesses that had begun passed their stage.
Cycle Recorder::sample(Cycle now) {
  for (; next_ <= now; next_ = ((next_ >> traffic_.shift()) + 1) << traffic_.shift()) {
    if (next_ != 0) {
      count_before(next_);
    }
  }
  return next_;
}

/// Adds what has moved since the last time to the interval that ends with `now`.
void Recorder::count_before(Cycle now) {
  add(moved_before(now, machine_, memory_), now - 1);
}

/// `so_far`: what has moved up to the end of the interval of cycle `last`.
void Recorder::add(const stats::TrafficCounters& so_far, Cycle last) {
  stats::TrafficCounters& row = traffic_.at(last);
  for (const auto& field : stats::TrafficCounters::kFields) {
    const std::uint64_t more = so_far.*(field.member) - std::min(so_far.*(field.member), before_.*(field.member));
    row.*(field.member) += more;
    before_.*(field.member) += more;
  }
}

/// Leaves no more than `all` in the intervals: what an operation did that a stopped run never ended is not counted.
void Recorder::take_back(const stats::TrafficCounters& all) {
  for (const auto& field : stats::TrafficCounters::kFields) {
    const std::uint64_t kept = std::min(before_.*(field.member), all.*(field.member));
    std::uint64_t excess = before_.*(field.member) - kept;
    before_.*(field.member) = kept;
    for (std::size_t i = stats::kMostIntervals; i-- != 0 && excess != 0;) {
      std::uint64_t& count = traffic_.row(i).*(field.member);
      const std::uint64_t taken = std::min(count, excess);
      count -= taken;
      excess -= taken;
    }
  }
}

/// When a run is stopped, sectors that L2 has counted may not have passed their port yet.
std::uint64_t Recorder::unserved_l2_sectors() const {
  const stats::L2Counters counted = memory_.l2_counters();
  std::uint64_t unserved = counted.read_sectors + counted.write_sectors + counted.atomic_sectors;
  for (std::size_t i = 0; i < stats::kMostIntervals; ++i) {
    unserved -= std::min(unserved, traffic_.row(i).l2_sectors);
  }
  return unserved;
}

stats::KernelRecord Recorder::finish(const sm::Workers& workers, Cycle cycles) {
  const stats::TrafficCounters all = traffic_counted(machine_, memory_);
  take_back(all);
  add(all, std::max<Cycle>(next_, 1) - 1);
  memory_.add_to(traffic_);
  stats::IntervalTable<stats::StallCycles> states = states_of(workers);
  states.widen_to(traffic_.shift());
  traffic_.widen_to(states.shift());
  stats::KernelRecord record;
  record.series.traffic_after.l2_sectors = unserved_l2_sectors();
  record.series.interval_cycles = Cycle{1} << states.shift();
  const std::size_t intervals = (cycles + record.series.interval_cycles - 1) >> states.shift();
  for (std::size_t i = 0; i < stats::kMostIntervals; ++i) {
    if (i < intervals) {
      record.series.states.push_back(states.row(i));
      record.series.traffic.push_back(traffic_.row(i));
    } else {
      stats::add(record.series.traffic_after, traffic_.row(i));
    }
  }
  for (const auto& sm : machine_.sms()) {
    const stats::SmCounters counters = sm->counters(cycles);
    record.sm_ctas.push_back(counters.ctas);
    record.sm_warp_instructions.push_back(counters.warp_instructions);
    const std::span<const stats::CtaSpan> spans = sm->cta_spans();
    record.ctas.insert(record.ctas.end(), spans.begin(), spans.end());
  }
  std::sort(record.ctas.begin(), record.ctas.end(),
            [](const stats::CtaSpan& a, const stats::CtaSpan& b) { return a.cta < b.cta; });
  return record;
}

}  // namespace gpusim::gpu
