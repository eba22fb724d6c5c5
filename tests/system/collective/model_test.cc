// SPDX-License-Identifier: MIT
// Times of collectives: properties, and figures that documents quote.
#include "sim/system/collective/model.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/system/config/samples.h"

namespace collective_model_test {

using namespace gpusim;
using namespace gpusim::collective;
using system::Fabric;
using system::NodeId;
using system::System;

namespace {

/// A shipped system and a model of its first GPUs.
struct Bench {
  Bench(const std::string& name, std::size_t count, Launch launch = Launch::kOneProcess)
      : of(system::test::shipped(name)), fabric(of), gpus(system::nodes_of<system::Gpu>(of)) {
    gpus.resize(count);
    model.emplace(of, gpus, reach_of(fabric, gpus), launch);
  }
  [[nodiscard]] double us(Collective collective, std::uint64_t bytes) const {
    return model->estimate({collective, bytes, {}, {}}).microseconds;
  }
  System of;
  Fabric fabric;
  std::vector<NodeId> gpus;
  std::optional<Model> model;
};

constexpr std::array kEvery{Collective::kAllReduce,  Collective::kAllGather, Collective::kReduceScatter,
                            Collective::kBroadcast,  Collective::kReduce,    Collective::kAllToAll,
                            Collective::kSendReceive};

}  // namespace

TEST_CASE("more bytes take longer, whichever the system and the collective are") {
  for (const char* const name : {"dgx-a100", "dgx-1-v100", "rtx4090-x8", "hgx-b200", "a100-pcie-x4"}) {
    const Bench bench(name, 4);
    for (const Collective of : kEvery) {
      INFO(name << " " << arch::word_of(of));
      double before = 0;
      for (std::uint64_t bytes = 1; bytes <= 1ULL << 36; bytes *= 2) {
        const double now = bench.us(of, bytes);
        // Where NCCL turns from a ring to NVLS, the larger size may take as long.
        CHECK(now >= before);
        before = now;
      }
    }
  }
}

TEST_CASE("more GPUs take longer for the same bytes") {
  for (std::size_t count = 3; count <= 8; ++count) {
    CHECK(Bench("dgx-a100", count).us(Collective::kAllReduce, 1 << 26) >
          Bench("dgx-a100", count - 1).us(Collective::kAllReduce, 1 << 26));
  }
}

TEST_CASE("an all-gather and a reduce-scatter take less together than half again an all-reduce of a large buffer") {
  const Bench bench("dgx-a100", 8);
  constexpr std::uint64_t kLarge = 4ULL << 30;
  const double both = bench.us(Collective::kAllGather, kLarge) + bench.us(Collective::kReduceScatter, kLarge);
  CHECK(both == Approx(bench.us(Collective::kAllReduce, kLarge)).epsilon(0.1));
}

TEST_CASE("NVLS gives eight H200 a third more than rings, and its bus bandwidth exceeds the link") {
  const Bench bench("hgx-h200", 8);
  const Job job{Collective::kAllReduce, 8ULL << 30, {}, {}};
  const Estimate nvls = bench.model->estimate(job);
  const Estimate ring = bench.model->estimate({job.of, job.bytes, Algorithm::kRing, {}});
  CHECK(nvls.choice.algorithm == Algorithm::kNvls);
  CHECK(ring.microseconds / nvls.microseconds == Approx(1.3).margin(0.05));
  CHECK(nvls.bus_bandwidth(job.of, 8) > 450e9);
  CHECK(nvls.wire_bytes < ring.wire_bytes);
}

TEST_CASE("NVLS gains with the number of GPUs as was measured on H200 at 8 GiB") {
  // 414, 436, 460 and 473 GB/s for 5 to 8 GPUs, ml-engineering@744d01e1.
  for (const auto& [count, measured] : {std::pair{5U, 414.0}, {6U, 436.0}, {7U, 460.0}, {8U, 473.0}}) {
    INFO(count);
    const Estimate estimate =
        Bench("hgx-h200", count, Launch::kFramework).model->estimate({Collective::kAllReduce, 8ULL << 30, {}, {}});
    CHECK(estimate.choice.algorithm == Algorithm::kNvls);
    CHECK(estimate.bus_bandwidth(Collective::kAllReduce, count) / 1e9 == Approx(measured).epsilon(0.03));
  }
}

TEST_CASE("28 GB of gradients take on eight GPUs what measured bandwidths say") {
  // 209 ms on 8 A100 at 235 GB/s, 102 ms on 8 H100 at 480 GB/s.
  CHECK(Bench("dgx-a100", 8).us(Collective::kAllReduce, 28'000'000'000) == Approx(209'000).epsilon(0.04));
  CHECK(Bench("dgx-h100", 8).us(Collective::kAllReduce, 28'000'000'000) == Approx(102'000).epsilon(0.03));
}

TEST_CASE("who calls NCCL decides what a small collective takes") {
  const double together = Bench("dgx-a100", 8).us(Collective::kAllReduce, 1024);
  const double apart = Bench("dgx-a100", 8, Launch::kProcessPerGpu).us(Collective::kAllReduce, 1024);
  const double python = Bench("dgx-a100", 8, Launch::kFramework).us(Collective::kAllReduce, 1024);
  CHECK(apart < 20);
  CHECK(together == Approx(apart + 7 * 3.6));
  CHECK(python == Approx(apart + 25));
}

TEST_CASE("a slower choice than NCCL's is slower here as well") {
  const Bench bench("dgx-a100", 8);
  for (const std::uint64_t bytes : {std::uint64_t{1} << 12, std::uint64_t{1} << 30}) {
    const double best = bench.us(Collective::kAllReduce, bytes);
    for (const Protocol protocol : {Protocol::kLl, Protocol::kLl128, Protocol::kSimple}) {
      for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kTree}) {
        CHECK(bench.model->estimate({Collective::kAllReduce, bytes, algorithm, protocol}).microseconds >= best);
      }
    }
  }
}

