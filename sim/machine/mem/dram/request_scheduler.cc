// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/request_scheduler.h"

#include <algorithm>

#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

namespace {

/// The oldest of the commands that are possible now, and when the first of the others is.
class OldestReady {
 public:
  explicit OldestReady(Clock now) : now_(now) {}
  template <class Order>
  void consider(std::uint32_t bank, Clock earliest, Order&& order) {
    if (earliest > now_) {
      expect(earliest);
      return;
    }
    if (choice_.found()) {
      choice_.soonest = now_ + 1;  // only one of them can go now
    }
    if (const std::uint64_t age = order(); age < choice_.order) {
      choice_.order = age;
      choice_.bank = bank;
    }
  }
  void expect(Clock earliest) { choice_.soonest = std::min(choice_.soonest, earliest); }
  [[nodiscard]] const RequestScheduler::Choice& choice() const { return choice_; }

 private:
  Clock now_;
  RequestScheduler::Choice choice_;
};

}  // namespace

BusDirection::BusDirection(const arch::DramConfig& config)
    : high_(config.write_high_percent * config.queue_entries),
      low_(config.write_low_percent * config.queue_entries),
      wait_(config.write_wait) {}

void BusDirection::reset() {
  writing_ = false;
  pause_at_ = kNever;
  sent_since_turn_ = 0;
  batch_ = 0;
}

bool BusDirection::turn(const BankQueues& reads, const BankQueues& writes, Clock now) {
  if (should_wait(reads.requests(), writes.requests(), now) || !should_turn(reads.requests(), writes.requests())) {
    return false;
  }
  pause_at_ = kNever;
  writing_ = !writing_;
  sent_since_turn_ = 0;
  // A drain takes what was queued when it began; then as many reads go as a drain from high to low takes writes. So
  // neither side starves when the other never runs dry.
  batch_ = writing_ ? writes.bursts() : (high_ - low_) / 100;
  return true;
}

bool BusDirection::should_turn(std::uint32_t reads, std::uint32_t writes) const {
  if (writing_) {
    const bool enough = writes * 100 <= low_ || sent_since_turn_ >= batch_;
    return reads > 0 && (writes == 0 || enough);
  }
  const bool needed = writes * 100 >= high_ && sent_since_turn_ >= batch_;
  return writes > 0 && (reads == 0 || needed);
}

/// Whether the writes that might go now wait for more of them, since a read may come soon.
bool BusDirection::should_wait(std::uint32_t reads, std::uint32_t writes, Clock now) {
  if (writing_ || writes == 0 || writes * 100 >= high_ || reads > 0) {
    pause_at_ = kNever;
    return false;
  }
  pause_at_ = std::min(pause_at_, now + wait_);
  return now < pause_at_;
}

/// Without a cap of its own a row may be preferred for as many bursts as it has columns: a stream through an
/// open row may finish it.
RequestScheduler::RequestScheduler(const arch::DramConfig& config)
    : policy_(config.scheduler,
              {config.scheduler_cap != 0 ? config.scheduler_cap : config.row_bytes / config.burst_bytes}),
      serves_oldest_only_(policy_.with([](const auto& policy) { return policy.kServesOldestOnly; })) {}

[[gnu::noinline]] RequestScheduler::Choice RequestScheduler::oldest_hit(BankSet banks, const BankQueues& queue,
                                                                        const TimingTable& table, Command command,
                                                                        Clock now) {
  const TimingTable::Row row = table.row(command);
  const bool channel_is_free = row.in_channel() <= now;
  Choice choice;
  banks.for_each([&](std::uint32_t bank) {
    const Clock earliest = row.in_bank(bank);
    if (earliest > now || !channel_is_free) {
      choice.soonest = std::min(choice.soonest, earliest);
    } else if (const std::uint64_t order = queue.oldest_hit(bank).order; order < choice.order) {
      choice.order = order;
      choice.bank = bank;
    }
  });
  choice.soonest = std::max(choice.soonest, row.in_channel());
  return choice;
}

RequestScheduler::Choice RequestScheduler::choose_row(const BankQueues& queue, const TimingTable& table, BankSet open,
                                                      BankSet held, BankSet promised, Clock now) {
  const BankSet banks = policy_.with([&](auto& policy) { return policy.may_prepare(queue); }).without(held);
  const BankSet to_open = banks.without(open);
  OldestReady oldest(now);
  const auto consider = [&](Command command) {
    return [&, command](std::uint32_t bank) {
      oldest.consider(bank, table.earliest(command, bank), [&] { return queue.oldest_waiting(bank).order; });
    };
  };
  banks.within(open).without(promised).for_each(consider(Command::kPrecharge));
  // Under random access many banks wait for the same four-activate window: they need no look one by one.
  const Clock any_activate = table.earliest_in_channel(Command::kActivate);
  if (any_activate <= now) {
    to_open.for_each(consider(Command::kActivate));
  } else if (!to_open.empty()) {
    oldest.expect(any_activate);
  }
  return oldest.choice();
}

}  // namespace gpusim::mem::dram
