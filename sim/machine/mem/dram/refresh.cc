// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/refresh.h"

#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

namespace {

/// Banks that one refresh takes. GDDR6 pairs those of 16 banks whose numbers differ in the highest bit.
std::uint32_t banks_together(const arch::DramConfig& config) {
  return config.refresh == arch::DramRefresh::kTwoBank ? 2 : 1;
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

}  // namespace gpusim::mem::dram
