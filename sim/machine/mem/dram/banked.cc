// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/banked.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

namespace {

std::uint32_t bank_count(const arch::DramConfig& config) {
  return config.bank_groups * config.banks_per_group;
}

}  // namespace

BankedChannel::BankedChannel(const arch::DramConfig& config)
    : refresher_(config),
      direction_(config),
      scheduler_(config),
      banks_(bank_count(config), config.queue_entries),
      port_(config),
      burst_bytes_(config.burst_bytes),
      check_bursts_(check_bursts(config)),
      read_latency_(config.timing.CL + config.timing.BL),
      least_to_column_(std::min(config.timing.RCDRD, config.timing.RCDWR)),
      map_(config) {
  reset();
}

void BankedChannel::reset() {
  port_.reset();
  banks_.clear();
  refresher_.reset();
  direction_.reset();
  holding_ = {};
  found_ = {};
  clock_ = 0;
  next_ = {};
  order_ = 0;
}

stats::DramCounters BankedChannel::counters() const {
  stats::DramCounters sum = found_;
  stats::add(sum, port_.counters());
  stats::add(sum, refresher_.counters());
  sum.queued_clocks = holding_.cycles(clock_);
  return sum;
}

void BankedChannel::accept(const Request& request, Clock now) {
  // A burst is a part of its line, and a line lies in one row.
  accept_at(map_.place(request.line * (kLineBytes / burst_bytes_)), request, now);
}

void BankedChannel::accept_at(const Place& place, const Request& request, Clock now) {
  assert(can_accept(request.write) && request.sectors != 0 && now >= clock_);
  if (queued() == 0) {
    refresher_.catch_up(now, {banks_, port_, next_});
    holding_.begin(now);
  }
  clock_ = now;
  const auto bursts =
      static_cast<std::uint8_t>(std::popcount(burst_mask(request.sectors, burst_bytes_)) + check_bursts_);
  const bool hit = banks_.push(place, {place.row, order_++, request.token, bursts, false}, request.write);
  if (request.write == direction_.writes()) {
    if (hit) {
      next_.column = std::min(next_.column, port_.table().earliest(column_command(request.write), place.bank));
    } else if (!banks_.queue(request.write).banks_with_hits().contains(place.bank)) {
      next_.row = std::min(next_.row, port_.table().earliest(banks_.row_command(place.bank), place.bank));
    }
  }
  choose_direction(now);
}

[[gnu::noinline, gnu::flatten]] void BankedChannel::advance(Clock end, std::vector<Arrival>& arrivals) {
  assert(!port_.shares_bus());
  for (Clock now = next_step(); now < end; now = next_step()) {
    step(now, arrivals);
  }
}

[[gnu::noinline]] void BankedChannel::advance_both(const std::array<BankedChannel*, 2>& channels, Clock end,
                                                   const std::array<std::vector<Arrival>*, 2>& arrivals) {
  std::array<Clock, 2> next{channels[0]->next_step(), channels[1]->next_step()};
  while (std::min(next[0], next[1]) < end) {
    const bool tie_to_second = channels[0]->port_.used_bus_last();
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
  if (now >= refresher_.next()) {
    refresher_.step(now, {banks_, port_, next_});
    return;
  }
  if (now >= next_.column) {
    decide_column(now, arrivals);
  }
  if (now >= next_.row) {
    decide_row(now);
  }
}

Clock BankedChannel::earliest_column() const {
  const bool write = direction_.writes();
  const Clock own = port_.table().earliest_in_channel(column_command(write));
  return banks_.promised(!write).empty() ? own
                                         : std::min(own, port_.table().earliest_in_channel(column_command(!write)));
}

void BankedChannel::decide_column(Clock now, std::vector<Arrival>& arrivals) {
  next_.column = earliest_column();
  if (next_.column > now) {
    return;
  }
  const bool write = direction_.writes();
  Clock soonest = kNever;
  if (const BankSet promised = banks_.promised(!write); !promised.empty()) {
    const RequestScheduler::Choice choice =
        RequestScheduler::oldest_hit(promised, banks_.queue(!write), port_.table(), column_command(!write), now);
    if (choice.found()) {
      send_burst(!write, choice.bank, now, arrivals);
      return;
    }
    soonest = choice.soonest;
  }
  const RequestScheduler::Choice choice =
      scheduler_.choose_column(banks_.queue(write), port_.table(), column_command(write), now);
  if (choice.found()) {
    send_burst(write, choice.bank, now, arrivals);
  } else {
    next_.column = std::min(soonest, choice.soonest);
  }
}

[[gnu::noinline, gnu::flatten]] void BankedChannel::send_burst(bool write, std::uint32_t bank, Clock now,
                                                               std::vector<Arrival>& arrivals) {
  const Queued request = banks_.take_burst(bank, write);
  port_.burst(banks_, bank, write, request.bursts <= check_bursts_, now);
  next_.column = earliest_column();
  found_.row_hits += request.counted ? 0 : 1;
  if (!write && request.bursts == 1) {
    arrivals.push_back({request.token, now + read_latency()});
  }
  if (queued() == 0) {
    holding_.end(now);
  }
  if (write == direction_.writes()) {
    note_overtaking(bank, request);
    direction_.note_burst();
  }
  const BankQueues& mine = banks_.queue(direction_.writes());
  if (!mine.banks_with_hits().contains(bank) && mine.banks_waiting().contains(bank)) {
    next_.row = std::min(next_.row, port_.table().earliest(banks_.row_command(bank), bank));
  }
  if (scheduler_.serves_oldest_only()) [[unlikely]] {
    next_.row = std::min(next_.row, now);  // another bank's request may be the oldest now
  }
  refresher_.note_burst(bank, now, banks_);
  choose_direction(now);
}

void BankedChannel::note_overtaking(std::uint32_t bank, const Queued& sent) {
  const BankQueues& mine = banks_.queue(direction_.writes());
  if (!mine.banks_waiting().contains(bank) || mine.oldest_waiting(bank).order > sent.order) {
    return;
  }
  if (scheduler_.must_close(banks_.note_overtaking(bank))) {
    banks_.stop_serving(bank);
  }
}

[[gnu::noinline, gnu::flatten]] void BankedChannel::decide_row(Clock now) {
  if (port_.bus_free_at() > now) {
    next_.row = port_.bus_free_at();
    return;
  }
  const RequestScheduler::Choice choice =
      scheduler_.choose_row(banks_.queue(direction_.writes()), port_.table(), banks_.open(), refresher_.held(),
                            banks_.promised(!direction_.writes()), now);
  next_.row = refresher_.held().empty() ? choice.soonest : std::min(choice.soonest, refresher_.next());
  if (choice.found()) {
    send_row_command(choice.bank, now);
  }
}

void BankedChannel::send_row_command(std::uint32_t bank, Clock now) {
  const bool write = direction_.writes();
  const bool conflict = banks_.open().contains(bank);
  if (banks_.count_waiting(bank, write)) {
    ++(conflict ? found_.row_conflicts : found_.row_misses);
  }
  if (conflict) {
    port_.precharge(banks_, bank, now);
    next_.row = std::min(next_.row, port_.table().earliest(Command::kActivate, bank));
  } else {
    port_.activate(banks_, bank, write, now);
    next_.column = std::min(next_.column, port_.table().earliest(column_command(write), bank));
  }
}

void BankedChannel::choose_direction(Clock now) {
  if (direction_.turn(banks_.queue(false), banks_.queue(true), now)) {
    next_.column = now;
    next_.row = now;
  }
}

}  // namespace gpusim::mem::dram
