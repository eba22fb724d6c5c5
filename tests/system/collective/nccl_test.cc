// SPDX-License-Identifier: MIT
// NCCL's choice: on systems for which it is known, and properties that it must have everywhere.
#include "sim/system/collective/nccl.h"

#include <algorithm>

#include <catch2/catch.hpp>

namespace nccl_choice_test {

using namespace gpusim::collective;

namespace {

NcclView hopper(std::uint32_t gpus) {
  return {Generation::kHopper, gpus, 18, true, true, 12};
}

NcclView blackwell(std::uint32_t gpus) {
  return {Generation::kBlackwell, gpus, 18, true, true, 12};
}

Choice all_reduce(const NcclView& view, std::uint64_t bytes) {
  return *nccl_choice(view, Collective::kAllReduce, bytes);
}

}  // namespace

TEST_CASE("on eight H200 an all-reduce is a ring with LL up to 1 MiB, and NVLS from 2 MiB, as was observed") {
  for (std::uint64_t bytes = 32 << 10; bytes <= 1 << 20; bytes *= 2) {
    INFO(bytes);
    CHECK(all_reduce(hopper(8), bytes).algorithm == Algorithm::kRing);
    CHECK(all_reduce(hopper(8), bytes).protocol == Protocol::kLl);
  }
  for (std::uint64_t bytes = 2 << 20; bytes <= 1ULL << 34; bytes *= 2) {
    INFO(bytes);
    CHECK(all_reduce(hopper(8), bytes).algorithm == Algorithm::kNvls);
  }
}

TEST_CASE("large all-reduces of few GPUs stay on rings, as was observed on H200 and B200") {
  constexpr std::uint64_t kLarge = 8ULL << 30;
  CHECK(all_reduce(hopper(4), kLarge).algorithm == Algorithm::kRing);
  CHECK(all_reduce(hopper(5), kLarge).algorithm == Algorithm::kNvls);
  CHECK(all_reduce(blackwell(4), kLarge).algorithm == Algorithm::kRing);
  CHECK(all_reduce(blackwell(5), kLarge).algorithm == Algorithm::kRing);
  CHECK(all_reduce(blackwell(6), kLarge).algorithm == Algorithm::kNvls);
}

TEST_CASE("NCCL expects the bandwidths that its graph search finds on known systems") {
  constexpr std::uint64_t kHuge = 1ULL << 38;
  const auto busbw = [](const NcclView& view) {
    const Choice ring = *nccl_choice(view, Collective::kAllReduce, kHuge, Algorithm::kRing);
    return static_cast<double>(kHuge) / 1000 / ring.microseconds * bus_factor(Collective::kAllReduce, view.gpus);
  };
  CHECK(busbw({Generation::kAmpere, 8, 12, true, false, 12}) == Approx(240).epsilon(0.001));
  CHECK(busbw(hopper(8)) == Approx(360).epsilon(0.001));
  CHECK(busbw(blackwell(8)) == Approx(720).epsilon(0.001));
  CHECK(busbw({Generation::kVolta, 8, 6, true, false, 12}) == Approx(120).epsilon(0.001));
}

TEST_CASE("without NVLink there is no LL128, and without reducing switches no NVLS") {
  const NcclView pcie{Generation::kAmpere, 4, 0, true, false, 24};
  for (const Choice& choice : nccl_choices(pcie, Collective::kAllReduce, 1 << 20)) {
    CHECK(choice.protocol != Protocol::kLl128);
    CHECK(choice.algorithm != Algorithm::kNvls);
  }
  CHECK_FALSE(nccl_choice(pcie, Collective::kAllReduce, 1 << 20, Algorithm::kNvls).has_value());
}

TEST_CASE("trees and NVLS are for all-reduce, and pairs for what goes from GPU to GPU") {
  for (const Collective of :
       {Collective::kAllGather, Collective::kReduceScatter, Collective::kBroadcast, Collective::kReduce}) {
    for (const Choice& choice : nccl_choices(hopper(8), of, 1 << 24)) {
      CHECK(choice.algorithm == Algorithm::kRing);
    }
  }
  for (const Collective of : {Collective::kAllToAll, Collective::kSendReceive}) {
    CHECK(nccl_choices(hopper(8), of, 1 << 24).front().algorithm == Algorithm::kPairs);
  }
}

TEST_CASE("choices come in the order of NCCL's times, which grow with the size") {
  for (const NcclView& view : {hopper(8), blackwell(6), NcclView{Generation::kVolta, 2, 0, true, false, 12}}) {
    double before = 0;
    for (std::uint64_t bytes = 1; bytes <= 1ULL << 40; bytes *= 4) {
      const auto choices = nccl_choices(view, Collective::kAllReduce, bytes);
      CHECK(std::ranges::is_sorted(choices, {}, &Choice::microseconds));
      CHECK(choices.front().microseconds > before);
      CHECK(choices.front().channels >= 1);
      CHECK(choices.front().channels <= 24);
      before = choices.front().microseconds;
    }
  }
}

TEST_CASE("what is on the wire is counted by algorithm and protocol") {
  // Eight GPUs, 8 MiB: a ring sends 2 x 7/8, the switches 9/8; LL sends a flag with each word.
  constexpr std::uint64_t kBytes = 8 << 20;
  CHECK(wire_bytes(Collective::kAllReduce, Algorithm::kRing, Protocol::kSimple, 8, kBytes) == 14.0 * (1 << 20));
  CHECK(wire_bytes(Collective::kAllReduce, Algorithm::kNvls, Protocol::kSimple, 8, kBytes) == 9.0 * (1 << 20));
  CHECK(wire_bytes(Collective::kAllGather, Algorithm::kRing, Protocol::kLl, 8, kBytes) == 14.0 * (1 << 20));
  CHECK(wire_bytes(Collective::kBroadcast, Algorithm::kRing, Protocol::kSimple, 8, kBytes) == 8.0 * (1 << 20));
}

}  // namespace nccl_choice_test
