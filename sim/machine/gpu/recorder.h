// SPDX-License-Identifier: MIT
// Records a kernel over time while it runs: samples the machine's counters whenever an interval has passed, and puts
// together what SMs and memory partitions kept themselves.
#pragma once

#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/engine.h"
#include "sim/model/stats/interval_table.h"
#include "sim/model/stats/kernel_record.h"

namespace gpusim::sm {
struct PerWorker;
}

namespace gpusim::gpu {

class Machine;
class MemorySide;

class Recorder final : public engine::Sampler {
 public:
  /// `memory` records its traffic.
  Recorder(const Machine& machine, const MemorySide& memory) : machine_(machine), memory_(memory) {}

  Cycle sample(Cycle now) override;

  /// The record of a kernel that took `cycles` cycles.
  [[nodiscard]] stats::KernelRecord finish(const std::vector<sm::PerWorker>& workers, Cycle cycles);

 private:
  void count_before(Cycle now);
  void add(const stats::TrafficCounters& so_far, Cycle last);
  void take_back(const stats::TrafficCounters& all);
  [[nodiscard]] std::uint64_t unserved_l2_sectors() const;

  const Machine& machine_;
  const MemorySide& memory_;
  Cycle next_ = 0;  ///< when to sample
  stats::TrafficCounters before_;
  stats::IntervalTable<stats::TrafficCounters> traffic_;
};

}  // namespace gpusim::gpu
