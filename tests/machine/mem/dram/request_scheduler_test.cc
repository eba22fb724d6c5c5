// SPDX-License-Identifier: MIT
// What every request scheduler holds in a channel, and what each of them promises.
#include "sim/machine/mem/dram/request_scheduler.h"

#include <algorithm>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"

#include "tests/machine/mem/dram/command_log.h"
#include "tests/machine/mem/dram/drive.h"
#include "tests/machine/mem/dram/presets.h"
#include "tests/support/thorough.h"

namespace request_scheduler_test {

using namespace gpusim::mem::dram;
using gpusim::policy::DramScheduler;
using gpusim::policy::kDramSchedulers;
using gpusim::test::Bench;
using gpusim::test::burst_request;
using gpusim::test::check_legal;
using gpusim::test::hbm3;
using gpusim::test::other_row;
using gpusim::test::same_row;
using gpusim::test::without_refresh;

namespace arch = gpusim::arch;

namespace {

arch::DramConfig scheduled(DramScheduler scheduler, arch::DramConfig config = hbm3()) {
  config.scheduler = scheduler;
  return config;
}

/// Offers random bursts, a quarter of them writes; tokens count the reads. Returns how many reads were taken.
std::uint32_t offer_random(Bench& bench, std::uint32_t clocks) {
  std::mt19937_64 random(3);
  std::uint32_t reads = 0;
  std::uint64_t near = 0;
  for (Clock now = 0; now < clocks; ++now) {
    bench.run(now);
    const bool write = random() % 4 == 0;
    // Bursts of a few rows, so that there are hits, conflicts and overtaking.
    near = random() % 16 == 0 ? random() % (1U << 16) : near;
    if (now % 5000 < 4000 && bench.channel.can_accept(write)) {
      bench.channel.accept(burst_request(near + random() % 64, write, write ? 0 : reads), now);
      reads += write ? 0 : 1;
    }
  }
  bench.run(clocks + 1'000'000);
  return reads;
}

/// An older request of another row, and row hits as fast as the queue takes them; returns how many of these come first.
std::uint32_t hits_before_a_conflict(const arch::DramConfig& config, std::uint32_t hits) {
  Bench bench(without_refresh(config));
  bench.read(0, 0);
  bench.arrivals.clear();
  Clock now = 10000;
  bench.channel.accept(burst_request(other_row(bench.config, 0), false, 7), now);
  for (std::uint32_t i = 0; i < hits; ++now) {
    bench.run(now);
    if (bench.channel.can_accept(false)) {
      bench.channel.accept(burst_request(0, false, 1000 + i++), now);
    }
  }
  bench.run(now + 10000);
  CHECK(bench.arrivals.size() == hits + 1);
  const auto conflict = std::find_if(bench.arrivals.begin(), bench.arrivals.end(),
                                     [](const Arrival& arrival) { return arrival.token == 7; });
  return static_cast<std::uint32_t>(conflict - bench.arrivals.begin());
}

}  // namespace

TEST_CASE("every scheduler serves every request once, by commands that JEDEC allows") {
  for (const auto& info : kDramSchedulers) {
    for (const auto refresh : {arch::DramRefresh::kAllBank, arch::DramRefresh::kPerBank}) {
      CAPTURE(info.name);
      arch::DramConfig config = scheduled(info.policy);
      config.refresh = refresh;
      Bench bench(config);
      const std::uint32_t reads = offer_random(bench, gpusim::test::thorough_or(30000U, 8000U));
      CHECK(bench.channel.queued() == 0);
      std::vector<std::uint32_t> tokens;
      for (const Arrival& arrival : bench.arrivals) {
        tokens.push_back(arrival.token);
      }
      std::sort(tokens.begin(), tokens.end());
      REQUIRE(tokens.size() == reads);
      for (std::uint32_t i = 0; i < reads; ++i) {
        REQUIRE(tokens[i] == i);
      }
      CHECK(reads > gpusim::test::thorough_or(300U, 100U));
      check_legal(bench.log, config);
    }
  }
}

TEST_CASE("FCFS never reorders reads, the others do") {
  for (const auto& info : kDramSchedulers) {
    CAPTURE(info.name);
    Bench bench(scheduled(info.policy));
    offer_random(bench, 30000);
    const bool in_order = std::is_sorted(bench.arrivals.begin(), bench.arrivals.end(),
                                         [](const Arrival& a, const Arrival& b) { return a.token < b.token; });
    CHECK(in_order == (info.policy == DramScheduler::kFcfs));
  }
}

TEST_CASE("FCFS never reorders writes") {
  Bench bench(without_refresh(scheduled(DramScheduler::kFcfs)));
  const std::uint64_t first = 0;
  const std::uint64_t conflict = other_row(bench.config, first);
  const std::uint64_t hit = same_row(bench.config, first);
  for (const std::uint64_t burst : {first, conflict, hit}) {
    bench.channel.accept(burst_request(burst, true), 0);
  }
  bench.run(100000);
  std::vector<std::uint64_t> rows;
  for (const IssuedCommand& issued : bench.log) {
    if (issued.command == Command::kWrite) {
      rows.push_back(issued.row);
    }
  }
  const AddressMap map(bench.config);
  CHECK(rows == std::vector<std::uint64_t>{map.place(first).row, map.place(conflict).row, map.place(first).row});
}

TEST_CASE("FR-FCFS serves row hits first, with a cap only so many of them, FCFS none") {
  const std::uint32_t hits = 100;
  CHECK(hits_before_a_conflict(scheduled(DramScheduler::kFrFcfs), hits) == hits);
  const arch::DramConfig row_of_bursts = scheduled(DramScheduler::kFrFcfsCap);
  const std::uint32_t columns = row_of_bursts.row_bytes / row_of_bursts.burst_bytes;
  CHECK(hits_before_a_conflict(row_of_bursts, hits) == columns);
  for (const std::uint32_t cap : {1U, 4U, 50U}) {
    arch::DramConfig capped = row_of_bursts;
    capped.scheduler_cap = cap;
    CHECK(hits_before_a_conflict(capped, hits) == cap);
  }
  CHECK(hits_before_a_conflict(scheduled(DramScheduler::kFcfs), hits) == 0);
}

}  // namespace request_scheduler_test
