// SPDX-License-Identifier: MIT
#include "sim/mem/dram/timing_table.h"

namespace gpusim::mem::dram {

std::vector<Rule> timing_rules(const arch::DramTimings& t) {
  using enum Command;
  using enum Scope;
  const std::uint32_t write_data = t.CWL + t.BL;
  return {
      // Rows.
      {kActivate, kRead, kBank, t.RCDRD},
      {kActivate, kWrite, kBank, t.RCDWR},
      {kActivate, kPrecharge, kBank, t.RAS},
      {kActivate, kActivate, kBank, t.RAS + t.RP},
      {kActivate, kActivate, kGroup, t.RRDL},
      {kActivate, kActivate, kChannel, t.RRDS},
      {kPrecharge, kActivate, kBank, t.RP},
      {kRead, kPrecharge, kBank, t.RTP},
      {kWrite, kPrecharge, kBank, write_data + t.WR},
      // Columns.
      {kRead, kRead, kChannel, t.CCDS},
      {kRead, kRead, kGroup, t.CCDL},
      {kWrite, kWrite, kChannel, t.CCDS},
      {kWrite, kWrite, kGroup, t.CCDL},
      {kRead, kWrite, kChannel, t.RTW},
      {kWrite, kRead, kChannel, write_data + t.WTRS},
      {kWrite, kRead, kGroup, write_data + t.WTRL},
      // Refresh of all banks.
      {kPrecharge, kRefresh, kChannel, t.RP},
      {kRefresh, kActivate, kChannel, t.RFC},
      {kRefresh, kRefresh, kChannel, t.RFC},
      // The row bus; the column bus is never tighter than CCDS and the turnarounds.
      {kActivate, kActivate, kChannel, 1},
      {kActivate, kPrecharge, kChannel, 1},
      {kPrecharge, kActivate, kChannel, 1},
      {kPrecharge, kPrecharge, kChannel, 1},
      {kRead, kWrite, kChannel, 1},
  };
}

TimingTable::TimingTable(const arch::DramTimings& timing, std::uint32_t groups, std::uint32_t banks_per_group)
    : groups_(groups), four_activates_(timing.FAW) {
  for (const Rule& rule : timing_rules(timing)) {
    effects_[static_cast<std::size_t>(rule.from)].push_back(
        {rule.scope, static_cast<std::uint8_t>(rule.to), rule.clocks});
  }
  for (std::uint32_t bank = 0; bank < groups * banks_per_group; ++bank) {
    group_rows_.push_back((1 + bank / banks_per_group) * kStride);
  }
  bounds_.resize((1 + groups_ + group_rows_.size()) * kStride);
}

void TimingTable::issue(Command command, std::uint32_t bank, Clock at) {
  const std::array<std::size_t, 3> rows{bank_row(bank), group_row(bank), 0};
  for (const Effect& effect : effects_[static_cast<std::size_t>(command)]) {
    Clock& bound = bounds_[rows[static_cast<std::size_t>(effect.scope)] + effect.to];
    bound = std::max(bound, at + effect.clocks);
  }
  if (command == Command::kActivate) {
    window_[oldest_] = at + four_activates_;
    oldest_ = (oldest_ + 1) % kActivateWindow;
    window_end_ = window_[oldest_];
  }
}

void TimingTable::reset() {
  std::fill(bounds_.begin(), bounds_.end(), Clock{0});
  window_.fill(0);
  oldest_ = 0;
  window_end_ = 0;
}

}  // namespace gpusim::mem::dram
