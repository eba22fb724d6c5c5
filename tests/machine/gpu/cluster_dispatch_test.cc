// SPDX-License-Identifier: MIT
// The dispatcher with clusters: all CTAs of one go to one GPC, at once or not at all, and the GPC's router is told.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/engine/engine.h"
#include "sim/machine/gpu/dispatcher.h"
#include "sim/model/arch/arch.h"
#include "sim/model/trace/step.h"

#include "tests/support/stand_in.h"

namespace cluster_dispatch_test {

using namespace gpusim;
using test::StandIn;

namespace {

struct Launch {
  Cycle time = 0;
  std::uint64_t cta = 0;
  std::uint32_t sm = 0;
};

/// GPCs of the given numbers of SMs, dealt in turn as the machine does; a CTA comes back `run_time(cta)` after its
/// arrival.
struct Bench {
  Bench(std::vector<std::uint32_t> sms_of_gpc, gpu::DispatchJob job, std::function<Cycle(std::uint64_t)> run_time) {
    const auto answer = [run_time](StandIn& self, const msg::Message& m, Cycle now) {
      const std::uint64_t cta = m.as<msg::CtaLaunch>().cta;
      const msg::CtaDone done{cta, static_cast<std::uint16_t>(self.id())};
      self.plan(now, m.source, run_time(cta), msg::make(msg::Kind::kCtaDone, done));
    };
    msg::DomainId id = 0;
    for (std::size_t gpc = 0; gpc < sms_of_gpc.size(); ++gpc) {
      job.gpcs.emplace_back();
      for (std::uint32_t i = 0; i < sms_of_gpc[gpc]; ++i, ++id) {
        sms.push_back(std::make_unique<StandIn>(id, answer));
        job.gpcs[gpc].sms.push_back(id);
        job.sms.push_back(id);
        gpc_of_sm.push_back(static_cast<std::uint32_t>(gpc));
      }
    }
    for (gpu::DispatchJob::Gpc& gpc : job.gpcs) {
      gpc.router = id;
      routers.push_back(std::make_unique<StandIn>(id++));
    }
    dispatcher = std::make_unique<gpu::CtaDispatcher>(
        id, arch::LaunchConfig{.cta_latency = 10, .cta_interval = {3, 1}, .completion_latency = 8}, job);
    std::vector<engine::Domain*> domains;
    for (auto* list : {&sms, &routers}) {
      for (auto& domain : *list) {
        domains.push_back(domain.get());
      }
    }
    domains.push_back(dispatcher.get());
    engine::Engine(domains, {8, 1, false}).run(100'000, {});
  }
  /// All launches, in order of time.
  [[nodiscard]] std::vector<Launch> launches() const {
    std::vector<Launch> all;
    for (std::uint32_t sm = 0; sm < sms.size(); ++sm) {
      for (const msg::Message& m : sms[sm]->received) {
        all.push_back({m.time, m.as<msg::CtaLaunch>().cta, sm});
      }
    }
    std::ranges::sort(all, {}, &Launch::time);
    return all;
  }

  std::vector<std::uint32_t> gpc_of_sm;
  std::vector<std::unique_ptr<StandIn>> sms;
  std::vector<std::unique_ptr<StandIn>> routers;
  std::unique_ptr<gpu::CtaDispatcher> dispatcher;
};

gpu::DispatchJob job_of(std::uint64_t ctas, std::uint32_t ctas_per_sm, std::uint32_t cluster) {
  gpu::DispatchJob job{0, ctas, ctas_per_sm, {}};
  job.grid = {static_cast<std::uint32_t>(ctas), 1, 1};
  job.cluster = {cluster, 1, 1};
  return job;
}

}  // namespace

TEST_CASE("a cluster's CTAs go to different SMs of one GPC, an interval apart, the next cluster to the next GPC") {
  const Bench bench({3, 3}, job_of(8, 2, 2), [](std::uint64_t) { return Cycle{1000}; });
  const std::vector<Launch> all = bench.launches();
  REQUIRE(all.size() == 8);
  const std::vector<std::uint32_t> sms{0, 1, 3, 4, 2, 0, 5, 3};
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].time == 10 + 3 * i);
    CHECK(all[i].cta == i);
    CHECK(all[i].sm == sms[i]);
  }
}

