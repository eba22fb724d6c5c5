// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/banked.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/machine/mem/dram/refresh_choice.h"

namespace gpusim::mem::dram {

namespace {

std::uint32_t bank_count(const arch::DramConfig& config) {
  return config.bank_groups * config.banks_per_group;
}

}  // namespace

BankedChannel::BankedChannel(const arch::DramConfig& config)
    : of_single_banks_(config.refresh != arch::DramRefresh::kAllBank),
      schedule_(config),
      direction_(config),
      scheduler_(config),
      banks_(bank_count(config)),
      queues_{BankQueues(bank_count(config), config.queue_entries),
              BankQueues(bank_count(config), config.queue_entries)},
      table_(config),
      timing_(config.timing),
      burst_bytes_(config.burst_bytes),
      activate_clocks_(config.activate_clocks),
      map_(config) {
  reset();
}

void BankedChannel::reset() {
  table_.reset();
  std::fill(banks_.begin(), banks_.end(), Bank{});
  open_.clear();
  promised_ = {};
  for (BankQueues& one : queues_) {
    one.clear();
  }
  holding_ = {};
  counters_ = {};
  clock_ = 0;
  column_at_ = kNever;
  row_at_ = kNever;
  held_.clear();
  schedule_.reset();
  refresh_at_ = of_single_banks_ ? schedule_.due() : timing_.REFI == 0 ? kNever : timing_.REFI;
  order_ = 0;
  direction_.reset();
  if (bus_ != nullptr) {
    *bus_ = {};
  }
}

stats::DramCounters BankedChannel::counters() const {
  stats::DramCounters result = counters_;
  result.queued_clocks = holding_.cycles(clock_);
  return result;
}

void BankedChannel::accept(const Request& request, Clock now) {
  // A burst is a part of its line, and a line lies in one row.
  accept_at(map_.place(request.line * (kLineBytes / burst_bytes_)), request, now);
}

void BankedChannel::accept_at(const Place& place, const Request& request, Clock now) {
  assert(can_accept(request.write) && request.sectors != 0 && now >= clock_);
  if (queued() == 0) {
    refresh_while_idle(now);
    holding_.begin(now);
  }
  clock_ = now;
  const Bank& bank = banks_[place.bank];
  const bool hit = open_.contains(place.bank) && !bank.closing && bank.row == place.row;
  const auto bursts = static_cast<std::uint8_t>(std::popcount(burst_mask(request.sectors, burst_bytes_)));
  BankQueues& mine = queues(request.write);
  mine.push(place.bank, {place.row, order_++, request.token, bursts, false}, hit);
  if (request.write == direction_.writes()) {
    if (hit) {
      column_at_ = std::min(column_at_, table_.earliest(column_command(direction_.writes()), place.bank));
    } else if (!mine.banks_with_hits().contains(place.bank)) {
      row_at_ = std::min(row_at_, table_.earliest(row_command(place.bank), place.bank));
    }
  }
  choose_direction(now);
}

void BankedChannel::advance(Clock end, std::vector<Arrival>& arrivals) {
  assert(bus_ == nullptr);
  for (Clock now = next_step(); now < end; now = next_step()) {
    step(now, arrivals);
  }
}

void BankedChannel::advance_both(const std::array<BankedChannel*, 2>& channels, Clock end,
                                 const std::array<std::vector<Arrival>*, 2>& arrivals) {
  std::array<Clock, 2> next{channels[0]->next_step(), channels[1]->next_step()};
  while (std::min(next[0], next[1]) < end) {
    const bool tie_to_second = channels[0]->bus_->latest_user == channels[0];
    const std::size_t turn = next[0] == next[1] ? (tie_to_second ? 1 : 0) : (next[1] < next[0] ? 1 : 0);
    channels[turn]->step(next[turn], *arrivals[turn]);
    next[turn] = channels[turn]->next_step();
  }
}

void BankedChannel::step(Clock now, std::vector<Arrival>& arrivals) {
  clock_ = now;
  if (now >= direction_.pause_at()) {
    choose_direction(now);
  }
  if (now >= refresh_at_) {
    refresh(now);
    return;
  }
  if (now >= column_at_) {
    decide_column(now, arrivals);
  }
  if (now >= row_at_) {
    decide_row(now);
  }
}

void BankedChannel::take_bus(Clock from, std::uint32_t clocks) {
  if (bus_ != nullptr) {
    *bus_ = {from + clocks, this};
  }
}

Clock BankedChannel::earliest_column() const {
  const bool write = direction_.writes();
  const Clock own = table_.earliest_in_channel(column_command(write));
  return promised_[write ? 0 : 1].empty() ? own : std::min(own, table_.earliest_in_channel(column_command(!write)));
}

void BankedChannel::decide_column(Clock now, std::vector<Arrival>& arrivals) {
  column_at_ = earliest_column();
  if (column_at_ > now) {
    return;
  }
  const bool write = direction_.writes();
  Clock soonest = kNever;
  if (const BankSet promised = promised_[write ? 0 : 1]; !promised.empty()) {
    const RequestScheduler::Choice choice =
        RequestScheduler::oldest_hit(promised, queues(!write), table_, column_command(!write), now);
    if (choice.found()) {
      send_burst(!write, choice.bank, now, arrivals);
      return;
    }
    soonest = choice.soonest;
  }
  const RequestScheduler::Choice choice = scheduler_.choose_column(queues(write), table_, column_command(write), now);
  if (choice.found()) {
    send_burst(write, choice.bank, now, arrivals);
  } else {
    column_at_ = std::min(soonest, choice.soonest);
  }
}

void BankedChannel::send_burst(bool write, std::uint32_t bank, Clock now, std::vector<Arrival>& arrivals) {
  const Queued request = queues(write).take_burst(bank);
  table_.issue(column_command(write), bank, now);
  log(column_command(write), bank, now);
  promised_[write ? 1 : 0].erase(bank);
  column_at_ = earliest_column();
  finish_burst(write, request, now, arrivals);
  if (write == direction_.writes()) {
    note_overtaking(bank, request);
    direction_.note_burst();
  }
  const BankQueues& mine = current_queue();
  if (!mine.banks_with_hits().contains(bank) && mine.banks_waiting().contains(bank)) {
    row_at_ = std::min(row_at_, table_.earliest(row_command(bank), bank));
  }
  if (scheduler_.serves_oldest_only()) [[unlikely]] {
    row_at_ = std::min(row_at_, now);  // another bank's request may be the oldest now
  }
  if (schedule_.is_owed() && held_.empty() && !has_requests(queues_, bank)) {
    refresh_at_ = now;  // it has waited for a bank that nobody wants
  }
  choose_direction(now);
}

void BankedChannel::finish_burst(bool write, const Queued& request, Clock now, std::vector<Arrival>& arrivals) {
  (write ? counters_.write_bytes : counters_.read_bytes) += burst_bytes_;
  ++counters_.bursts;
  counters_.row_hits += request.counted ? 0 : 1;
  counters_.bus_busy_clocks += timing_.BL;
  if (series_ != nullptr) [[unlikely]] {
    series_->add_burst(write, now + (write ? timing_.CWL : timing_.CL));
  }
  if (!write && request.bursts == 1) {
    arrivals.push_back({request.token, now + read_latency()});
  }
  if (queued() == 0) {
    holding_.end(now);
  }
}

void BankedChannel::note_overtaking(std::uint32_t bank, const Queued& sent) {
  const BankQueues& mine = current_queue();
  if (!mine.banks_waiting().contains(bank) || mine.oldest_waiting(bank).order > sent.order) {
    return;
  }
  if (scheduler_.must_close(++banks_[bank].overtakes)) {
    stop_serving(bank);
  }
}

void BankedChannel::stop_serving(std::uint32_t bank) {
  banks_[bank].closing = true;
  for (BankQueues& one : queues_) {
    one.close(bank);
  }
}

void BankedChannel::decide_row(Clock now) {
  if (bus_free_at() > now) {
    row_at_ = bus_free_at();
    return;
  }
  const RequestScheduler::Choice choice =
      scheduler_.choose_row(current_queue(), table_, open_, held_, promised_[direction_.writes() ? 0 : 1], now);
  row_at_ = held_.empty() ? choice.soonest : std::min(choice.soonest, refresh_at_);
  if (choice.found()) {
    send_row_command(choice.bank, now);
  }
}

void BankedChannel::send_row_command(std::uint32_t bank, Clock now) {
  const bool conflict = open_.contains(bank);
  if (queues(direction_.writes()).count_waiting(bank)) {
    ++(conflict ? counters_.row_conflicts : counters_.row_misses);
  }
  if (conflict) {
    precharge(bank, now);
    row_at_ = std::min(row_at_, table_.earliest(Command::kActivate, bank));
  } else {
    activate(bank, now);
  }
}

void BankedChannel::activate(std::uint32_t bank, Clock now) {
  banks_[bank] = {current_queue().oldest_waiting(bank).row, false, 0};
  open_.insert(bank);
  promised_[direction_.writes() ? 1 : 0].insert(bank);
  for (BankQueues& one : queues_) {
    one.open(bank, banks_[bank].row);
  }
  table_.issue(Command::kActivate, bank, now);
  take_bus(now, activate_clocks_);
  ++counters_.activates;
  log(Command::kActivate, bank, now);
  column_at_ = std::min(column_at_, table_.earliest(column_command(direction_.writes()), bank));
}

void BankedChannel::precharge(std::uint32_t bank, Clock at) {
  stop_serving(bank);
  open_.erase(bank);
  for (BankSet& one : promised_) {
    one.erase(bank);
  }
  table_.issue(Command::kPrecharge, bank, at);
  take_bus(at, 1);
  ++counters_.precharges;
  log(Command::kPrecharge, bank, at);
}

void BankedChannel::choose_direction(Clock now) {
  if (direction_.turn(queues(false), queues(true), now)) {
    column_at_ = now;
    row_at_ = now;
  }
}

}  // namespace gpusim::mem::dram
