// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/banked.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace gpusim::mem::dram {

namespace {

/// The oldest of the commands that are possible now, and when the first of the others is.
class OldestReady {
 public:
  explicit OldestReady(Clock now) : now_(now) {}
  template <class Order>
  void consider(std::uint32_t bank, Clock earliest, Order&& order) {
    if (earliest > now_) {
      soonest_ = std::min(soonest_, earliest);
      return;
    }
    if (found()) {
      soonest_ = now_ + 1;  // only one of them can go now
    }
    if (const std::uint64_t age = order(); age < best_order_) {
      best_order_ = age;
      bank_ = bank;
    }
  }
  void expect(Clock earliest) { soonest_ = std::min(soonest_, earliest); }
  [[nodiscard]] bool found() const { return best_order_ != kNever; }
  [[nodiscard]] std::uint32_t bank() const { return bank_; }
  [[nodiscard]] Clock soonest() const { return soonest_; }

 private:
  Clock now_;
  Clock soonest_ = kNever;
  std::uint64_t best_order_ = kNever;
  std::uint32_t bank_ = 0;
};

std::uint32_t bank_count(const arch::DramConfig& config) {
  return config.bank_groups * config.banks_per_group;
}

}  // namespace

BankedChannel::BankedChannel(const arch::DramConfig& config)
    : of_single_banks_(config.refresh != arch::DramRefresh::kAllBank),
      schedule_(config),
      banks_(bank_count(config)),
      queues_{BankQueues(bank_count(config), config.queue_entries),
              BankQueues(bank_count(config), config.queue_entries)},
      table_(config),
      timing_(config.timing),
      burst_bytes_(config.burst_bytes),
      columns_(config.row_bytes / config.burst_bytes),
      write_high_(config.write_high_percent * config.queue_entries),
      write_low_(config.write_low_percent * config.queue_entries),
      write_wait_(config.write_wait),
      activate_clocks_(config.activate_clocks),
      map_(config),
      check_bits_(config) {
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
  check_bits_.reset();
  counters_ = {};
  clock_ = 0;
  column_at_ = kNever;
  row_at_ = kNever;
  held_.clear();
  schedule_.reset();
  refresh_at_ = of_single_banks_ ? schedule_.due() : timing_.REFI == 0 ? kNever : timing_.REFI;
  order_ = 0;
  pause_at_ = kNever;
  writing_ = false;
  sent_since_turn_ = 0;
  batch_ = 0;
  if (bus_ != nullptr) {
    *bus_ = {};
  }
}

void BankedChannel::prefetch() const {
  gpusim::prefetch(banks_);
  table_.prefetch();
  for (const BankQueues& one : queues_) {
    one.prefetch();
  }
}

void BankedChannel::accept(const Request& request, Clock now) {
  // A burst is a part of its line, and a line lies in one row.
  const Place place = map_.place(request.line * (kLineBytes / burst_bytes_));
  enqueue(place, request, check_bits_.must_move(request.line, request.write), now);
}

