// SPDX-License-Identifier: MIT
// One DRAM pseudo-channel with its queue, banks and scheduler. Owned and driven by a memory partition; it keeps no
// clock of its own but is told the time. What happens on the command buses is worked out when somebody asks, not clock
// by clock, and does not depend on how often somebody asks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/ratio.h"
#include "sim/base/types.h"

namespace gpusim::arch {
struct DramConfig;
}  // namespace gpusim::arch
namespace gpusim::stats {
struct DramCounters;
}  // namespace gpusim::stats

namespace gpusim::mem::dram {

class BusSeries;

/// A request for some sectors of one line. `line` is dense and local to the channel: consecutive lines of a channel
/// share rows.
struct Request {
  std::uint64_t line = 0;
  std::uint8_t sectors = 0;  ///< mask of four
  bool write = false;
  std::uint32_t token = 0;  ///< the slice's own number; returned with the data of a read
};

/// A read whose last sector has arrived back at the slice at SM cycle `ready`.
struct Completion {
  std::uint32_t token = 0;
  Cycle ready = 0;
};

/// Times are SM cycles and never decrease from call to call. At a cycle the owner calls run(now) first, then asks
/// can_accept() and calls accept(now) as it likes. Commands are decided at DRAM clocks; a request accepted at `now`
/// takes part from the first DRAM clock at or after `now`, and run(now) decides all clocks before that one. The
/// commands, completions and counters are therefore the same whether run() is called every cycle or only when it must
/// be.
class PseudoChannel {
 public:
  /// `config` is one that arch::validate() accepts; `sm_hz` is the clock of the cycles.
  PseudoChannel(const arch::DramConfig& config, std::uint64_t sm_hz);
  PseudoChannel(PseudoChannel&&) noexcept;
  PseudoChannel& operator=(PseudoChannel&&) noexcept;
  ~PseudoChannel();

  /// Room for one more request of that kind, as of the last run(). Reads and writes have `queue_entries` places each; a
  /// place is free again when the last burst of its request has been sent to the banks.
  [[nodiscard]] bool can_accept(bool write) const;
  /// Takes a request with at least one sector; needs can_accept(). Writes are posted: they have no completion.
  void accept(const Request& request, Cycle now);

  /// The cycle by which run() must be called next: no completion is `ready` before it, and while a queue is full none
  /// of its places is free before it. kNever when nothing is queued: refreshes of idle time are made up for when the
  /// next request comes.
  [[nodiscard]] Cycle next_event() const;
  /// Decides the commands up to `now` and appends the reads they complete, in the order of their `ready` cycles, which
  /// may lie after `now`.
  void run(Cycle now, std::vector<Completion>& done);

  /// The two are the pseudo-channels of one channel, which share a bus of row commands (`dram.row_bus: shared`): time
  /// passes for both together from now on. Times never decrease from call to call to either. Neither may have been
  /// used.
  void share_row_bus(PseudoChannel& other);
  /// Adds every burst of data from now on to `series`, which outlives that; null for none.
  void record(BusSeries* series);

  /// Requests queued, reads and writes together.
  [[nodiscard]] std::uint32_t queued() const;
  [[nodiscard]] stats::DramCounters counters() const;
  /// Back to the state after construction, counters and time included.
  void reset();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpusim::mem::dram
