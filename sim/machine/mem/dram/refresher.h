// SPDX-License-Identifier: MIT
// Refreshes of a pseudo-channel: of all banks by one command, which stops it, or of single banks, which hide behind the
// work of the others. Owns when the next one is due, and which banks are held for it.
#pragma once

#include <cstdint>

#include "sim/machine/mem/dram/refresh.h"
#include "sim/machine/mem/dram/timing_table.h"
#include "sim/model/policy/dram/bank_set.h"
#include "sim/model/stats/dram_counters.h"

namespace gpusim::arch {
struct DramConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::dram {

class Banks;
class CommandPort;

/// No command of that kind is possible before; a refresh moves both.
struct NextCommands {
  Clock column = kNever;
  Clock row = kNever;  ///< ACT or PRE
};

/// What a refresh changes beside the refresher itself.
struct Refreshed {
  Banks& banks;
  CommandPort& port;
  NextCommands& next;
};

class Refresher {
 public:
  explicit Refresher(const arch::DramConfig& config);

  /// The next refresh is due then, or may go on; kNever: there is none.
  [[nodiscard]] Clock next() const { return next_; }
  /// Banks to be refreshed now, as soon as they are closed: no row of them is opened.
  [[nodiscard]] BankSet held() const { return held_; }
  /// One step towards the refresh that is due by `now`.
  void step(Clock now, const Refreshed& changed);
  /// Makes up for the refreshes of a channel without requests, up to `now`.
  void catch_up(Clock now, const Refreshed& changed);
  /// A burst has gone: a refresh may have waited for a bank that nobody wants.
  void note_burst(std::uint32_t bank, Clock now, const Banks& banks);
  /// Refreshes, of all banks and of single ones.
  [[nodiscard]] const stats::DramCounters& counters() const { return counters_; }
  void reset();

 private:
  // Refresh of all banks.
  void refresh_all(Clock due, const Refreshed& changed);
  void skip_refreshes_of_all(Clock now, const Refreshed& changed);
  // Refresh of single banks.
  void refresh_banks(Clock now, const Refreshed& changed);
  void hold(Banks& banks);
  void send_refresh(Clock now, const Refreshed& changed);

  Clock next_ = 0;
  Clock interval_;  ///< between refreshes of all banks; 0: there are none
  BankSet held_;
  bool of_single_banks_;
  RefreshSchedule schedule_;  ///< for refresh of single banks
  stats::DramCounters counters_;
};

}  // namespace gpusim::mem::dram