TEST_CASE("what NCCL cannot run here is refused in words") {
  const Bench bench("dgx-a100", 8);
  CHECK_THROWS_WITH(bench.model->estimate({Collective::kAllReduce, 1024, Algorithm::kNvls, {}}),
                    "NCCL does not run all-reduce as nvls on 8 GPUs of this system");
  CHECK_THROWS_AS(bench.model->estimate({Collective::kBroadcast, 1024, Algorithm::kTree, {}}), UsageError);
}

TEST_CASE("without peer access GPUs reach less than a quarter of what their links carry") {
  const Bench strangers("rtx4090-x8", 2);
  const Bench peers("a100-pcie-x4", 2);
  const auto busbw = [](const Bench& bench) {
    return bench.model->estimate({Collective::kAllReduce, 1ULL << 30, {}, {}}).bus_bandwidth(Collective::kAllReduce, 2);
  };
  CHECK(busbw(strangers) < 31.5e9 / 3);
  CHECK(busbw(peers) > 1.8 * busbw(strangers));
}

TEST_CASE("two RTX 2080 Ti exchange through the host what their page measured, and ten times as much over a bridge") {
  // 268.6 ms at 1 GiB; 818 us at 32 MiB with a bridge.
  CHECK(Bench("rtx2080ti-x2", 2).us(Collective::kAllReduce, 1ULL << 30) == Approx(268'588).epsilon(0.03));
  CHECK(Bench("rtx2080ti-x2-bridge", 2).us(Collective::kAllReduce, 32ULL << 20) == Approx(817.8).epsilon(0.05));
  CHECK(Bench("rtx2080ti-x2", 2).us(Collective::kAllReduce, 32ULL << 20) > 8'000);
}

TEST_CASE("the rule without measurements is within a quarter of the fitted rates of the shipped systems") {
  for (const char* const name : {"dgx-a100", "dgx-h100", "hgx-h200", "hgx-b200", "gh200-x4", "a6000-x2"}) {
    INFO(name);
    const System of = system::test::shipped(name);
    const Fabric fabric(of);
    const std::vector<NodeId> gpus = system::nodes_of<system::Gpu>(of);
    CHECK(reach_by_rule(fabric, gpus).ring == Approx(reach_of(fabric, gpus).ring).epsilon(0.25));
  }
}

}  // namespace collective_model_test
