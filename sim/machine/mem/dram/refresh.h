// SPDX-License-Identifier: MIT
// When refreshes of single banks (REFpb of HBM3 and GDDR6, REFSB of HBM2) or of pairs of banks (REFp2b of GDDR6) fall
// due, and which bank may come next. JEDEC's rules: every bank once in REFI, in any order, none twice before all have
// had their turn; a number of them may be postponed. It knows no commands: the channel sends them. Owns which banks are
// still to come, and how many refreshes are owed.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/mem/dram/timing_table.h"
#include "sim/model/policy/dram/bank_set.h"

namespace gpusim::arch {
struct DramConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::dram {

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

}  // namespace gpusim::mem::dram
