// SPDX-License-Identifier: MIT
// The dispatcher in front of stand-ins for SMs: the order of launches, their pace, and which SM gets the next CTA.
#include "sim/machine/gpu/dispatcher.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/engine/engine.h"
#include "sim/model/arch/arch.h"

#include "tests/support/stand_in.h"

namespace dispatcher_test {

using namespace gpusim;
using test::StandIn;

namespace {

arch::LaunchConfig pace(Ratio interval) {
  return {.cta_latency = 10, .cta_interval = interval, .completion_latency = 8};
}

/// Three SMs; a CTA comes back `run_time(cta)` after its arrival.
struct Bench {
  explicit Bench(gpu::DispatchJob job, std::function<Cycle(std::uint64_t)> run_time,
                 arch::LaunchConfig launch = pace({3, 1})) {
    const auto answer = [run_time](StandIn& self, const msg::Message& m, Cycle now) {
      const std::uint64_t cta = m.as<msg::CtaLaunch>().cta;
      const msg::CtaDone done{cta, static_cast<std::uint16_t>(self.id())};
      self.plan(now, m.source, run_time(cta), msg::make(msg::Kind::kCtaDone, done));
    };
    for (msg::DomainId id = 0; id < 3; ++id) {
      sms.push_back(std::make_unique<StandIn>(id, answer));
      job.sms.push_back(id);
    }
    dispatcher = std::make_unique<gpu::CtaDispatcher>(3, launch, job);
  }
  void run(Cycle window = 8) {
    engine::Engine engine({sms[0].get(), sms[1].get(), sms[2].get(), dispatcher.get()}, {window, 1, false});
    engine.run(kNever, {});
  }
  /// (arrival, CTA) of one SM, in order.
  [[nodiscard]] std::vector<std::pair<Cycle, std::uint64_t>> launches(std::size_t sm) const {
    std::vector<std::pair<Cycle, std::uint64_t>> all;
    for (const msg::Message& m : sms[sm]->received) {
      all.emplace_back(m.time, m.as<msg::CtaLaunch>().cta);
    }
    return all;
  }

  std::vector<std::unique_ptr<StandIn>> sms;
  std::unique_ptr<gpu::CtaDispatcher> dispatcher;
};

using Launches = std::vector<std::pair<Cycle, std::uint64_t>>;
constexpr Cycle kLong = 1000;

}  // namespace

TEST_CASE("CTAs go to the SMs in turn, one every interval, in the grid's order") {
  Bench bench({5, 11, 2, {}}, [](std::uint64_t) { return kLong; });
  bench.run();
  CHECK(bench.launches(0) == Launches{{10, 5}, {19, 8}});
  CHECK(bench.launches(1) == Launches{{13, 6}, {22, 9}});
  CHECK(bench.launches(2) == Launches{{16, 7}, {25, 10}});
  CHECK(bench.dispatcher->finished());
  CHECK(bench.dispatcher->launched() == 6);
  CHECK(bench.dispatcher->done() == 6);
}

TEST_CASE("an interval of a part of a cycle adds up to whole cycles") {
  Bench bench(
      {0, 9, 3, {}}, [](std::uint64_t) { return kLong; }, pace(Ratio::of(5, 4)));
  bench.run();
  CHECK(bench.launches(0) == Launches{{10, 0}, {13, 3}, {17, 6}});
  CHECK(bench.launches(1) == Launches{{11, 1}, {15, 4}, {18, 7}});
  CHECK(bench.launches(2) == Launches{{12, 2}, {16, 5}, {20, 8}});
}

TEST_CASE("a place that becomes free is filled in the cycle in which the dispatcher hears of it") {
  // CTA 1 on SM 1 arrives at 13 and is heard of 40 later; the others take long.
  Bench bench({0, 4, 1, {}}, [](std::uint64_t cta) { return cta == 1 ? Cycle{40} : kLong; });
  bench.run();
  CHECK(bench.launches(1) == Launches{{13, 1}, {53 + 10, 3}});
  CHECK(bench.launches(0).size() == 1);
  CHECK(bench.launches(2).size() == 1);
}

TEST_CASE("two places that become free together are filled an interval apart, in turn") {
  // All three are heard of at 60: the round goes on with SM 0, where it stopped.
  Bench bench({0, 6, 1, {}}, [](std::uint64_t cta) { return cta < 3 ? 50 - 3 * cta : kLong; });
  bench.run();
  CHECK(bench.launches(0).at(1) == std::pair<Cycle, std::uint64_t>{70, 3});
  CHECK(bench.launches(1).at(1) == std::pair<Cycle, std::uint64_t>{73, 4});
  CHECK(bench.launches(2).at(1) == std::pair<Cycle, std::uint64_t>{76, 5});
}

TEST_CASE("no SM ever holds more CTAs than fit, and each CTA runs once") {
  for (const Cycle window : {Cycle{8}, Cycle{3}, Cycle{1}}) {
    Bench bench({0, 100, 2, {}}, [](std::uint64_t cta) { return 8 + cta * 37 % 91; });
    bench.run(window);
    CHECK(bench.dispatcher->finished());
    std::vector<int> runs(100, 0);
    for (std::size_t sm = 0; sm < 3; ++sm) {
      const Launches launches = bench.launches(sm);
      for (std::size_t i = 0; i < launches.size(); ++i) {
        ++runs[launches[i].second];
        std::size_t resident = 0;
        for (std::size_t j = 0; j <= i; ++j) {
          const Cycle heard_of = launches[j].first + 8 + launches[j].second * 37 % 91;
          resident += heard_of + 10 > launches[i].first ? 1U : 0U;
        }
        CHECK(resident <= 2);
      }
    }
    CHECK(std::count(runs.begin(), runs.end(), 1) == 100);
  }
}

TEST_CASE("without an interval all places are filled in one cycle") {
  Bench bench(
      {0, 6, 2, {}}, [](std::uint64_t) { return kLong; }, pace({0, 1}));
  bench.run();
  CHECK(bench.launches(2) == Launches{{10, 2}, {10, 5}});
}

TEST_CASE("an empty range of CTAs is finished from the beginning") {
  Bench bench({4, 4, 2, {}}, [](std::uint64_t) { return kLong; });
  bench.run();
  CHECK(bench.dispatcher->finished());
  CHECK(bench.launches(0).empty());
}

}  // namespace dispatcher_test
