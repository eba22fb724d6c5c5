// SPDX-License-Identifier: MIT
// Which of the queued requests gets the next command: those of the direction in which the bus works, of them the banks
// that `dram.scheduler` allows, and of those that can go now the one whose request is oldest. Owns the direction, how
// far its batch has got, and the policy with its state.
#pragma once

#include <cstdint>

#include "sim/machine/mem/dram/banks.h"
#include "sim/machine/mem/dram/timing_table.h"
#include "sim/model/policy/dram/classes.h"

namespace gpusim::arch {
struct DramConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::dram {

/// Whether the data bus of a pseudo-channel reads or writes: writes are put off, then drained in batches between two
/// marks of their queue (`dram.write_high_percent`, `dram.write_low_percent`, `dram.write_wait`).
class BusDirection {
 public:
  explicit BusDirection(const arch::DramConfig& config);

  [[nodiscard]] bool writes() const { return writing_; }
  /// When writes below the mark may go if no read comes before; kNever: none wait for that.
  [[nodiscard]] Clock pause_at() const { return pause_at_; }
  /// A burst of this direction has gone.
  void note_burst() { ++sent_since_turn_; }
  /// Turns if that is due; returns whether it has.
  bool turn(const BankQueues& reads, const BankQueues& writes, Clock now);
  void reset();

 private:
  [[nodiscard]] bool should_turn(std::uint32_t reads, std::uint32_t writes) const;
  [[nodiscard]] bool should_wait(std::uint32_t reads, std::uint32_t writes, Clock now);

  bool writing_ = false;
  Clock pause_at_ = kNever;
  std::uint32_t sent_since_turn_ = 0;  ///< bursts
  std::uint32_t batch_ = 0;            ///< bursts after which this direction yields to the other's need
  std::uint32_t high_;                 ///< hundredths of a request
  std::uint32_t low_;
  Clock wait_;
};

/// Which of one direction's requests.
class RequestScheduler {
 public:
  explicit RequestScheduler(const arch::DramConfig& config);

  /// A bank whose command can go now and, if there is none, when the first can.
  struct Choice {
    std::uint32_t bank = 0;
    std::uint64_t order = kNever;  ///< order of its request
    Clock soonest = kNever;
    [[nodiscard]] bool found() const { return order != kNever; }
  };
  /// The next burst of a queue; `command` is its direction's.
  [[nodiscard]] Choice choose_column(const BankQueues& queue, const TimingTable& table, Command command, Clock now) {
    return policy_.with([&](auto& policy) { return oldest_hit(policy.may_burst(queue), queue, table, command, now); });
  }
  /// The oldest hit of these banks, whatever the policy.
  [[nodiscard]] static Choice oldest_hit(BankSet banks, const BankQueues& queue, const TimingTable& table,
                                         Command command, Clock now);
  /// The bank that gets a PRE, if its row is open, or else an ACT; `soonest` is of all others. Banks of `held` get
  /// neither, rows of `promised` stay open.
  [[nodiscard]] Choice choose_row(const BankQueues& queue, const TimingTable& table, BankSet open, BankSet held,
                                  BankSet promised, Clock now);
  /// Whether a row takes no more bursts after so many that went before an older request of another row.
  [[nodiscard]] bool must_close(std::uint32_t overtakes) {
    return policy_.with([&](auto& policy) { return policy.must_close(overtakes); });
  }
  /// Whether a burst that has gone may be what a row command to another bank has waited for.
  [[nodiscard]] bool serves_oldest_only() const { return serves_oldest_only_; }

 private:
  policy::AnyDramScheduler policy_;
  bool serves_oldest_only_;
};

}  // namespace gpusim::mem::dram
