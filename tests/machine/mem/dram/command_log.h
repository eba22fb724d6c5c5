// SPDX-License-Identifier: MIT
// A channel whose commands are written down, and JEDEC's rules for what is written.
#pragma once

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/mem/dram/banked.h"
#include "sim/model/arch/arch.h"

#include "tests/machine/mem/dram/drive.h"

namespace gpusim::test {

using mem::dram::Arrival;
using mem::dram::BankedChannel;
using mem::dram::Clock;
using mem::dram::Command;
using mem::dram::IssuedCommand;
using mem::dram::Rule;
using mem::dram::Scope;

/// A channel with a log of its commands.
struct Bench {
  explicit Bench(const arch::DramConfig& with) : config(with), channel(with) { channel.observe(&log); }

  /// Reads one burst at `at`, all else done; returns the clocks until its data is there.
  Clock read(std::uint64_t burst, Clock at) {
    run(at);
    channel.accept(burst_request(burst, false), at);
    run(at + 5000);
    return arrivals.back().clock - at;
  }
  void run(Clock end) { channel.advance(end, arrivals); }
  Clock time_of(Command command, std::size_t nth = 0) const {
    for (const IssuedCommand& issued : log) {
      if (issued.command == command && nth-- == 0) {
        return issued.clock;
      }
    }
    return kNever;
  }
  [[nodiscard]] std::size_t count(Command command) const {
    return static_cast<std::size_t>(
        std::count_if(log.begin(), log.end(), [&](const IssuedCommand& issued) { return issued.command == command; }));
  }

  arch::DramConfig config;
  BankedChannel channel;
  std::vector<IssuedCommand> log;
  std::vector<Arrival> arrivals;
};

inline arch::DramConfig without_refresh(arch::DramConfig config) {
  config.timing.REFI = 0;
  return config;
}

inline bool holds(const Rule& rule, const IssuedCommand& from, const IssuedCommand& to, std::uint32_t banks_per_group) {
  const bool same_bank = from.bank == to.bank;
  const bool same_group = from.bank / banks_per_group == to.bank / banks_per_group;
  // A refresh of a bank waits as an activate does.
  const Command command = to.command == Command::kRefreshBank ? Command::kActivate : to.command;
  const bool applies = rule.from == from.command && rule.to == command &&
                       (rule.scope == Scope::kChannel || (rule.scope == Scope::kGroup && same_group) || same_bank);
  // A refresh closes all banks with one command: its PREs share a clock; one of two banks is one command.
  const bool together = from.command == to.command && from.clock == to.clock &&
                        (to.command == Command::kPrecharge || to.command == Command::kRefreshBank);
  return !applies || together || to.clock >= from.clock + rule.clocks;
}

/// Checks every pair of commands against every rule, the activate window, and that columns go to their open row.
inline void check_legal(const std::vector<IssuedCommand>& log, const arch::DramConfig& config) {
  const auto rules = mem::dram::timing_rules(config);
  std::vector<std::uint64_t> open(config.bank_groups * config.banks_per_group, kNever);
  std::vector<Clock> activates;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const IssuedCommand& to = log[i];
    bool legal = true;
    for (std::size_t j = i; j-- > 0 && to.clock - log[j].clock <= 700;) {
      for (const Rule& rule : rules) {
        legal = legal && holds(rule, log[j], to, config.banks_per_group);
      }
    }
    REQUIRE(legal);
    switch (to.command) {
      case Command::kActivate:
        REQUIRE(open[to.bank] == kNever);
        open[to.bank] = to.row;
        REQUIRE((activates.size() < 4 || to.clock >= activates[activates.size() - 4] + config.timing.FAW));
        activates.push_back(to.clock);
        break;
      case Command::kPrecharge: open[to.bank] = kNever; break;
      case Command::kRefreshBank: REQUIRE(open[to.bank] == kNever); break;
      case Command::kRefresh:
        REQUIRE(std::all_of(open.begin(), open.end(), [](std::uint64_t row) { return row == kNever; }));
        break;
      default: REQUIRE(open[to.bank] == to.row); break;
    }
  }
}

}  // namespace gpusim::test
