// SPDX-License-Identifier: MIT
// Refreshes of single banks: what waits for them, in which order they come, and how long they may be put off.
#include <map>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"

#include "tests/machine/mem/dram/command_log.h"
#include "tests/machine/mem/dram/drive.h"
#include "tests/machine/mem/dram/presets.h"

namespace bank_refresh_test {

using namespace gpusim::mem::dram;
using gpusim::arch::DramConfig;
using gpusim::arch::DramRefresh;
using gpusim::test::Bench;
using gpusim::test::burst_request;
using gpusim::test::gddr6;
using gpusim::test::hbm2;
using gpusim::test::hbm3;

namespace {

DramConfig refreshed(DramConfig config, DramRefresh policy, std::uint32_t postponed = 8) {
  config.refresh = policy;
  config.refresh_postponed = postponed;
  return config;
}

/// HBM2: 16 banks, one of them refreshed every 3900 / 16 = 243.75 clocks, for 160.
DramConfig per_bank(std::uint32_t postponed = 8) {
  return refreshed(hbm2(), DramRefresh::kPerBank, postponed);
}

void read_bank(Bench& bench, std::uint32_t bank, Clock at, std::uint64_t row = 0) {
  bench.run(at);
  bench.channel.accept_at({bank, row}, {0, 1, false, bank}, at);
}

/// Keeps a read queued for every bank in `banks`, all of one row.
void keep_busy(Bench& bench, const std::set<std::uint32_t>& banks, Clock from, Clock to) {
  std::map<std::uint32_t, std::size_t> queued;
  std::size_t seen = bench.arrivals.size();
  for (Clock now = from; now < to; ++now) {
    bench.run(now);
    for (; seen < bench.arrivals.size(); ++seen) {
      --queued[bench.arrivals[seen].token];
    }
    for (const std::uint32_t bank : banks) {
      if (queued[bank] < 2 && bench.channel.can_accept(false)) {
        bench.channel.accept_at({bank, 0}, {0, 1, false, bank}, now);
        ++queued[bank];
      }
    }
  }
}

std::vector<IssuedCommand> refreshes(const Bench& bench) {
  std::vector<IssuedCommand> found;
  std::copy_if(bench.log.begin(), bench.log.end(), std::back_inserter(found),
               [](const IssuedCommand& one) { return one.command == Command::kRefreshBank; });
  return found;
}

}  // namespace

TEST_CASE("a bank under refresh makes its own requests wait for RFCpb and others for RREFD") {
  // 243 bank 0 is refreshed; 245 requests for it and for a bank of another group
  // 251 ACT of the other (RREFD); 266 RD; 403 ACT of bank 0 (RFCpb); 418 RD; 434 the end of its data
  Bench bench(per_bank());
  const auto& t = bench.config.timing;
  read_bank(bench, 0, 245);
  read_bank(bench, 4, 245);
  bench.run(1000);
  const Clock refresh = 3900 / 16;
  REQUIRE(bench.time_of(Command::kRefreshBank) == refresh);
  CHECK(bench.time_of(Command::kActivate, 0) == refresh + t.RREFD);
  CHECK(bench.time_of(Command::kActivate, 1) == refresh + t.RFCpb);
  REQUIRE(bench.arrivals.size() == 2);
  CHECK(bench.arrivals[0].clock == refresh + t.RREFD + t.RCDRD + t.CL + t.BL);
  CHECK(bench.arrivals[1].clock == refresh + t.RFCpb + t.RCDRD + t.CL + t.BL);
}

TEST_CASE("an open row nobody wants is closed before its bank's refresh, a closed bank goes first") {
  // Bank 0 has been read. Bank 1 is refreshed at 243, ... bank 15 at 3656, then bank 0: PRE at 3900, REF at 3913.
  Bench bench(per_bank());
  read_bank(bench, 0, 0);
  bench.run(100);
  read_bank(bench, 1, 4200);
  bench.run(5000);
  const auto done = refreshes(bench);
  REQUIRE(done.size() >= 17);
  for (std::uint32_t i = 0; i < 15; ++i) {
    CHECK(done[i].bank == i + 1);
    CHECK(done[i].clock == (i + 1) * 3900 / 16);
  }
  CHECK(done[15].bank == 0);
  CHECK(bench.time_of(Command::kPrecharge) == 3900);
  CHECK(done[15].clock == 3900 + bench.config.timing.RP);
}

TEST_CASE("a bank with requests is refreshed after those without, and at once when its requests are done") {
  Bench bench(per_bank());
  keep_busy(bench, {0}, 0, 3950);
  // 15 banks had their turn; the refresh that falls due at 3900 waits for bank 0.
  CHECK(refreshes(bench).size() == 15);
  const Clock last_read = [&] {
    bench.run(4200);
    return std::find_if(bench.log.rbegin(), bench.log.rend(),
                        [](const IssuedCommand& one) { return one.command == Command::kRead; })
        ->clock;
  }();
  read_bank(bench, 5, 4200);
  bench.run(5000);
  const auto done = refreshes(bench);
  REQUIRE(done.size() > 15);
  CHECK(done[15].bank == 0);
  CHECK(done[15].clock == last_read + bench.config.timing.RTP + bench.config.timing.RP);
}

TEST_CASE("refreshes of banks that always have requests are put off as long as allowed and then forced") {
  std::set<std::uint32_t> all;
  for (std::uint32_t bank = 0; bank < 16; ++bank) {
    all.insert(bank);
  }
  for (const std::uint32_t postponed : {0U, 1U, 2U}) {
    CAPTURE(postponed);
    Bench bench(per_bank(postponed));
    keep_busy(bench, all, 0, 4 * 3900);
    const auto done = refreshes(bench);
    // The first that must not wait any more falls due an interval after those that may.
    REQUIRE(!done.empty());
    const Clock first = (16 * postponed + 1) * 3900 / 16;
    CHECK(done.front().clock >= first);
    CHECK(done.front().clock < first + 100);
    CHECK(done.size() == 4 * 16 - 16 * postponed - 1);
    CHECK(bench.channel.counters().bank_refreshes == done.size());
    CHECK(bench.channel.counters().refreshes == 0);
  }
}

TEST_CASE("requests of a bank that is held for a refresh have a next burst, so that their owner comes back") {
  Bench bench(per_bank());
  bool has_next = true;
  for (Clock now = 0; now < 40'000; ++now) {
    bench.run(now);
    if (bench.channel.queued() < 4) {
      bench.channel.accept_at({0, 0}, {0, 1, false, 0}, now);
    }
    has_next = has_next && bench.channel.next_burst() != gpusim::kNever;
  }
  CHECK(has_next);
  CHECK(bench.channel.counters().bank_refreshes > 0);
}

TEST_CASE("every bank has its turn before any has its next") {
  std::mt19937_64 random(1);
  Bench bench(refreshed(hbm3(), DramRefresh::kPerBank, 1));
  for (Clock now = 0; now < 40000; ++now) {
    bench.run(now);
    while (now % 10000 < 7000 && bench.channel.can_accept(false)) {
      bench.channel.accept(burst_request(random() % 100000, false), now);
    }
  }
  const auto done = refreshes(bench);
  REQUIRE(done.size() > 5 * 32);
  for (std::size_t round = 0; round + 32 <= done.size(); round += 32) {
    std::set<std::uint32_t> banks;
    for (std::size_t i = 0; i < 32; ++i) {
      banks.insert(done[round + i].bank);
    }
    CHECK(banks.size() == 32);
  }
}

TEST_CASE("refreshes of two banks are half as many and take both together") {
  Bench bench(refreshed(gddr6(), DramRefresh::kTwoBank));
  read_bank(bench, 3, 3333);
  bench.run(4000);
  const auto done = refreshes(bench);
  REQUIRE(done.size() >= 2 * 8);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(done[2 * i].bank == i);
    CHECK(done[2 * i + 1].bank == i + 8);
    CHECK(done[2 * i].clock == (i + 1) * 3333 / 8);
    CHECK(done[2 * i + 1].clock == done[2 * i].clock);
  }
  CHECK(bench.channel.counters().bank_refreshes == 8);
}

