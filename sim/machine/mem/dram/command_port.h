// SPDX-License-Identifier: MIT
// The way of commands to the banks of a pseudo-channel: when each may go, and what goes at a clock. Owns JEDEC's times
// for all of them and the counts of what went; shares the bus of row commands where two pseudo-channels have one.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/mem/dram/bus_series.h"
#include "sim/machine/mem/dram/timing_table.h"
#include "sim/model/stats/counters.h"

namespace gpusim::arch {
struct DramConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::dram {

class Banks;
class CommandPort;

/// A command as it went over a bus, for tests and traces of the channel.
struct IssuedCommand {
  Command command = Command::kRefresh;
  std::uint32_t bank = 0;
  std::uint64_t row = 0;
  Clock clock = 0;
};

/// The bus for ACT, PRE and REF of the two pseudo-channels of a channel, where they have one together.
struct RowBus {
  Clock free_at = 0;
  const CommandPort* latest_user = nullptr;
};

class CommandPort {
 public:
  explicit CommandPort(const arch::DramConfig& config);

  [[nodiscard]] const TimingTable& table() const { return table_; }
  [[nodiscard]] Clock bus_free_at() const { return bus_ == nullptr ? 0 : bus_->free_at; }
  [[nodiscard]] bool shares_bus() const { return bus_ != nullptr; }
  [[nodiscard]] bool used_bus_last() const { return bus_->latest_user == this; }
  /// From now on row commands go over `bus`, which outlives the port; null for a bus of its own. Returns that before.
  RowBus* share(RowBus* bus);

  /// ACT for the oldest read (or write) that waits for the bank.
  void activate(Banks& banks, std::uint32_t bank, bool write, Clock at);
  void precharge(Banks& banks, std::uint32_t bank, Clock at);
  /// REF of all banks, which are closed.
  void refresh_all(const Banks& banks, Clock at);
  /// One command for those of `unit`, which are closed.
  void refresh(const Banks& banks, BankSet unit, Clock at);
  /// A read or a write of the bank's open row: of data, or of check bits.
  void burst(const Banks& banks, std::uint32_t bank, bool write, bool check_bits, Clock at);

  /// What went: bytes, bursts, ACT, PRE, and clocks of the data bus.
  [[nodiscard]] const stats::DramCounters& counters() const { return counters_; }
  void reset();
  /// Every command from now on is appended to `log`; null for none.
  void observe(std::vector<IssuedCommand>* log) { log_ = log; }
  /// Every burst of data, not of check bits, from now on is added to `series`; null for none.
  void record(BusSeries* series) { series_ = series; }

 private:
  void take_bus(Clock from, std::uint32_t clocks);
  void log(const Banks& banks, Command command, std::uint32_t bank, Clock clock);

  TimingTable table_;
  stats::DramCounters counters_;
  std::vector<IssuedCommand>* log_ = nullptr;
  BusSeries* series_ = nullptr;
  RowBus* bus_ = nullptr;      ///< shared; null: the channel's own, see timing_rules()
  std::uint32_t read_clocks_;  ///< from the command to its data; the next one likewise
  std::uint32_t write_clocks_;
  std::uint32_t burst_clocks_;
  std::uint32_t burst_bytes_;
  std::uint32_t activate_clocks_;
};

[[nodiscard]] constexpr Command column_command(bool write) {
  return write ? Command::kWrite : Command::kRead;
}

}  // namespace gpusim::mem::dram
