// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/command_port.h"

#include <utility>

#include "sim/machine/mem/dram/banks.h"
#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

CommandPort::CommandPort(const arch::DramConfig& config)
    : table_(config),
      read_clocks_(config.timing.CL),
      write_clocks_(config.timing.CWL),
      burst_clocks_(config.timing.BL),
      burst_bytes_(config.burst_bytes),
      activate_clocks_(config.activate_clocks) {}

RowBus* CommandPort::share(RowBus* bus) {
  return std::exchange(bus_, bus);
}

void CommandPort::reset() {
  table_.reset();
  counters_ = {};
  if (bus_ != nullptr) {
    *bus_ = {};
  }
}

void CommandPort::take_bus(Clock from, std::uint32_t clocks) {
  if (bus_ != nullptr) {
    *bus_ = {from + clocks, this};
  }
}

void CommandPort::log(const Banks& banks, Command command, std::uint32_t bank, Clock clock) {
  if (log_ != nullptr) [[unlikely]] {
    log_->push_back({command, bank, banks.row(bank), clock});
  }
}

void CommandPort::activate(Banks& banks, std::uint32_t bank, bool write, Clock at) {
  banks.open_row(bank, write);
  table_.issue(Command::kActivate, bank, at);
  take_bus(at, activate_clocks_);
  ++counters_.activates;
  log(banks, Command::kActivate, bank, at);
}

void CommandPort::precharge(Banks& banks, std::uint32_t bank, Clock at) {
  banks.close_row(bank);
  table_.issue(Command::kPrecharge, bank, at);
  take_bus(at, 1);
  ++counters_.precharges;
  log(banks, Command::kPrecharge, bank, at);
}

void CommandPort::refresh_all(const Banks& banks, Clock at) {
  table_.issue(Command::kRefresh, 0, at);
  log(banks, Command::kRefresh, 0, at);
}

void CommandPort::refresh(const Banks& banks, BankSet unit, Clock at) {
  unit.for_each([&](std::uint32_t bank) {
    table_.issue(Command::kRefreshBank, bank, at);
    log(banks, Command::kRefreshBank, bank, at);
  });
  take_bus(at, 1);
}

void CommandPort::burst(const Banks& banks, std::uint32_t bank, bool write, bool check_bits, Clock at) {
  table_.issue(column_command(write), bank, at);
  log(banks, column_command(write), bank, at);
  (check_bits ? counters_.ecc_bytes : write ? counters_.write_bytes : counters_.read_bytes) += burst_bytes_;
  ++counters_.bursts;
  counters_.bus_busy_clocks += burst_clocks_;
  if (series_ != nullptr && !check_bits) [[unlikely]] {
    series_->add_burst(write, at + (write ? write_clocks_ : read_clocks_));
  }
}

}  // namespace gpusim::mem::dram
