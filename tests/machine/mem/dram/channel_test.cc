// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/channel.h"

#include <map>
#include <random>
#include <tuple>

#include <catch2/catch.hpp>

#include "sim/base/rate_server.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/counters.h"

#include "tests/machine/mem/dram/drive.h"
#include "tests/machine/mem/dram/presets.h"

namespace channel_test {

using namespace gpusim;
using mem::dram::Completion;
using mem::dram::PseudoChannel;
using mem::dram::Request;
using test::hbm3;

namespace {

constexpr std::uint64_t kSmHz = 1'830'000'000;

arch::DramConfig config_with_latency() {
  arch::DramConfig config = hbm3();
  config.command_hz = 1'308'500'000;  // no round ratio to the SM clock
  config.controller_latency = 90;
  return config;
}

std::vector<std::pair<Cycle, Request>> random_requests(std::uint32_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::pair<Cycle, Request>> requests;
  Cycle now = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    now += i % 500 < 400 ? random() % 4 : random() % 400;
    const std::uint64_t line = i / 50 * 32 + random() % 512;
    requests.push_back({now, {line, static_cast<std::uint8_t>(1 + random() % 15), random() % 4 == 0, i}});
  }
  return requests;
}

/// What came of a schedule: completions by token, and the requests that found no place.
struct Outcome {
  std::map<std::uint32_t, Cycle> ready;
  std::vector<std::uint32_t> refused;
  stats::DramCounters counters;
  std::uint64_t runs = 0;
};

/// Runs the channel at every cycle or only when it asks for it; requests that find no place are dropped.
Outcome play(PseudoChannel& channel, const std::vector<std::pair<Cycle, Request>>& requests, bool every_cycle) {
  Outcome outcome;
  std::vector<Completion> done;
  const auto run = [&](Cycle now) {
    ++outcome.runs;
    done.clear();
    channel.run(now, done);
    for (const Completion& completion : done) {
      REQUIRE(completion.ready >= now);
      REQUIRE(outcome.ready.emplace(completion.token, completion.ready).second);
    }
  };
  Cycle now = 0;
  const auto run_until = [&](Cycle end) {
    for (;;) {
      const Cycle next = every_cycle ? now + 1 : channel.next_event();
      if (next >= end) {
        break;
      }
      REQUIRE((every_cycle || next > now || now == 0));
      now = next;
      run(now);
    }
  };
  for (const auto& [at, request] : requests) {
    run_until(at);
    now = at;
    run(now);
    if (channel.can_accept(request.write)) {
      channel.accept(request, now);
    } else {
      outcome.refused.push_back(request.token);
    }
  }
  run_until(now + 100000);
  outcome.counters = channel.counters();
  return outcome;
}

bool equal(const stats::DramCounters& a, const stats::DramCounters& b) {
  bool same = true;
  for (const auto& field : stats::DramCounters::kFields) {
    same = same && a.*(field.member) == b.*(field.member);
  }
  return same;
}

}  // namespace

TEST_CASE("a lone read takes its DRAM clocks in SM cycles, rounded up, and the controller's latency") {
  const auto config = config_with_latency();
  PseudoChannel channel(config, kSmHz);
  channel.accept({0, 0b0001, false, 42}, 0);
  const Cycle expected =
      ClockConverter(config.command_hz, kSmHz).convert(config.timing.RCDRD + config.timing.CL + config.timing.BL) + 90;
  std::vector<Completion> done;
  CHECK(channel.next_event() <= expected);
  while (done.empty()) {
    channel.run(channel.next_event(), done);
  }
  CHECK(done.front().token == 42);
  CHECK(done.front().ready == expected);
  CHECK(channel.next_event() == kNever);
}

TEST_CASE("completions, refusals and counters do not depend on how often run is called") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto requests = random_requests(4000, seed);
    PseudoChannel busy(config_with_latency(), kSmHz);
    PseudoChannel lazy(config_with_latency(), kSmHz);
    const Outcome often = play(busy, requests, true);
    const Outcome seldom = play(lazy, requests, false);
    CHECK(often.ready == seldom.ready);
    CHECK(often.refused == seldom.refused);
    CHECK(equal(often.counters, seldom.counters));
    CHECK(often.refused.size() > 100);
    CHECK(seldom.runs < often.runs / 2);
  }
}

TEST_CASE("while a queue is full the next event finds the first cycle with a free place") {
  PseudoChannel eager(config_with_latency(), kSmHz);
  PseudoChannel lazy(config_with_latency(), kSmHz);
  std::vector<Completion> done;
  Cycle now = 0;
  for (std::uint32_t line = 0; line < 500; ++line) {
    Cycle first_free = now;
    for (eager.run(first_free, done); !eager.can_accept(false); eager.run(first_free, done)) {
      ++first_free;
    }
    for (lazy.run(now, done); !lazy.can_accept(false); lazy.run(now, done)) {
      now = lazy.next_event();
    }
    REQUIRE(now == first_free);
    eager.accept({line * 37, 0b0001, false, line}, now);
    lazy.accept({line * 37, 0b0001, false, line}, now);
  }
  CHECK(now > 0);
}

