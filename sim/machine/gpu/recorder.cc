// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/recorder.h"

#include <algorithm>
#include <span>

namespace gpusim::gpu {
namespace {

stats::TrafficCounters traffic_so_far(const Machine& machine, const MemorySide& memory) {
  stats::TrafficCounters sum;
  for (const auto& sm : machine.sms()) {
    const stats::L1Counters l1 = sm->l1_counters();
    sum.l1_sectors += l1.load_sectors + l1.bypass_sectors + l1.store_sectors + l1.atomic_sectors;
    sum.l1_lookups += l1.load_sectors;
    sum.l1_hits += l1.load_hits;
    sum.shared_wavefronts += sm->counters().shared_wavefronts;
  }
  const stats::L2Counters l2 = memory.l2_counters();
  sum.l2_sectors = l2.read_sectors + l2.write_sectors + l2.atomic_sectors;
  sum.l2_lookups = l2.read_sectors;
  sum.l2_hits = l2.read_hits;
  const stats::DramCounters dram = memory.dram_counters();
  sum.dram_read_bytes = dram.read_bytes;
  sum.dram_write_bytes = dram.write_bytes;
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

/// What was counted before cycle `now` belongs to the intervals before it.
Cycle Recorder::sample(Cycle now) {
  if (now != 0) {
    count_up_to(((now >> traffic_.shift()) << traffic_.shift()) - 1);
  }
  return ((now >> traffic_.shift()) + 1) << traffic_.shift();
}

/// Adds what has been counted since the last time to the interval of cycle `last`.
void Recorder::count_up_to(Cycle last) {
  const stats::TrafficCounters now = traffic_so_far(machine_, memory_);
  stats::TrafficCounters& row = traffic_.at(last);
  for (const auto& field : stats::TrafficCounters::kFields) {
    row.*(field.member) += now.*(field.member) - before_.*(field.member);
  }
  before_ = now;
}

stats::KernelRecord Recorder::finish(const sm::Workers& workers, Cycle cycles) {
  count_up_to(std::max<Cycle>(cycles, 1) - 1);
  stats::IntervalTable<stats::StallCycles> states = states_of(workers);
  states.widen_to(traffic_.shift());
  traffic_.widen_to(states.shift());
  stats::KernelRecord record;
  record.series.interval_cycles = Cycle{1} << states.shift();
  const std::size_t intervals = (cycles + record.series.interval_cycles - 1) >> states.shift();
  for (std::size_t i = 0; i < stats::kMostIntervals; ++i) {
    if (i < intervals) {
      record.series.states.push_back(states.row(i));
      record.series.traffic.push_back(traffic_.row(i));
    } else if (intervals != 0) {  // writes that nobody waits for go on when the last warp has left
      stats::add(record.series.traffic.back(), traffic_.row(i));
    }
  }
  for (const auto& sm : machine_.sms()) {
    const stats::SmCounters counters = sm->counters();
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