TEST_CASE("the router of the GPC hears where all CTAs of a cluster are when the first begins") {
  const Bench bench({3, 3}, job_of(4, 2, 2), [](std::uint64_t) { return Cycle{1000}; });
  REQUIRE(bench.routers[1]->received.size() == 2);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const msg::Message& message = bench.routers[1]->received[rank];
    CHECK(message.kind() == msg::Kind::kCtaPlaced);
    CHECK(message.time == 16);
    const auto& placed = message.as<msg::ClusterMember>();
    CHECK(placed.cluster == 1);
    CHECK(placed.rank == rank);
    CHECK(placed.sm == 3 + rank);
  }
}

TEST_CASE("a cluster waits until one GPC has room for all of it, whatever is free elsewhere") {
  // Two GPCs of three places; clusters of two leave one place in each. The CTAs of cluster 1, on GPC 1, end first.
  const Bench bench({3, 3}, job_of(6, 1, 2), [](std::uint64_t cta) { return cta / 2 == 1 ? Cycle{100} : Cycle{500}; });
  const std::vector<Launch> all = bench.launches();
  REQUIRE(all.size() == 6);
  CHECK(all[4].time == 16 + 100 + 10);  // with the place left over, one CTA's end is enough
  CHECK(bench.gpc_of_sm[all[4].sm] == 1);
  CHECK(bench.gpc_of_sm[all[5].sm] == 1);
}

TEST_CASE("clusters finish on GPCs of unequal sizes, also when one is too small for any") {
  for (const std::uint32_t cluster : {2U, 3U, 4U}) {
    const Bench bench({1, 4, 3}, job_of(24 * cluster, 2, cluster),
                      [](std::uint64_t cta) { return 20 + cta * 37 % 91; });
    CHECK(bench.dispatcher->finished());
    std::map<std::uint64_t, std::set<std::uint32_t>> gpcs;
    std::set<std::uint64_t> ctas;
    for (const Launch& launch : bench.launches()) {
      gpcs[launch.cta / cluster].insert(bench.gpc_of_sm[launch.sm]);
      ctas.insert(launch.cta);
    }
    CHECK(ctas.size() == 24 * cluster);
    CHECK(std::ranges::all_of(gpcs, [](const auto& of) { return of.second.size() == 1; }));
  }
}

TEST_CASE("clusters of two dimensions take their CTAs from two rows of the grid") {
  gpu::DispatchJob job = job_of(16, 4, 1);
  job.grid = {4, 4, 1};
  job.cluster = {2, 2, 1};
  const Bench bench({4}, job, [](std::uint64_t) { return Cycle{1000}; });
  std::vector<std::uint64_t> ctas;
  for (const Launch& launch : bench.launches()) {
    ctas.push_back(launch.cta);
  }
  CHECK(ctas == std::vector<std::uint64_t>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
}

TEST_CASE("a CTA's place in its cluster leads back to the CTA") {
  const Dim3 grid{6, 4, 4};
  const Dim3 cluster{3, 2, 2};
  std::set<std::pair<std::uint64_t, std::uint32_t>> places;
  for (std::uint64_t cta = 0; cta < grid.volume(); ++cta) {
    const trace::ClusterPlace place = trace::cluster_place(cta, grid, cluster);
    CHECK(trace::cta_of(place, grid, cluster) == cta);
    CHECK(place.rank < cluster.volume());
    places.emplace(place.cluster, place.rank);
  }
  CHECK(places.size() == grid.volume());
  CHECK(trace::cluster_stride(grid, cluster) == 48);
  CHECK(trace::cluster_stride(grid, {3, 2, 1}) == 12);
  CHECK(trace::cluster_stride(grid, {3, 1, 1}) == 3);
}

}  // namespace cluster_dispatch_test
