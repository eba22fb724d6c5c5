// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/refresher.h"

#include <algorithm>

#include "sim/machine/mem/dram/banks.h"
#include "sim/machine/mem/dram/command_port.h"
#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

namespace {

/// Banks that one refresh takes. GDDR6 pairs those of 16 banks whose numbers differ in the highest bit.
std::uint32_t banks_together(const arch::DramConfig& config) {
  return config.refresh == arch::DramRefresh::kTwoBank ? 2 : 1;
}

/// A unit without requests, preferably one that is closed, so that no open row is lost.
BankSet idle_unit(const RefreshSchedule& schedule, const Banks& banks) {
  BankSet idle = schedule.left();
  for (const bool write : {false, true}) {
    idle = idle.without(banks.queue(write).banks_with_hits()).without(banks.queue(write).banks_waiting());
  }
  BankSet closed;
  BankSet any;
  idle.for_each([&](std::uint32_t bank) {
    const BankSet unit = schedule.unit_of(bank);
    if (!unit.without(idle).empty()) {
      return;
    }
    any = any.empty() ? unit : any;
    closed = closed.empty() && unit.within(banks.open()).empty() ? unit : closed;
  });
  return closed.empty() ? any : closed;
}

/// The one whose oldest request has come last; a row that has just been opened for a request is spared.
BankSet least_urgent_unit(const RefreshSchedule& schedule, const Banks& banks) {
  BankSet best;
  std::uint64_t best_order = 0;
  for (const bool spare : {true, false}) {
    schedule.left().for_each([&](std::uint32_t bank) {
      const BankSet unit = schedule.unit_of(bank);
      std::uint64_t order = kNever;
      bool promised = false;
      unit.for_each([&](std::uint32_t one) {
        order = std::min(order, banks.oldest_order(one));
        promised = promised || banks.promised(false).contains(one) || banks.promised(true).contains(one);
      });
      if (!(spare && promised) && (best.empty() || order > best_order)) {
        best = unit;
        best_order = order;
      }
    });
    if (!best.empty()) {
      break;
    }
  }
  return best;
}

/// The unit that is refreshed now, empty when there is none. One that no request wants is refreshed at once. While
/// every bank has requests, refreshes wait as long as they may.
BankSet banks_to_refresh(const RefreshSchedule& schedule, const Banks& banks) {
  if (!schedule.is_owed()) {
    return {};
  }
  const BankSet idle = idle_unit(schedule, banks);
  return idle.empty() && schedule.is_urgent() ? least_urgent_unit(schedule, banks) : idle;
}

}  // namespace

RefreshSchedule::RefreshSchedule(const arch::DramConfig& config)
    : units_(config.bank_groups * config.banks_per_group / banks_together(config)),
      interval_(config.refresh == arch::DramRefresh::kAllBank ? 0 : config.timing.REFI),
      most_owed_(std::uint64_t{config.refresh_postponed} * units_.size()) {
  for (std::uint32_t bank = 0; bank < config.bank_groups * config.banks_per_group; ++bank) {
    units_[bank % units_.size()].insert(bank);
    all_.insert(bank);
  }
  reset();
}

void RefreshSchedule::reset() {
  left_ = all_;
  round_start_ = 0;
  in_round_ = 0;
  owed_ = 0;
  set_due();
}

void RefreshSchedule::set_due() {
  due_ = interval_ == 0 ? kNever : round_start_ + (in_round_ + 1) * interval_ / units_.size();
}

void RefreshSchedule::fall_due() {
  ++owed_;
  if (++in_round_ == units_.size()) {
    in_round_ = 0;
    round_start_ += interval_;
  }
  set_due();
}

void RefreshSchedule::finish(BankSet unit) {
  --owed_;
  left_ = left_.without(unit);
  if (left_.empty()) {
    left_ = all_;
  }
}

std::uint64_t RefreshSchedule::skip_idle(Clock now) {
  if (now < due_ + 3 * interval_) {
    return 0;
  }
  const std::uint64_t rounds = (now - due_) / interval_ - 2;
  round_start_ += rounds * interval_;
  set_due();
  return rounds * units_.size();
}

Refresher::Refresher(const arch::DramConfig& config)
    : interval_(config.timing.REFI),
      of_single_banks_(config.refresh != arch::DramRefresh::kAllBank),
      schedule_(config) {
  reset();
}

