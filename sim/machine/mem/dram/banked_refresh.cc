// SPDX-License-Identifier: MIT
// Refreshes of a pseudo-channel: of all banks by one command, which stops it, or of single banks, which hide behind the
// work of the others.
#include <algorithm>
#include <utility>

#include "sim/machine/mem/dram/banked.h"
#include "sim/machine/mem/dram/refresh_choice.h"

namespace gpusim::mem::dram {

void BankedChannel::refresh(Clock now) {
  if (of_single_banks_) {
    refresh_banks(now);
  } else {
    refresh_all(now);
  }
}

void BankedChannel::refresh_while_idle(Clock now) {
  // What has gone over a shared bus meanwhile is decided: these commands take no turn on it.
  RowBus* const bus = std::exchange(bus_, nullptr);
  if (!of_single_banks_) {
    skip_refreshes_of_all(now);
  }
  while (of_single_banks_ && refresh_at_ < now) {
    counters_.bank_refreshes += schedule_.skip_idle(now);
    refresh_banks(refresh_at_);
  }
  bus_ = bus;
}

void BankedChannel::refresh_all(Clock due) {
  Clock close_at = std::max(due, bus_free_at());
  open_.for_each(
      [&](std::uint32_t bank) { close_at = std::max(close_at, table_.earliest(Command::kPrecharge, bank)); });
  // One command precharges all banks (PREA), as soon as the last of them may be.
  const BankSet closing = open_;
  closing.for_each([&](std::uint32_t bank) { precharge(bank, close_at); });
  const Clock start = std::max(close_at, table_.earliest(Command::kRefresh, 0));
  table_.issue(Command::kRefresh, 0, start);
  ++counters_.refreshes;
  log(Command::kRefresh, 0, start);
  refresh_at_ += timing_.REFI;
  column_at_ = kNever;
  row_at_ = table_.earliest_in_channel(Command::kActivate);
}

void BankedChannel::skip_refreshes_of_all(Clock now) {
  if (refresh_at_ >= now) {
    return;
  }
  refresh_all(refresh_at_);  // closes the rows
  if (refresh_at_ < now) {
    // Those between find every bank closed and leave nothing behind; the last one may still be under way.
    const std::uint64_t skipped = (now - 1 - refresh_at_) / timing_.REFI;
    counters_.refreshes += skipped;
    refresh_at_ += skipped * timing_.REFI;
    refresh_all(refresh_at_);
  }
}

/// One step towards the refresh of the banks held: closes one of them, or refreshes them.
void BankedChannel::refresh_banks(Clock now) {
  while (schedule_.due() <= now) {
    schedule_.fall_due();
  }
  if (held_.empty()) {
    hold_for_refresh();
  }
  if (held_.empty()) {
    refresh_at_ = schedule_.due();
    return;
  }
  if (const BankSet open = held_.within(open_); !open.empty()) {
    const std::uint32_t bank = open.first();
    refresh_at_ = std::max(bus_free_at(), table_.earliest(Command::kPrecharge, bank));
    if (refresh_at_ <= now) {
      precharge(bank, now);
      refresh_at_ = now + 1;
    }
    return;
  }
  refresh_at_ = std::max(now, bus_free_at());
  held_.for_each([&](std::uint32_t bank) { refresh_at_ = std::max(refresh_at_, table_.earliest_refresh(bank)); });
  if (refresh_at_ <= now) {
    send_refresh(now);
  }
}

void BankedChannel::hold_for_refresh() {
  held_ = banks_to_refresh({schedule_, queues_, open_, promised_});
  held_.for_each([&](std::uint32_t bank) {
    stop_serving(bank);
    for (BankSet& one : promised_) {
      one.erase(bank);
    }
  });
}

void BankedChannel::send_refresh(Clock now) {
  held_.for_each([&](std::uint32_t bank) {
    table_.issue(Command::kRefreshBank, bank, now);
    log(Command::kRefreshBank, bank, now);
    row_at_ = std::min(row_at_, table_.earliest(Command::kActivate, bank));
  });
  take_bus(now, 1);
  ++counters_.bank_refreshes;
  schedule_.finish(held_);
  held_.clear();
  refresh_at_ = schedule_.is_owed() ? now + 1 : schedule_.due();
}

}  // namespace gpusim::mem::dram
