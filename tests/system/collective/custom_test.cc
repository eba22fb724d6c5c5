// SPDX-License-Identifier: MIT
// All-reduces by a kernel of an inference framework's own: where it runs, what it chooses, and what that takes.
#include "sim/system/collective/custom.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/base/units.h"
#include "sim/system/collective/model.h"

#include "tests/system/config/samples.h"

namespace custom_all_reduce_test {

using namespace gpusim;
using namespace gpusim::collective;
using Catch::Matchers::Contains;

namespace {

constexpr double kRate = 376e9;

std::optional<Algorithm> algorithm_of(std::uint32_t gpus, std::uint64_t bytes, double rate = kRate) {
  const std::optional<Choice> choice = custom_all_reduce({gpus, rate}, bytes, {});
  return choice ? std::optional(choice->algorithm) : std::nullopt;
}

Estimate estimate_on(const std::string& name, const Job& job) {
  const system::System of = system::test::shipped(name);
  const system::Fabric fabric(of);
  const std::vector<system::NodeId> gpus = system::nodes_of<system::Gpu>(of);
  return Model(of, gpus, reach_of(fabric, gpus), Launch::kProcessPerGpu).estimate(job);
}

Job custom(std::uint64_t bytes, Collective of = Collective::kAllReduce) {
  return {of, bytes, {}, {}, Library::kCustom};
}

}  // namespace

TEST_CASE("two GPUs read all in one shot, four below 512 KiB, more below 256 KiB") {
  CHECK(algorithm_of(2, 8 * kMi - 16) == Algorithm::kOneShot);
  CHECK(algorithm_of(4, 512 * kKi - 16) == Algorithm::kOneShot);
  CHECK(algorithm_of(4, 512 * kKi) == Algorithm::kTwoShot);
  CHECK(algorithm_of(6, 256 * kKi - 16) == Algorithm::kOneShot);
  CHECK(algorithm_of(8, 256 * kKi) == Algorithm::kTwoShot);
}

TEST_CASE("what a custom all-reduce does not run is left to NCCL") {
  CHECK_FALSE(algorithm_of(3, 1024));
  CHECK_FALSE(algorithm_of(8, 8 * kMi));
  CHECK_FALSE(algorithm_of(8, 1000));  // no multiple of 16 bytes
  CHECK_FALSE(algorithm_of(8, 1024, 0));
  // A hybrid cube mesh has pairs without NVLink, and PCIe has none at all.
  for (const char* const name : {"dgx-1-v100", "rtx4090-x8"}) {
    CHECK(estimate_on(name, custom(8 * kKi)).microseconds ==
          estimate_on(name, {Collective::kAllReduce, 8 * kKi, {}, {}}).microseconds);
  }
  CHECK(estimate_on("dgx-a100", custom(8 * kKi, Collective::kAllGather)).choice.algorithm == Algorithm::kRing);
}

TEST_CASE("few bytes take a third of NCCL's time, and more bytes more") {
  const Job nccl{Collective::kAllReduce, 8 * kKi, {}, {}};
  CHECK(estimate_on("dgx-h100", custom(8 * kKi)).microseconds < estimate_on("dgx-h100", nccl).microseconds / 2.5);
  double before = 0;
  for (std::uint64_t bytes = 16; bytes < 8 * kMi; bytes *= 2) {
    const double now = estimate_on("hgx-h200", custom(bytes)).microseconds;
    CHECK(now > before);
    before = now;
  }
}

TEST_CASE("in one shot a GPU's links carry its data to all others, in two shots what a ring moves") {
  const Estimate one = estimate_on("dgx-h100", custom(64 * kKi));
  CHECK(one.wire_bytes == 7.0 * 64 * kKi);
  CHECK(one.choice.channels == 8);
  const Estimate two = estimate_on("dgx-h100", custom(kMi));
  CHECK(two.wire_bytes == 2.0 * 7 / 8 * kMi);
  CHECK(two.choice.channels == 36);
}

TEST_CASE("an algorithm that the library does not have, or not here, is refused with the reason") {
  const auto with = [](Library library, std::uint64_t bytes) {
    return Job{Collective::kAllReduce, bytes, Algorithm::kOneShot, {}, library};
  };
  CHECK_THROWS_WITH(estimate_on("dgx-a100", with(Library::kNccl, 1024)),
                    Contains("NCCL has no one-shot algorithm; the library custom has"));
  CHECK_THROWS_WITH(estimate_on("dgx-a100", with(Library::kCustom, 16 * kMi)),
                    Contains("no custom all-reduce of 16 MiB runs on 8 GPUs") && Contains("less than 8 MiB"));
  Job gather = with(Library::kCustom, 1024);
  gather.of = Collective::kAllGather;
  CHECK_THROWS_WITH(estimate_on("dgx-a100", gather), Contains("all-gather has no one-shot algorithm"));
}

}  // namespace custom_all_reduce_test