TEST_CASE("refreshes of an idle channel's banks are made up for, however long it takes, and close its rows") {
  Bench bench(per_bank());
  const auto& t = bench.config.timing;
  read_bank(bench, 7, 0);
  bench.run(100);
  const Clock late = Clock{t.REFI} * 1'000'000'000 + 200;
  read_bank(bench, 7, late);
  bench.run(late + 100);
  CHECK(bench.channel.counters().bank_refreshes == 16'000'000'000);
  CHECK(bench.channel.counters().precharges == 1);
  CHECK(bench.arrivals.back().clock == late + t.RCDRD + t.CL + t.BL);
}

TEST_CASE("a stream hides refreshes of single banks, and those of all banks take their share") {
  for (DramConfig config : {hbm2(), hbm3(), gddr6()}) {
    config.queue_entries = 64;
    CAPTURE(config.type);
    const auto stream = [](std::uint64_t i) { return Request{i, 0b1111, false, 0}; };
    const double all = gpusim::test::saturate(refreshed(config, DramRefresh::kAllBank), 200000, stream);
    const double single = gpusim::test::saturate(refreshed(config, DramRefresh::kPerBank), 200000, stream);
    UNSCOPED_INFO("all " << all << " single " << single);
    CHECK(all < 0.96);
    CHECK(single > 0.97);
  }
}

}  // namespace bank_refresh_test
