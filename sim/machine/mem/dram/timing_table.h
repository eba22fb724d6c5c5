// SPDX-License-Identifier: MIT
// When a command may follow another: the JEDEC timings as rows of one table, and one checker that applies all of them
// alike. Command buses are rows too (one row command and one column command a clock), so that nobody else counts
// clocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/policy/dram/bank_set.h"

namespace gpusim::arch {
struct DramConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::dram {

using policy::BankSet;

/// A count of DRAM clocks (tCK).
using Clock = std::uint64_t;

/// Commands to one bank; kRefresh is of all banks, kRefreshBank of one or of one of two.
enum class Command : std::uint8_t { kActivate, kPrecharge, kRead, kWrite, kRefresh, kRefreshBank };
inline constexpr std::size_t kCommands = 6;

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
/// is kept apart. No rule leads to kRefreshBank: JEDEC has it wait as an activate does, but for that window.
[[nodiscard]] std::vector<Rule> timing_rules(const arch::DramConfig& config);

/// The earliest clock of every command to every bank, given the commands so far.
class TimingTable {
 public:
  explicit TimingTable(const arch::DramConfig& config);

  /// Banks count through a group before the next group. For kRefresh any bank does.
  [[nodiscard]] Clock earliest(Command command, std::uint32_t bank) const {
    const Clock* const row = row_of(command);
    return std::max(std::max(row[bank_cell(bank)], row[group_cells_[bank]]), earliest_in_channel(command));
  }
  /// The bounds of one command, for a look at many banks.
  class Row {
   public:
    /// The bound that all banks share. Activates have their window as well, which is not included.
    [[nodiscard]] Clock in_channel() const { return *cells_; }
    /// The bound of a bank and its group.
    [[nodiscard]] Clock in_bank(std::uint32_t bank) const {
      return std::max(cells_[first_bank_cell_ + bank], cells_[group_cells_[bank]]);
    }

   private:
    friend class TimingTable;
    Row(const Clock* cells, std::size_t first_bank_cell, const std::uint8_t* group_cells)
        : cells_(cells), first_bank_cell_(first_bank_cell), group_cells_(group_cells) {}
    const Clock* cells_;
    std::size_t first_bank_cell_;
    const std::uint8_t* group_cells_;
  };
  [[nodiscard]] Row row(Command command) const { return Row(row_of(command), first_bank_cell_, group_cells_.data()); }
  /// The earliest clock of a kRefreshBank command.
  [[nodiscard]] Clock earliest_refresh(std::uint32_t bank) const {
    const Clock* const row = row_of(Command::kActivate);
    return std::max(std::max(row[bank_cell(bank)], row[group_cells_[bank]]), *row);
  }
  /// A lower bound for all banks.
  [[nodiscard]] Clock earliest_in_channel(Command command) const {
    const Clock bound = *row_of(command);
    return command == Command::kActivate ? std::max(bound, window_end_) : bound;
  }
  void issue(Command command, std::uint32_t bank, Clock at);
  void reset();

 private:
  struct Effect {
    std::uint32_t clocks;
    std::uint16_t row;  ///< where that of the later command begins
    Scope scope;
  };
  static constexpr std::size_t kActivateWindow = 4;

  void add_effect(std::size_t first, const Rule& rule);
  [[nodiscard]] const Clock* row_of(Command command) const {
    return bounds_.data() + static_cast<std::size_t>(command) * cells_;
  }
  [[nodiscard]] std::size_t bank_cell(std::uint32_t bank) const { return first_bank_cell_ + bank; }

  std::size_t first_bank_cell_;
  std::size_t cells_;                                     ///< cells of a row
  std::array<std::uint8_t, kCommands + 1> effects_of_{};  ///< where those of each earlier command begin
  std::size_t oldest_ = 0;
  Clock window_end_ = 0;
  Clock four_activates_;
  std::array<Clock, kActivateWindow> window_{};  ///< the latest activates, each plus FAW
  std::array<std::uint8_t, BankSet::kMostBanks> group_cells_{};
  std::vector<Effect> effects_;
  /// One row per command but kRefreshBank, so that a decision reads few lines of the host's cache: a cell for the
  /// channel, then the groups, then the banks.
  std::vector<Clock> bounds_;
};

}  // namespace gpusim::mem::dram
