// SPDX-License-Identifier: MIT
// Refreshes of a pseudo-channel: of all banks by one command, which stops it, or of single banks, which hide behind the
// work of the others. Owns when the next one is due, which banks are still to come and which are held for it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/mem/dram/timing_table.h"
#include "sim/model/policy/dram/bank_set.h"
#include "sim/model/stats/counters.h"

namespace gpusim::arch {
struct DramConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::dram {

class Banks;
class CommandPort;

/// When refreshes of single banks (REFpb of HBM3 and GDDR6, REFSB of HBM2) or of pairs of banks (REFp2b of GDDR6) fall
/// due, and which bank may come next. JEDEC's rules: every bank once in REFI, in any order, none twice before all have
/// had their turn; a number of them may be postponed.
class RefreshSchedule {
 public:
  explicit RefreshSchedule(const arch::DramConfig& config);

  /// The banks of each command: one, or two that are refreshed together.
  [[nodiscard]] const std::vector<BankSet>& units() const { return units_; }
  /// When the next refresh falls due; kNever without refreshes of single banks.
  [[nodiscard]] Clock due() const { return due_; }
  void fall_due();
  [[nodiscard]] bool is_owed() const { return owed_ > 0; }
  /// One more must not be postponed.
  [[nodiscard]] bool is_urgent() const { return owed_ > most_owed_; }
  /// Banks that wait for their turn of this round.
  [[nodiscard]] BankSet left() const { return left_; }
  /// The banks refreshed together with this one, itself among them.
  [[nodiscard]] BankSet unit_of(std::uint32_t bank) const { return units_[bank % units_.size()]; }
  /// `unit` has been refreshed.
  void finish(BankSet unit);
  /// Leaves out the whole rounds that an idle channel has time for before `now`, but for two, in which every bank has
  /// its turn; returns their commands.
  std::uint64_t skip_idle(Clock now);
  void reset();

 private:
  void set_due();

  std::vector<BankSet> units_;
  Clock interval_ = 0;  ///< between refreshes of a bank; 0: none
  std::uint64_t most_owed_ = 0;
  BankSet all_;
  BankSet left_;
  Clock round_start_ = 0;
  std::uint64_t in_round_ = 0;  ///< fallen due since
  std::uint64_t owed_ = 0;
  Clock due_ = kNever;
};

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
