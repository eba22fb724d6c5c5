// SPDX-License-Identifier: MIT
// When a command may follow another: the JEDEC timings as rows of one table, and one checker that applies all of them
// alike. Command buses are rows too (one row command and one column command a clock), so that nobody else counts
// clocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/arch/arch.h"
#include "sim/base/types.h"

namespace gpusim::mem::dram {

/// A count of DRAM clocks (tCK).
using Clock = std::uint64_t;

/// Commands to one bank; kRefresh is of all banks.
enum class Command : std::uint8_t { kActivate, kPrecharge, kRead, kWrite, kRefresh };
inline constexpr std::size_t kCommands = 5;

/// Which banks a rule holds: the bank of the earlier command, all of its bank group, or all of the channel.
enum class Scope : std::uint8_t { kBank, kGroup, kChannel };

/// `to` comes at least `clocks` after `from`.
struct Rule {
  Command from = Command::kActivate;
  Command to = Command::kActivate;
  Scope scope = Scope::kBank;
  std::uint32_t clocks = 0;
};

/// Every rule that relates two commands (JESD238 for HBM3, JESD235 for HBM2). The four-activate window relates five and
/// is kept apart.
[[nodiscard]] std::vector<Rule> timing_rules(const arch::DramTimings& timing);

/// The earliest clock of every command to every bank, given the commands so far.
class TimingTable {
 public:
  TimingTable(const arch::DramTimings& timing, std::uint32_t groups, std::uint32_t banks_per_group);

  /// Banks count through a group before the next group. For kRefresh any bank does.
  [[nodiscard]] Clock earliest(Command command, std::uint32_t bank) const {
    const auto column = static_cast<std::size_t>(command);
    const Clock private_bound = std::max(bounds_[bank_row(bank) + column], bounds_[group_row(bank) + column]);
    return std::max(private_bound, earliest_in_channel(command));
  }
  /// A lower bound for all banks.
  [[nodiscard]] Clock earliest_in_channel(Command command) const {
    const Clock bound = bounds_[static_cast<std::size_t>(command)];
    return command == Command::kActivate ? std::max(bound, window_end_) : bound;
  }
  void issue(Command command, std::uint32_t bank, Clock at);
  void reset();

 private:
  struct Effect {
    Scope scope;
    std::uint8_t to;
    std::uint32_t clocks;
  };
  static constexpr std::size_t kStride = 8;  ///< of kCommands, rounded up so that an index is a shift
  static constexpr std::size_t kActivateWindow = 4;

  [[nodiscard]] std::size_t group_row(std::uint32_t bank) const { return group_rows_[bank]; }
  [[nodiscard]] std::size_t bank_row(std::uint32_t bank) const { return (1 + groups_ + bank) * kStride; }

  std::size_t groups_;
  Clock four_activates_;
  std::array<std::vector<Effect>, kCommands> effects_;  ///< by the earlier command
  std::vector<std::size_t> group_rows_;                 ///< by bank
  std::vector<Clock> bounds_;                    ///< rows of kStride: the channel, then the groups, then the banks
  std::array<Clock, kActivateWindow> window_{};  ///< the latest activates, each plus FAW
  std::size_t oldest_ = 0;
  Clock window_end_ = 0;
};

}  // namespace gpusim::mem::dram