void Refresher::reset() {
  held_.clear();
  schedule_.reset();
  counters_ = {};
  next_ = of_single_banks_ ? schedule_.due() : interval_ == 0 ? kNever : interval_;
}

[[gnu::noinline]] void Refresher::step(Clock now, const Refreshed& changed) {
  if (of_single_banks_) {
    refresh_banks(now, changed);
  } else {
    refresh_all(now, changed);
  }
}

[[gnu::noinline]] void Refresher::catch_up(Clock now, const Refreshed& changed) {
  // What has gone over a shared bus meanwhile is decided: these commands take no turn on it.
  RowBus* const bus = changed.port.share(nullptr);
  if (!of_single_banks_) {
    skip_refreshes_of_all(now, changed);
  }
  while (of_single_banks_ && next_ < now) {
    counters_.bank_refreshes += schedule_.skip_idle(now);
    refresh_banks(next_, changed);
  }
  changed.port.share(bus);
}

void Refresher::note_burst(std::uint32_t bank, Clock now, const Banks& banks) {
  if (schedule_.is_owed() && held_.empty() && !banks.has_requests(bank)) {
    next_ = now;
  }
}

void Refresher::refresh_all(Clock due, const Refreshed& changed) {
  CommandPort& port = changed.port;
  // One command precharges all banks (PREA), as soon as the last of them may be.
  const BankSet closing = changed.banks.open();
  Clock close_at = std::max(due, port.bus_free_at());
  closing.for_each(
      [&](std::uint32_t bank) { close_at = std::max(close_at, port.table().earliest(Command::kPrecharge, bank)); });
  closing.for_each([&](std::uint32_t bank) { port.precharge(changed.banks, bank, close_at); });
  port.refresh_all(changed.banks, std::max(close_at, port.table().earliest(Command::kRefresh, 0)));
  ++counters_.refreshes;
  next_ += interval_;
  changed.next = {kNever, port.table().earliest_in_channel(Command::kActivate)};
}

void Refresher::skip_refreshes_of_all(Clock now, const Refreshed& changed) {
  if (next_ >= now) {
    return;
  }
  refresh_all(next_, changed);  // closes the rows
  if (next_ < now) {
    // Those between find every bank closed and leave nothing behind; the last one may still be under way.
    const std::uint64_t skipped = (now - 1 - next_) / interval_;
    counters_.refreshes += skipped;
    next_ += skipped * interval_;
    refresh_all(next_, changed);
  }
}

/// One step towards the refresh of the banks held: closes one of them, or refreshes them.
void Refresher::refresh_banks(Clock now, const Refreshed& changed) {
  CommandPort& port = changed.port;
  while (schedule_.due() <= now) {
    schedule_.fall_due();
  }
  if (held_.empty()) {
    hold(changed.banks);
  }
  if (held_.empty()) {
    next_ = schedule_.due();
    return;
  }
  if (const BankSet open = held_.within(changed.banks.open()); !open.empty()) {
    const std::uint32_t bank = open.first();
    next_ = std::max(port.bus_free_at(), port.table().earliest(Command::kPrecharge, bank));
    if (next_ <= now) {
      port.precharge(changed.banks, bank, now);
      next_ = now + 1;
    }
    return;
  }
  next_ = std::max(now, port.bus_free_at());
  held_.for_each([&](std::uint32_t bank) { next_ = std::max(next_, port.table().earliest_refresh(bank)); });
  if (next_ <= now) {
    send_refresh(now, changed);
  }
}

void Refresher::hold(Banks& banks) {
  held_ = banks_to_refresh(schedule_, banks);
  held_.for_each([&](std::uint32_t bank) { banks.give_up(bank); });
}

void Refresher::send_refresh(Clock now, const Refreshed& changed) {
  const TimingTable& table = changed.port.table();
  changed.port.refresh(changed.banks, held_, now);
  held_.for_each([&](std::uint32_t bank) {
    changed.next.row = std::min(changed.next.row, table.earliest(Command::kActivate, bank));
  });
  ++counters_.bank_refreshes;
  schedule_.finish(held_);
  held_.clear();
  next_ = schedule_.is_owed() ? now + 1 : schedule_.due();
}

}  // namespace gpusim::mem::dram
