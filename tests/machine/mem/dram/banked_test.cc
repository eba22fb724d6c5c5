// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/banked.h"

#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include "tests/machine/mem/dram/command_log.h"
#include "tests/machine/mem/dram/drive.h"
#include "tests/machine/mem/dram/presets.h"
#include "tests/support/thorough.h"

namespace banked_test {

using namespace gpusim::mem::dram;
using gpusim::test::Bench;
using gpusim::test::burst_request;
using gpusim::test::check_legal;
using gpusim::test::find_burst;
using gpusim::test::hbm2;
using gpusim::test::hbm3;
using gpusim::test::other_row;
using gpusim::test::same_row;
using gpusim::test::without_refresh;

TEST_CASE("a read takes exactly the timings of a closed row, a row hit and a row conflict") {
  Bench bench(without_refresh(hbm3()));
  const auto& t = bench.config.timing;
  CHECK(bench.read(0, 100) == t.RCDRD + t.CL + t.BL);
  CHECK(bench.read(same_row(bench.config, 0), 10000) == t.CL + t.BL);
  CHECK(bench.read(other_row(bench.config, 0), 20000) == t.RP + t.RCDRD + t.CL + t.BL);
  CHECK(bench.channel.counters().row_misses == 1);
  CHECK(bench.channel.counters().row_hits == 1);
  CHECK(bench.channel.counters().row_conflicts == 1);
}

TEST_CASE("a conflict with a young row waits until RAS, and its row until RC, is over") {
  Bench bench(without_refresh(hbm3()));
  const auto& t = bench.config.timing;
  bench.channel.accept(burst_request(0, false), 0);
  bench.channel.accept(burst_request(other_row(bench.config, 0), false), 0);
  bench.run(1000);
  CHECK(bench.time_of(Command::kPrecharge) == t.RAS);
  CHECK(bench.time_of(Command::kActivate, 1) == t.RC);
}

TEST_CASE("bursts of one bank follow each other at CCDL, of different groups at CCDS") {
  Bench bench(without_refresh(hbm3()));
  const auto& t = bench.config.timing;
  const AddressMap map(bench.config);
  const auto other_group = find_burst(bench.config, 0, [&](const Place& place) {
    return place.bank / bench.config.banks_per_group != map.place(0).bank / bench.config.banks_per_group;
  });
  bench.read(0, 0);
  bench.read(other_group, 10000);
  bench.channel.accept({0, 0b1111, false, 0}, 20000);
  bench.run(30000);
  CHECK(bench.arrivals.back().clock == 20000 + 3 * t.CCDL + t.CL + t.BL);
  bench.channel.accept(burst_request(0, false), 30000);
  bench.channel.accept(burst_request(other_group, false), 30000);
  bench.run(40000);
  CHECK(bench.arrivals.back().clock == 30000 + t.CCDS + t.CL + t.BL);
}

TEST_CASE("a line of a closed bank needs one activate") {
  Bench bench(without_refresh(hbm3()));
  bench.channel.accept({5, 0b1111, false, 0}, 0);
  bench.run(1000);
  CHECK(bench.channel.counters().activates == 1);
  CHECK(bench.channel.counters().row_misses == 1);
  CHECK(bench.channel.counters().row_hits == 3);
}

TEST_CASE("a write that has just gone holds up a read for WTR, a read holds up a write for RTW") {
  Bench bench(without_refresh(hbm3()));
  const auto& t = bench.config.timing;
  bench.read(0, 0);
  bench.run(10000);
  bench.channel.accept(burst_request(0, true), 10000);
  bench.run(10001);
  bench.channel.accept(burst_request(0, false), 10001);
  bench.run(20000);
  CHECK(bench.time_of(Command::kWrite) == 10000);
  CHECK(bench.arrivals.back().clock == 10000 + t.CWL + t.BL + t.WTRL + t.CL + t.BL);
  bench.channel.accept(burst_request(0, false), 20000);
  bench.run(20001);
  bench.channel.accept(burst_request(0, true), 20001);
  bench.run(30000);
  CHECK(bench.time_of(Command::kWrite, 1) == 20000 + t.RTW);
}

TEST_CASE("a refresh falls due at REFI, closes the rows and blocks the channel for RFC") {
  const auto t = hbm3().timing;
  Bench before(hbm3());
  before.read(0, 0);
  before.run(t.REFI - 1);
  CHECK(before.read(0, t.REFI - 1) == t.CL + t.BL);

  Bench at(hbm3());
  at.read(0, 0);
  CHECK(at.read(0, t.REFI) == t.RP + t.RFC + t.RCDRD + t.CL + t.BL);
  CHECK(at.channel.counters().refreshes == 1);

  Bench after(hbm3());
  after.read(0, 0);
  CHECK(after.read(0, t.REFI + t.RP + t.RFC - 1) == 1 + t.RCDRD + t.CL + t.BL);
}

TEST_CASE("refreshes of idle time are counted when the next request comes, however long it takes") {
  Bench bench(hbm3());
  const auto& t = bench.config.timing;
  bench.read(0, 0);
  CHECK(bench.channel.next_burst() == gpusim::kNever);
  const Clock late = Clock{t.REFI} * 1'000'000'000 + t.REFI / 2;
  CHECK(bench.read(0, late) == t.RCDRD + t.CL + t.BL);
  CHECK(bench.channel.counters().refreshes == 1'000'000'000);
  CHECK(bench.channel.counters().precharges == 1);
}

TEST_CASE("a row hit goes before an older conflict, but only for one row's worth of bursts") {
  Bench bench(without_refresh(hbm3()));
  const std::uint32_t columns = bench.config.row_bytes / bench.config.burst_bytes;
  bench.read(0, 0);
  bench.run(10000);
  bench.arrivals.clear();
  bench.channel.accept(burst_request(other_row(bench.config, 0), false, 7), 10000);
  Clock now = 10000;
  for (std::uint32_t i = 0; i < 4 * columns; ++now) {
    bench.run(now);
    if (bench.channel.can_accept(false)) {
      bench.channel.accept(burst_request(0, false, 1000 + i++), now);
    }
  }
  bench.run(now + 1000);
  const auto starved = std::find_if(bench.arrivals.begin(), bench.arrivals.end(),
                                    [](const Arrival& arrival) { return arrival.token == 7; });
  REQUIRE(starved != bench.arrivals.end());
  const auto before = static_cast<std::uint32_t>(starved - bench.arrivals.begin());
  CHECK(before > 1);
  CHECK(before <= columns);
}

TEST_CASE("writes wait behind reads up to the high mark and then drain to the low mark") {
  Bench bench(without_refresh(hbm3()));
  Clock now = 0;
  std::uint64_t next_read = 0;
  // Keeps the read queue full while `writes` are offered; returns how many writes went.
  const auto run_with_reads = [&](std::uint32_t writes) {
    const std::size_t before = bench.count(Command::kWrite);
    for (const Clock end = now + 2000; now < end; ++now) {
      bench.run(now);
      while (bench.channel.can_accept(false)) {
        bench.channel.accept(burst_request(next_read++, false), now);
      }
      for (; writes > 0; --writes) {
        bench.channel.accept(burst_request(100000 + writes, true), now);
      }
    }
    return bench.count(Command::kWrite) - before;
  };
  CHECK(run_with_reads(25) == 0);
  CHECK(run_with_reads(1) == 20);  // from 26 (80 % of 32) to 6 (20 %)
}

TEST_CASE("few writes wait until no read has come for as long as write_wait says") {
  auto config = without_refresh(hbm3());
  config.write_wait = 100;
  Bench alone(config);
  alone.channel.accept(burst_request(0, true), 0);
  alone.run(1000);
  CHECK(alone.time_of(Command::kWrite) == 100 + config.timing.RCDWR);

  // 60 ACT for a read, which goes at 60 + RCDRD; the pause begins then, and the row is the write's as well.
  Bench bench(config);
  bench.channel.accept(burst_request(0, true), 0);
  bench.run(60);
  bench.channel.accept(burst_request(1, false), 60);
  bench.run(1000);
  CHECK(bench.time_of(Command::kRead) == 60 + config.timing.RCDRD);
  CHECK(bench.time_of(Command::kWrite) == 60 + config.timing.RCDRD + 100);
}

TEST_CASE("as many writes as the high mark wait for no pause of the reads") {
  auto config = without_refresh(hbm3());
  config.write_wait = 1000;
  Bench bench(config);
  for (std::uint32_t i = 0; i < 25; ++i) {
    bench.channel.accept(burst_request(i, true), i);
  }
  bench.run(500);
  CHECK(bench.count(Command::kWrite) == 0);
  bench.channel.accept(burst_request(25, true), 500);
  bench.run(900);
  CHECK(bench.count(Command::kWrite) == 26);
}

TEST_CASE("a row opened for a read is read even when a drain that wants its bank begins meanwhile") {
  // 0 ACT; 1 the writes come, the channel turns; RCDRD the read; then PRE, ACT and the writes.
  Bench bench(without_refresh(hbm3()));
  bench.channel.accept(burst_request(0, false), 0);
  bench.run(1);
  const std::uint64_t elsewhere = other_row(bench.config, 0);
  for (int i = 0; i < 26; ++i) {
    bench.channel.accept(burst_request(elsewhere, true), 1);
  }
  bench.run(5000);
  CHECK(bench.time_of(Command::kRead) == bench.config.timing.RCDRD);
  CHECK(bench.time_of(Command::kPrecharge) > bench.config.timing.RCDRD);
  CHECK(bench.count(Command::kActivate) == 2);
  CHECK(bench.count(Command::kWrite) == 26);
}

TEST_CASE("neither reads nor writes starve when both queues are always full") {
  Bench bench(hbm3());
  std::uint64_t next = 0;
  for (Clock now = 0; now < 200000; ++now) {
    bench.run(now);
    for (const bool write : {false, true}) {
      while (bench.channel.can_accept(write)) {
        bench.channel.accept(burst_request(next++ * 7919 % 1000003, write), now);
      }
    }
  }
  const auto& counters = bench.channel.counters();
  CHECK(counters.read_bytes * 3 > counters.write_bytes);
  CHECK(counters.write_bytes * 3 > counters.read_bytes);
}

TEST_CASE("every command keeps every rule under random traffic, for any number of groups and banks") {
  std::mt19937_64 random(3);
  using gpusim::arch::DramRefresh;
  constexpr std::array policies{DramRefresh::kAllBank, DramRefresh::kPerBank, DramRefresh::kTwoBank};
  for (int run = 0; run < 9; ++run) {
    const bool in_sample = run % 4 == 0 || run == 5;  // every policy, both memories
    if (!gpusim::test::is_thorough() && !in_sample) {
      continue;
    }
    auto config = run % 2 == 0 ? hbm3() : hbm2();
    config.refresh = policies[static_cast<std::size_t>(run / 3)];
    config.refresh_postponed = static_cast<std::uint32_t>(run % 3);
    if (random() % 2 == 0) {
      config.bank_groups = 3;
      config.banks_per_group = 6;
      config.row_bytes = 1152;
    }
    Bench bench(config);
    Clock now = 0;
    for (int i = 0; i < 6000; ++i) {
      now += i % 1000 < 500 ? random() % 3 : random() % 60;
      bench.run(now);
      // Half of it near the last address, so that there are hits, conflicts and overtaking.
      const std::uint64_t line = i / 100 * 64 + random() % (random() % 2 == 0 ? 16 : 4096);
      const bool write = random() % 3 == 0;
      if (bench.channel.can_accept(write)) {
        bench.channel.accept({line, static_cast<std::uint8_t>(1 + random() % 15), write, 0}, now);
      }
    }
    bench.run(now + 100000);
    CHECK(bench.log.size() > 10000);
    CHECK(bench.channel.queued() == 0);
    check_legal(bench.log, config);
  }
}

}  // namespace banked_test
