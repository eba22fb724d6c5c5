// SPDX-License-Identifier: MIT
// The bus of row commands that the two pseudo-channels of an HBM channel share.
#include <array>

#include <catch2/catch.hpp>

#include "sim/base/hash.h"
#include "sim/base/ratio.h"
#include "sim/model/arch/arch.h"

#include "tests/machine/mem/dram/command_log.h"
#include "tests/machine/mem/dram/drive.h"
#include "tests/machine/mem/dram/presets.h"
#include "tests/support/thorough.h"

namespace row_bus_test {

using namespace gpusim;
using namespace gpusim::mem::dram;
using gpusim::test::hbm2;

namespace {

/// Two pseudo-channels on one bus, their commands in one log.
struct Pair {
  explicit Pair(const arch::DramConfig& config) : channels{BankedChannel(config), BankedChannel(config)} {
    for (std::size_t i = 0; i < 2; ++i) {
      channels[i].share_row_bus(bus);
      channels[i].observe(&logs[i]);
    }
  }
  void run(Clock end) { BankedChannel::advance_both({&channels[0], &channels[1]}, end, {&arrivals[0], &arrivals[1]}); }
  void read(std::size_t channel, std::uint32_t bank, std::uint64_t row, Clock now) {
    run(now);
    channels[channel].accept_at({bank, row}, {0, 1, false, bank}, now);
  }
  [[nodiscard]] std::vector<Clock> times(std::size_t channel, Command command) const {
    std::vector<Clock> found;
    for (const IssuedCommand& one : logs[channel]) {
      if (one.command == command) {
        found.push_back(one.clock);
      }
    }
    return found;
  }

  RowBus bus;
  std::array<BankedChannel, 2> channels;
  std::array<std::vector<IssuedCommand>, 2> logs;
  std::array<std::vector<Arrival>, 2> arrivals;
};

using Clocks = std::vector<Clock>;

}  // namespace

TEST_CASE("pseudo-channels take turns on the bus, where an ACT has two clocks and a PRE one") {
  // clock   0 1 2 3 4 5 6 7   13      15      17      ...  35  36
  // bus     A A B B A A B B                                 A   B  PRE
  // columns                       A of bank 0 at 15, of bank 4 at 19; B's at 17 and 21, on its own data bus
  Pair pair(test::without_refresh(hbm2()));
  for (const std::uint32_t bank : {0U, 4U}) {
    pair.read(0, bank, 0, 0);
    pair.read(1, bank, 0, 0);
  }
  pair.read(0, 0, 1, 0);
  pair.read(1, 0, 1, 0);
  pair.run(36);
  CHECK(pair.times(0, Command::kActivate) == Clocks{0, 4});
  CHECK(pair.times(1, Command::kActivate) == Clocks{2, 6});
  CHECK(pair.times(0, Command::kRead) == Clocks{15, 19});
  CHECK(pair.times(1, Command::kRead) == Clocks{17, 21});
  pair.run(200);
  const auto t = hbm2().timing;
  CHECK(pair.times(0, Command::kPrecharge) == Clocks{t.RAS});
  CHECK(pair.times(1, Command::kPrecharge) == Clocks{2 + t.RAS});
}

TEST_CASE("the channel that did not use the bus last goes first when both want it") {
  Pair pair(test::without_refresh(hbm2()));
  pair.read(0, 0, 0, 0);
  pair.run(50);
  pair.read(0, 4, 0, 100);
  pair.read(1, 4, 0, 100);
  pair.run(150);
  CHECK(pair.times(0, Command::kActivate) == Clocks{0, 102});
  CHECK(pair.times(1, Command::kActivate) == Clocks{100});
}

TEST_CASE("a pseudo-channel alone on the bus is as fast as with its own") {
  arch::DramConfig config = hbm2();
  config.refresh = arch::DramRefresh::kPerBank;
  Pair pair(config);
  test::Bench own(config);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const Clock now = 7 * i;
    own.run(now);
    pair.run(now);
    if (own.channel.can_accept(false)) {
      own.channel.accept_at({i * 5 % 16, i % 3}, {0, 3, false, i}, now);
      pair.channels[0].accept_at({i * 5 % 16, i % 3}, {0, 3, false, i}, now);
    }
  }
  own.run(100000);
  pair.run(100000);
  REQUIRE(own.log.size() == pair.logs[0].size());
  bool same = true;
  for (std::size_t i = 0; i < own.log.size(); ++i) {
    same = same && own.log[i].clock == pair.logs[0][i].clock && own.log[i].command == pair.logs[0][i].command;
  }
  CHECK(same);
}

TEST_CASE("row commands of both pseudo-channels never overlap on the bus, under random traffic") {
  for (const bool refreshes : {false, true}) {
    arch::DramConfig config = hbm2();
    config.refresh = refreshes ? arch::DramRefresh::kPerBank : arch::DramRefresh::kAllBank;
    config.timing.REFI = refreshes ? config.timing.REFI : 0;
    Pair pair(config);
    for (std::uint32_t i = 0; i < test::thorough_or(20000U, 4000U); ++i) {
      pair.run(i);
      for (std::size_t which = 0; which < 2; ++which) {
        if (pair.channels[which].can_accept(false)) {
          const std::uint64_t hash = mix64(2 * i + which);
          pair.read(which, hash % 16, hash / 16 % 1000, i);
        }
      }
    }
    pair.run(100000);
    std::vector<std::pair<Clock, Clock>> taken;
    for (const auto& log : pair.logs) {
      test::check_legal(log, config);
      for (const IssuedCommand& one : log) {
        if (one.command != Command::kRead && one.command != Command::kWrite) {
          taken.emplace_back(one.clock, one.clock + (one.command == Command::kActivate ? config.activate_clocks : 1));
        }
      }
    }
    std::sort(taken.begin(), taken.end());
    CHECK(taken.size() > test::thorough_or(5000U, 2000U));
    bool apart = true;
    for (std::size_t i = 1; i < taken.size(); ++i) {
      apart = apart && taken[i].first >= taken[i - 1].second;
    }
    CHECK(apart);
  }
}

TEST_CASE("completions of two channels on one bus do not depend on how often either is run") {
  constexpr std::uint64_t kSmHz = 1'410'000'000;
  arch::DramConfig config = hbm2();
  config.refresh = arch::DramRefresh::kPerBank;
  config.controller_latency = 50;
  const auto play = [&](bool every_cycle) {
    std::array<PseudoChannel, 2> channels{PseudoChannel(config, kSmHz), PseudoChannel(config, kSmHz)};
    channels[0].share_row_bus(channels[1]);
    std::vector<Completion> done;
    std::vector<std::pair<std::uint32_t, Cycle>> ready;
    std::uint64_t random = 1;
    for (Cycle now = 0; now < 30000; ++now) {
      for (std::uint32_t i = 0; i < 2; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        const bool wanted = now < 25000 && random >> 61 == 0;
        if (every_cycle || wanted || channels[i].next_event() <= now) {
          done.clear();
          channels[i].run(now, done);
          for (const Completion& one : done) {
            REQUIRE(one.ready >= now);
            ready.emplace_back(one.token, one.ready);
          }
        }
        if (wanted && channels[i].can_accept(false)) {
          channels[i].accept({random >> 40, 1, false, static_cast<std::uint32_t>(2 * now + i)}, now);
        }
      }
    }
    std::sort(ready.begin(), ready.end());
    return ready;
  };
  const auto often = play(true);
  CHECK(often.size() > 3000);
  CHECK(often == play(false));
}

}  // namespace row_bus_test
