// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/timing_table.h"

#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

std::vector<Rule> timing_rules(const arch::DramConfig& config) {
  using enum Command;
  using enum Scope;
  const arch::DramTimings& t = config.timing;
  const std::uint32_t write_data = t.CWL + t.BL;
  return {
      // Rows.
      {kActivate, kRead, kBank, t.RCDRD},
      {kActivate, kWrite, kBank, t.RCDWR},
      {kActivate, kPrecharge, kBank, t.RAS},
      {kActivate, kActivate, kBank, t.RC},
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
      // Refresh of a bank, to the others as an activate.
      {kRefreshBank, kActivate, kBank, t.RFCpb},
      {kRefreshBank, kActivate, kGroup, t.RRDL},
      {kRefreshBank, kActivate, kChannel, t.RREFD},
      {kRefreshBank, kPrecharge, kChannel, 1},
      // The row bus; the column bus is never tighter than CCDS and the turnarounds.
      {kActivate, kActivate, kChannel, config.activate_clocks},
      {kActivate, kPrecharge, kChannel, config.activate_clocks},
      {kPrecharge, kActivate, kChannel, 1},
      {kPrecharge, kPrecharge, kChannel, 1},
      {kRead, kWrite, kChannel, 1},
  };
}

TimingTable::TimingTable(const arch::DramConfig& config)
    : first_bank_cell_(1 + config.bank_groups),
      cells_(first_bank_cell_ + std::size_t{config.bank_groups} * config.banks_per_group),
      four_activates_(config.timing.FAW),
      bounds_((kCommands - 1) * cells_) {
  const std::vector<Rule> rules = timing_rules(config);
  for (std::size_t from = 0; from < kCommands; ++from) {
    for (const Rule& rule : rules) {
      if (static_cast<std::size_t>(rule.from) == from) {
        add_effect(effects_of_[from], rule);
      }
    }
    effects_of_[from + 1] = static_cast<std::uint8_t>(effects_.size());
  }
  for (std::uint32_t bank = 0; bank < config.bank_groups * config.banks_per_group; ++bank) {
    group_cells_[bank] = static_cast<std::uint8_t>(1 + bank / config.banks_per_group);
  }
}

/// If several rules concern the same cells, the strictest holds. The rules of this command begin at `first`.
void TimingTable::add_effect(std::size_t first, const Rule& rule) {
  const auto row = static_cast<std::uint16_t>(static_cast<std::size_t>(rule.to) * cells_);
  for (std::size_t i = first; i < effects_.size(); ++i) {
    if (effects_[i].row == row && effects_[i].scope == rule.scope) {
      effects_[i].clocks = std::max(effects_[i].clocks, rule.clocks);
      return;
    }
  }
  effects_.push_back({rule.clocks, row, rule.scope});
}

void TimingTable::issue(Command command, std::uint32_t bank, Clock at) {
  const std::array<std::size_t, 3> cells{bank_cell(bank), group_cells_[bank], 0};
  const auto from = static_cast<std::size_t>(command);
  for (std::size_t i = effects_of_[from]; i < effects_of_[from + 1]; ++i) {
    const Effect& effect = effects_[i];
    Clock& bound = bounds_[effect.row + cells[static_cast<std::size_t>(effect.scope)]];
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
