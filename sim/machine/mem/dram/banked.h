// SPDX-License-Identifier: MIT
// The banked model of a pseudo-channel, in DRAM clocks: banks with open rows, and the refresh of all of them or of
// single ones. request_scheduler.h says whose command is next, bus_direction.h whether reads or writes go. It jumps
// from one possible command to the next and never looks at the clocks between.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/open_spans.h"
#include "sim/machine/mem/dram/address_map.h"
#include "sim/machine/mem/dram/bank_queues.h"
#include "sim/machine/mem/dram/bus_direction.h"
#include "sim/machine/mem/dram/bus_series.h"
#include "sim/machine/mem/dram/channel.h"
#include "sim/machine/mem/dram/refresh.h"
#include "sim/machine/mem/dram/request_scheduler.h"
#include "sim/machine/mem/dram/timing_table.h"
#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

/// A read whose last data has left the bus at `clock`.
struct Arrival {
  std::uint32_t token = 0;
  Clock clock = 0;
};

/// A command as it went over a bus, for tests and traces of the channel.
struct IssuedCommand {
  Command command = Command::kRefresh;
  std::uint32_t bank = 0;
  std::uint64_t row = 0;
  Clock clock = 0;
};

class BankedChannel;

/// The bus for ACT, PRE and REF of the two pseudo-channels of a channel, where they have one together.
struct RowBus {
  Clock free_at = 0;
  const BankedChannel* latest_user = nullptr;
};

class BankedChannel {
 public:
  explicit BankedChannel(const arch::DramConfig& config);

  [[nodiscard]] bool can_accept(bool write) const { return !queues(write).full(); }
  /// `now` is not before any clock decided so far.
  void accept(const Request& request, Clock now);
  /// As accept(), by another map than this channel's: the request lies at `place`, its line is ignored.
  void accept_at(const Place& place, const Request& request, Clock now);
  /// No command at all is decided before this clock; kNever when nothing is queued.
  [[nodiscard]] Clock next_step() const {
    return queued() == 0 ? kNever
                         : std::max(clock_, std::min({column_at_, row_at_, refresh_at_, direction_.pause_at()}));
  }
  /// No burst is sent before this clock, as far as is known now; kNever when nothing is queued.
  [[nodiscard]] Clock next_burst() const {
    if (queued() == 0) {
      return kNever;
    }
    // Either a row is open already, or the burst comes after an ACT; in a bank that is held for a refresh, after that.
    const Clock activate_at = held_.empty() ? row_at_ : std::min(row_at_, refresh_at_);
    const Clock after_activate = activate_at == kNever ? kNever : activate_at + std::min(timing_.RCDRD, timing_.RCDWR);
    return std::max(clock_, std::min({column_at_, after_activate, direction_.pause_at()}));
  }
  /// Decides every command before clock `end`. Not with a shared bus of row commands.
  void advance(Clock end, std::vector<Arrival>& arrivals);
  /// From now on row commands go over `bus`, which outlives the channel.
  void share_row_bus(RowBus& bus) { bus_ = &bus; }
  /// advance() of the two that share a bus; the one that did not use it last goes first.
  static void advance_both(const std::array<BankedChannel*, 2>& channels, Clock end,
                           const std::array<std::vector<Arrival>*, 2>& arrivals);
  /// Clocks from a read command to the end of its data.
  [[nodiscard]] Clock read_latency() const { return timing_.CL + timing_.BL; }
  [[nodiscard]] bool full() const { return !can_accept(false) || !can_accept(true); }
  [[nodiscard]] std::uint32_t queued() const { return queues_[0].requests() + queues_[1].requests(); }
  [[nodiscard]] stats::DramCounters counters() const;
  void reset();
  /// Every command from now on is appended to `log`; null for none.
  void observe(std::vector<IssuedCommand>* log) { log_ = log; }
  /// Every burst of data from now on is added to `series`; null for none.
  void record(BusSeries* series) { series_ = series; }