TEST_CASE("every accepted read completes once and every burst is counted once") {
  for (const auto model : {arch::DramModel::kBanked, arch::DramModel::kIdeal}) {
    auto config = config_with_latency();
    config.model = model;
    PseudoChannel channel(config, kSmHz);
    const auto requests = random_requests(5000, 9);
    const Outcome outcome = play(channel, requests, false);
    stats::DramCounters expected;
    std::size_t reads = 0;
    std::size_t refused = 0;
    for (const auto& [at, request] : requests) {
      if (refused < outcome.refused.size() && outcome.refused[refused] == request.token) {
        ++refused;
        continue;
      }
      const auto bytes = static_cast<std::uint64_t>(__builtin_popcount(request.sectors)) * 32;
      (request.write ? expected.write_bytes : expected.read_bytes) += bytes;
      reads += request.write ? 0 : 1;
      REQUIRE(outcome.ready.count(request.token) == (request.write ? 0 : 1));
    }
    const auto& counters = outcome.counters;
    CHECK(outcome.ready.size() == reads);
    CHECK(counters.read_bytes == expected.read_bytes);
    CHECK(counters.write_bytes == expected.write_bytes);
    const std::uint64_t bursts = (counters.read_bytes + counters.write_bytes) / 32;
    CHECK(counters.bursts == bursts);
    CHECK(counters.bus_busy_clocks == bursts * config.timing.BL);
    CHECK(channel.queued() == 0);
    if (config.model == arch::DramModel::kBanked) {
      CHECK(counters.row_hits + counters.row_misses + counters.row_conflicts == bursts);
      CHECK(counters.activates >= counters.precharges);
      CHECK(counters.activates - counters.precharges <= config.bank_groups * config.banks_per_group);
    }
  }
}

TEST_CASE("check bits among the data take a burst with each request, after its data and in its row") {
  for (const auto model : {arch::DramModel::kBanked, arch::DramModel::kIdeal}) {
    auto config = config_with_latency();
    config.model = model;
    PseudoChannel plain(config, kSmHz);
    config.ecc = arch::DramEcc::kInline;
    PseudoChannel checked(config, kSmHz);
    for (PseudoChannel* channel : {&plain, &checked}) {
      channel->accept({0, 0b0001, false, 1}, 0);
      channel->accept({1, 0b1111, true, 2}, 0);
    }
    std::vector<Completion> without;
    plain.run(10'000'000, without);
    std::vector<Completion> with;
    checked.run(10'000'000, with);
    REQUIRE(without.size() == 1);
    REQUIRE(with.size() == 1);
    CHECK(with[0].ready > without[0].ready);
    CHECK(checked.counters().read_bytes == 32);
    CHECK(checked.counters().write_bytes == 128);
    CHECK(checked.counters().ecc_bytes == 64);
    CHECK(checked.counters().bursts == plain.counters().bursts + 2);
    CHECK(checked.counters().activates == plain.counters().activates);
    CHECK(plain.counters().ecc_bytes == 0);
  }
}

TEST_CASE("a stream of lines with check bits among them takes a quarter longer") {
  auto config = config_with_latency();
  config.refresh = arch::DramRefresh::kPerBank;
  const auto busy = [&config] {
    PseudoChannel channel(config, kSmHz);
    std::vector<Completion> done;
    Cycle now = 0;
    for (std::uint64_t line = 0; line < 4096;) {
      channel.run(now, done);
      while (line < 4096 && channel.can_accept(false)) {
        channel.accept({line++, 0b1111, false, 0}, now);
      }
      now = std::max(now + 1, channel.next_event());
    }
    channel.run(now + 1'000'000, done);
    return static_cast<double>(done.back().ready);
  };
  const double plain = busy();
  config.ecc = arch::DramEcc::kInline;
  CHECK(busy() == Approx(1.25 * plain).epsilon(0.03));
}

TEST_CASE("a channel that was reset behaves as a fresh one") {
  for (const auto model : {arch::DramModel::kBanked, arch::DramModel::kIdeal}) {
    auto config = config_with_latency();
    config.model = model;
    PseudoChannel channel(config, kSmHz);
    const auto requests = random_requests(2000, 4);
    const Outcome first = play(channel, requests, false);
    channel.accept({1, 0b1111, false, 0}, 100'000'000);
    channel.reset();
    CHECK(channel.next_event() == kNever);
    const Outcome second = play(channel, requests, false);
    CHECK(first.ready == second.ready);
    CHECK(equal(first.counters, second.counters));
  }
}

TEST_CASE("the ideal channel has the latency of a closed row and its peak bandwidth, and nothing else") {
  auto config = hbm3();
  config.model = arch::DramModel::kIdeal;
  config.controller_latency = 10;
  PseudoChannel channel(config, config.command_hz);
  const auto& t = config.timing;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    channel.accept({i * 12345, 0b1111, false, i}, 0);
  }
  std::vector<Completion> done;
  CHECK(channel.next_event() == 3 * t.CCDS + t.RCDRD + t.CL + t.BL + 10);
  channel.run(channel.next_event(), done);
  REQUIRE(done.size() == 1000);
  CHECK(done.back().ready - done.front().ready == 999 * 4 * t.CCDS);
}

TEST_CASE("a burst of two sectors moves once for either or both") {
  auto config = hbm3();
  config.burst_bytes = 64;
  PseudoChannel channel(config, config.command_hz);
  channel.accept({0, 0b0001, false, 0}, 0);
  channel.accept({8, 0b0011, false, 1}, 0);
  channel.accept({16, 0b0110, false, 2}, 0);
  std::vector<Completion> done;
  channel.run(1000, done);
  CHECK(done.size() == 3);
  CHECK(channel.counters().read_bytes == 4 * 64);
}

}  // namespace channel_test
