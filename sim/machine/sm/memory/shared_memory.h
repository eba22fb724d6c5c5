// SPDX-License-Identifier: MIT
// The shared memory of an SM: what accesses to it take of the data stage, and their counters. (Contents are never
// simulated; mbarriers, whose state matters, are in async/mbarrier.h.) Owns the counters and the last passes taken from
// the data stage; the stage itself is L1's and this unit's.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/memory/access.h"
#include "sim/machine/sm/memory/lsu_timing.h"
#include "sim/model/stats/counters.h"

namespace gpusim::sm {

class DataStage;

class SharedMemory {
 public:
  SharedMemory(const arch::SmConfig& sm, const LsuTiming& timing, DataStage& stage, SmEvents& events)
      : latency_(sm.shared.latency), timing_(timing), stage_(stage), events_(events) {}

  /// An access in the load/store unit at `now`. Returns the cycles for which it takes the data stage.
  std::uint32_t execute(const Access& access, Cycle now);

  /// A line from or to elsewhere takes one pass through the banks as soon as they are free. Returns when it is through.
  Cycle take_pass(Cycle now);
  /// How many passes taken with take_pass() come at `now` or later.
  [[nodiscard]] std::uint64_t passes_ahead(Cycle now) const {
    return taken_end_ > now ? taken_end_ - std::max(taken_begin_, now) : 0;
  }
  /// When data that is through the banks at `through` has been read.
  [[nodiscard]] Cycle read_at(Cycle through) const { return through + latency_ - timing_.before_unit(); }

  enum class Moves : std::uint8_t { kReads, kWrites };
  void count(const SharedPasses& passes, Moves moves);
  void count_written(std::uint64_t bytes) { counters_.shared_write_bytes += bytes; }
  void count_read(std::uint64_t bytes) { counters_.shared_read_bytes += bytes; }
  /// Only the shared_* fields count here.
  [[nodiscard]] const stats::SmCounters& counters() const { return counters_; }

 private:
  std::uint32_t latency_;
  const LsuTiming& timing_;
  DataStage& stage_;
  SmEvents& events_;
  Cycle taken_begin_ = 0;  ///< the last passes without a gap that take_pass() took: [taken_begin_, taken_end_)
  Cycle taken_end_ = 0;
  stats::SmCounters counters_;
};

}  // namespace gpusim::sm