 private:
  struct Bank {
    std::uint64_t row = 0;
    bool closing = false;         ///< its open row takes no more bursts
    std::uint32_t overtakes = 0;  ///< bursts of the open row sent ahead of an older burst of another row
  };

  [[nodiscard]] BankQueues& queues(bool write) { return queues_[write ? 1 : 0]; }
  [[nodiscard]] const BankQueues& queues(bool write) const { return queues_[write ? 1 : 0]; }
  /// The queues of the direction in which the bus moves data now.
  [[nodiscard]] const BankQueues& current_queue() const { return queues(direction_.writes()); }
  [[nodiscard]] static Command column_command(bool write) { return write ? Command::kWrite : Command::kRead; }

  /// What a bank without hits needs next.
  [[nodiscard]] Command row_command(std::uint32_t bank) const {
    return open_.contains(bank) ? Command::kPrecharge : Command::kActivate;
  }
  /// Decides the commands at the clock that next_step() names.
  void step(Clock now, std::vector<Arrival>& arrivals);
  [[nodiscard]] Clock bus_free_at() const { return bus_ == nullptr ? 0 : bus_->free_at; }
  void take_bus(Clock from, std::uint32_t clocks);
  /// A lower bound for the next column command of any bank.
  [[nodiscard]] Clock earliest_column() const;
  void decide_column(Clock now, std::vector<Arrival>& arrivals);
  void decide_row(Clock now);
  void send_row_command(std::uint32_t bank, Clock now);
  void send_burst(bool write, std::uint32_t bank, Clock now, std::vector<Arrival>& arrivals);
  void finish_burst(bool write, const Queued& request, Clock now, std::vector<Arrival>& arrivals);
  void note_overtaking(std::uint32_t bank, const Queued& sent);
  void activate(std::uint32_t bank, Clock now);
  void precharge(std::uint32_t bank, Clock at);
  void stop_serving(std::uint32_t bank);
  void choose_direction(Clock now);
  void refresh(Clock now);
  void refresh_while_idle(Clock now);
  // Refresh of all banks.
  void refresh_all(Clock due);
  void skip_refreshes_of_all(Clock now);
  // Refresh of single banks.
  void refresh_banks(Clock now);
  void hold_for_refresh();
  void send_refresh(Clock now);
  void log(Command command, std::uint32_t bank, Clock clock) {
    if (log_ != nullptr) [[unlikely]] {
      log_->push_back({command, bank, banks_[bank].row, clock});
    }
  }

  Clock clock_ = 0;       ///< clock of the latest decision
  Clock column_at_ = 0;   ///< no column command is possible before
  Clock row_at_ = 0;      ///< no ACT or PRE is possible before
  Clock refresh_at_ = 0;  ///< the next refresh is due, or may go on
  BankSet held_;          ///< to be refreshed now, as soon as they are closed: no row of them is opened
  bool of_single_banks_;
  RefreshSchedule schedule_;  ///< for refresh of single banks
  std::uint64_t order_ = 0;
  BusDirection direction_;
  RequestScheduler scheduler_;
  BankSet open_;  ///< banks with an open row
  /// Banks whose row was opened for a read (or write) that has not gone yet. It goes first even when the channel has
  /// turned meanwhile, and its row stays open for it: no ACT is in vain.
  std::array<BankSet, 2> promised_;
  std::vector<Bank> banks_;
  std::array<BankQueues, 2> queues_;  ///< reads, writes
  TimingTable table_;
  OpenSpans holding_;  ///< a request is queued
  stats::DramCounters counters_;
  std::vector<IssuedCommand>* log_ = nullptr;
  BusSeries* series_ = nullptr;
  RowBus* bus_ = nullptr;  ///< shared; null: the channel's own, see timing_rules()

  arch::DramTimings timing_;
  std::uint32_t burst_bytes_;
  std::uint32_t activate_clocks_;
  AddressMap map_;
};

}  // namespace gpusim::mem::dram