void BankedChannel::enqueue(const Place& place, const Request& request, bool check_bits, Clock now) {
  assert(can_accept(request.write) && request.sectors != 0 && now >= clock_);
  if (queued() == 0) {
    refresh_while_idle(now);
  }
  clock_ = now;
  const Bank& bank = banks_[place.bank];
  const bool hit = open_.contains(place.bank) && !bank.closing && bank.row == place.row;
  const auto bursts = static_cast<std::uint8_t>(std::popcount(burst_mask(request.sectors, burst_bytes_)));
  BankQueues& mine = queues(request.write);
  const auto all_bursts = static_cast<std::uint8_t>(bursts + (check_bits ? 1 : 0));
  mine.push(place.bank, {place.row, order_++, request.token, all_bursts, false, check_bits}, hit);
  if (request.write == writing_) {
    if (hit) {
      column_at_ = std::min(column_at_, table_.earliest(column_command(writing_), place.bank));
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
  if (now >= pause_at_) {
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
  const Clock own = table_.earliest_in_channel(column_command(writing_));
  return promised_[writing_ ? 0 : 1].empty() ? own
                                             : std::min(own, table_.earliest_in_channel(column_command(!writing_)));
}

BankedChannel::ColumnChoice BankedChannel::choose_column(BankSet banks, bool write, Clock now) const {
  const TimingTable::Row row = table_.row(column_command(write));
  const BankQueues& mine = queues(write);
  const bool channel_is_free = row.in_channel() <= now;
  ColumnChoice choice;
  banks.for_each([&](std::uint32_t bank) {
    const Clock earliest = row.in_bank(bank);
    if (earliest > now || !channel_is_free) {
      choice.soonest = std::min(choice.soonest, earliest);
    } else if (const std::uint64_t order = mine.oldest_hit(bank).order; order < choice.order) {
      choice.order = order;
      choice.bank = bank;
    }
  });
  choice.soonest = std::max(choice.soonest, row.in_channel());
  return choice;
}

void BankedChannel::decide_column(Clock now, std::vector<Arrival>& arrivals) {
  column_at_ = earliest_column();
  if (column_at_ > now) {
    return;
  }
  Clock soonest = kNever;
  if (const BankSet promised = promised_[writing_ ? 0 : 1]; !promised.empty()) {
    const ColumnChoice choice = choose_column(promised, !writing_, now);
    if (choice.order != kNever) {
      send_burst(!writing_, choice.bank, now, arrivals);
      return;
    }
    soonest = choice.soonest;
  }
  const ColumnChoice choice = choose_column(queues(writing_).banks_with_hits(), writing_, now);
  if (choice.order != kNever) {
    send_burst(writing_, choice.bank, now, arrivals);
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
  if (write == writing_) {
    note_overtaking(bank, request);
    ++sent_since_turn_;
  }
  const BankQueues& mine = queues(writing_);
  if (!mine.banks_with_hits().contains(bank) && mine.banks_waiting().contains(bank)) {
    row_at_ = std::min(row_at_, table_.earliest(row_command(bank), bank));
  }
  if (schedule_.is_owed() && held_.empty() && !has_requests(bank)) {
    refresh_at_ = now;  // it has waited for a bank that nobody wants
  }
  choose_direction(now);
}

void BankedChannel::finish_burst(bool write, const Queued& request, Clock now, std::vector<Arrival>& arrivals) {
  const bool check_bits = request.check_bits && request.bursts == 1;
  (check_bits ? counters_.ecc_bytes : write ? counters_.write_bytes : counters_.read_bytes) += burst_bytes_;
  ++counters_.bursts;
  counters_.row_hits += request.counted ? 0 : 1;
  counters_.bus_busy_clocks += timing_.BL;
  if (!write && request.bursts == 1) {
    arrivals.push_back({request.token, now + read_latency()});
  }
}

void BankedChannel::note_overtaking(std::uint32_t bank, const Queued& sent) {
  const BankQueues& mine = queues(writing_);
  if (!mine.banks_waiting().contains(bank) || mine.oldest_waiting(bank).order > sent.order) {
    return;
  }
  // As many as the row has columns: whoever streams through an open row may finish it, and nobody waits longer.
  if (++banks_[bank].overtakes >= columns_) {
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
  const BankQueues& mine = queues(writing_);
  const BankSet without_hits = mine.banks_waiting().without(mine.banks_with_hits()).without(held_);
  const BankSet to_open = without_hits.without(open_);
  OldestReady choice(now);
  const auto consider = [&](Command command) {
    return [&, command](std::uint32_t bank) {
      choice.consider(bank, table_.earliest(command, bank), [&] { return mine.oldest_waiting(bank).order; });
    };
  };
  without_hits.within(open_).without(promised_[writing_ ? 0 : 1]).for_each(consider(Command::kPrecharge));
  // Under random access many banks wait for the same four-activate window: they need no look one by one.
  const Clock any_activate = table_.earliest_in_channel(Command::kActivate);
  if (any_activate <= now) {
    to_open.for_each(consider(Command::kActivate));
  } else if (!to_open.empty()) {
    choice.expect(any_activate);
  }
  if (!held_.empty()) {
    choice.expect(refresh_at_);
  }
  row_at_ = choice.soonest();
  if (choice.found()) {
    send_row_command(choice.bank(), now);
  }
}

void BankedChannel::send_row_command(std::uint32_t bank, Clock now) {
  const bool conflict = open_.contains(bank);
  if (queues(writing_).count_waiting(bank)) {
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
  banks_[bank] = {queues(writing_).oldest_waiting(bank).row, false, 0};
  open_.insert(bank);
  promised_[writing_ ? 1 : 0].insert(bank);
  for (BankQueues& one : queues_) {
    one.open(bank, banks_[bank].row);
  }
  table_.issue(Command::kActivate, bank, now);
  take_bus(now, activate_clocks_);
  ++counters_.activates;
  log(Command::kActivate, bank, now);
  column_at_ = std::min(column_at_, table_.earliest(column_command(writing_), bank));
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

bool BankedChannel::should_turn() const {
  const std::uint32_t reads = queues(false).requests();
  const std::uint32_t writes = queues(true).requests();
  if (writing_) {
    const bool enough = writes * 100 <= write_low_ || sent_since_turn_ >= batch_;
    return reads > 0 && (writes == 0 || enough);
  }
  const bool needed = writes * 100 >= write_high_ && sent_since_turn_ >= batch_;
  return writes > 0 && (reads == 0 || needed);
}

/// Whether the writes that might go now wait for more of them, since a read may come soon.
bool BankedChannel::should_wait(Clock now) {
  const std::uint32_t writes = queues(true).requests();
  if (writing_ || writes == 0 || writes * 100 >= write_high_ || queues(false).requests() > 0) {
    pause_at_ = kNever;
    return false;
  }
  pause_at_ = std::min(pause_at_, now + write_wait_);
  return now < pause_at_;
}

void BankedChannel::choose_direction(Clock now) {
  if (should_wait(now) || !should_turn()) {
    return;
  }
  pause_at_ = kNever;
  writing_ = !writing_;
  sent_since_turn_ = 0;
  // A drain takes what was queued when it began; then as many reads go as a drain from high to low takes writes. So
  // neither side starves when the other never runs dry.
  batch_ = writing_ ? queues(true).bursts() : (write_high_ - write_low_) / 100;
  column_at_ = now;
  row_at_ = now;
}

}  // namespace gpusim::mem::dram
