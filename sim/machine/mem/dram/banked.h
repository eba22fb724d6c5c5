// SPDX-License-Identifier: MIT
// The banked model of a pseudo-channel, in DRAM clocks. Its parts: banks.h has the rows and the requests that wait for
// them, command_port.h sends commands when JEDEC allows them, request_scheduler.h says whether reads or writes
// go and whose command is next, refresher.h when banks are refreshed. It jumps from one possible command
// to the next and never looks at the clocks between. Owns these parts and the clock of the latest decision.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/open_spans.h"
#include "sim/machine/mem/dram/address_map.h"
#include "sim/machine/mem/dram/arrival.h"
#include "sim/machine/mem/dram/banks.h"
#include "sim/machine/mem/dram/channel.h"
#include "sim/machine/mem/dram/command_port.h"
#include "sim/machine/mem/dram/refresher.h"
#include "sim/machine/mem/dram/request_scheduler.h"
#include "sim/machine/mem/dram/timing_table.h"

namespace gpusim::arch {
struct DramConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::dram {

class BankedChannel {
 public:
  explicit BankedChannel(const arch::DramConfig& config);

  [[nodiscard]] bool can_accept(bool write) const { return !banks_.queue(write).full(); }
  /// `now` is not before any clock decided so far.
  void accept(const Request& request, Clock now);
  /// As accept(), by another map than this channel's: the request lies at `place`, its line is ignored.
  void accept_at(const Place& place, const Request& request, Clock now);
  /// No command at all is decided before this clock; kNever when nothing is queued.
  [[nodiscard]] Clock next_step() const {
    return queued() == 0
               ? kNever
               : std::max(clock_, std::min({next_.column, next_.row, refresher_.next(), direction_.pause_at()}));
  }
  /// No burst is sent before this clock, as far as is known now; kNever when nothing is queued.
  [[nodiscard]] Clock next_burst() const {
    if (queued() == 0) {
      return kNever;
    }
    // Either a row is open already, or the burst comes after an ACT; in a bank that is held for a refresh, after that.
    const Clock activate_at = refresher_.held().empty() ? next_.row : std::min(next_.row, refresher_.next());
    const Clock after_activate = activate_at == kNever ? kNever : activate_at + least_to_column_;
    return std::max(clock_, std::min({next_.column, after_activate, direction_.pause_at()}));
  }
  /// Decides every command before clock `end`. Not with a shared bus of row commands.
  void advance(Clock end, std::vector<Arrival>& arrivals);
  /// From now on row commands go over `bus`, which outlives the channel.
  void share_row_bus(RowBus& bus) { port_.share(&bus); }
  /// advance() of the two that share a bus; the one that did not use it last goes first.
  static void advance_both(const std::array<BankedChannel*, 2>& channels, Clock end,
                           const std::array<std::vector<Arrival>*, 2>& arrivals);
  /// Clocks from a read command to the end of its data.
  [[nodiscard]] Clock read_latency() const { return read_latency_; }
  [[nodiscard]] bool full() const { return !can_accept(false) || !can_accept(true); }
  [[nodiscard]] std::uint32_t queued() const { return banks_.queued(); }
  [[nodiscard]] stats::DramCounters counters() const;
  void reset();
  /// Every command from now on is appended to `log`; null for none.
  void observe(std::vector<IssuedCommand>* log) { port_.observe(log); }
  /// Every burst of data from now on is added to `series`; null for none.
  void record(BusSeries* series) { port_.record(series); }

 private:
  /// Decides the commands at the clock that next_step() names.
  void step(Clock now, std::vector<Arrival>& arrivals);
  /// A lower bound for the next column command of any bank.
  [[nodiscard]] Clock earliest_column() const;
  void decide_column(Clock now, std::vector<Arrival>& arrivals);
  void decide_row(Clock now);
  void send_row_command(std::uint32_t bank, Clock now);
  void send_burst(bool write, std::uint32_t bank, Clock now, std::vector<Arrival>& arrivals);
  void note_overtaking(std::uint32_t bank, const Queued& sent);
  void choose_direction(Clock now);

  Clock clock_ = 0;
  NextCommands next_;
  Refresher refresher_;
  std::uint64_t order_ = 0;  ///< the next request's
  BusDirection direction_;
  RequestScheduler scheduler_;
  Banks banks_;
  CommandPort port_;
  OpenSpans holding_;          ///< a request is queued
  stats::DramCounters found_;  ///< how requests found their rows
  std::uint32_t burst_bytes_;
  std::uint8_t check_bursts_;      ///< bursts of check bits with each request, its last
  std::uint32_t read_latency_;     ///< clocks
  std::uint32_t least_to_column_;  ///< clocks from an ACT to the first command that it allows
  AddressMap map_;
};

}  // namespace gpusim::mem::dram
