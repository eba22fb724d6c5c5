// SPDX-License-Identifier: MIT
// Saturated streams against Ramulator 2 (CMU-SAFARI, version 2.1, commit c5b1c3a478b68853a61a0b8f99510d0dde7e6fd0):
// HBM3 and HBM2 with one pseudo-channel a channel, FRFCFS, 32 + 32 queue entries of one burst, refresh on unless said.
// Its addresses interleave bursts over bank groups, ours lines. Another model's figures, not silicon: agreement says
// that both follow the same rules.
#include <functional>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"

#include "tests/machine/mem/dram/drive.h"
#include "tests/machine/mem/dram/presets.h"

namespace reference_test {

using namespace gpusim;
using test::burst_request;

namespace {

enum class Pattern { kRead, kWrite, kMixTwoToOne, kMixOneToOne, kRandomRead, kRandomWrite };

struct Row {
  std::string part;
  Pattern pattern;
  bool refresh;
  double fraction;  ///< share of peak bandwidth, by the reference
};

const std::vector<Row> kReference{
    {"HBM3", Pattern::kRead, true, 0.897},        {"HBM3", Pattern::kWrite, true, 0.896},
    {"HBM3", Pattern::kMixTwoToOne, true, 0.686}, {"HBM3", Pattern::kMixOneToOne, true, 0.617},
    {"HBM3", Pattern::kRandomRead, true, 0.300},  {"HBM3", Pattern::kRandomWrite, true, 0.299},
    {"HBM3", Pattern::kRead, false, 0.999},       {"HBM3", Pattern::kRandomRead, false, 0.3335},
    {"HBM2", Pattern::kRead, true, 0.950},        {"HBM2", Pattern::kWrite, true, 0.947},
    {"HBM2", Pattern::kMixTwoToOne, true, 0.797}, {"HBM2", Pattern::kMixOneToOne, true, 0.735},
    {"HBM2", Pattern::kRandomRead, true, 0.471},  {"HBM2", Pattern::kRandomWrite, true, 0.459},
    {"HBM2", Pattern::kRead, false, 1.000},       {"HBM2", Pattern::kRandomRead, false, 0.5001},
};

constexpr std::uint64_t kBursts = 40000;
constexpr std::uint64_t kChannelBursts = std::uint64_t{1} << 23;
constexpr double kTolerance = 0.10;

double simulate(const Row& row) {
  arch::DramConfig config = row.part == "HBM3" ? test::hbm3() : test::hbm2();
  if (!row.refresh) {
    config.timing.REFI = 0;
  }
  std::mt19937_64 random(1);
  return test::saturate(config, kBursts, [&](std::uint64_t i) {
    switch (row.pattern) {
      case Pattern::kRead: return burst_request(i, false);
      case Pattern::kWrite: return burst_request(i, true);
      case Pattern::kMixTwoToOne: return burst_request(i, i % 3 == 2);
      case Pattern::kMixOneToOne: return burst_request(i, i % 2 == 1);
      case Pattern::kRandomRead: return burst_request(random() % kChannelBursts, false);
      default: return burst_request(random() % kChannelBursts, true);
    }
  });
}

}  // namespace

TEST_CASE("saturated streams reach the reference's share of the peak within 10 percent") {
  for (const Row& row : kReference) {
    CAPTURE(row.part, static_cast<int>(row.pattern), row.refresh);
    CHECK(simulate(row) == Approx(row.fraction).epsilon(kTolerance));
  }
}

TEST_CASE("a stream that reads whole lines is as fast as one that reads burst by burst") {
  const double lines = test::saturate(test::hbm3(), kBursts / 4, [](std::uint64_t i) {
    return mem::dram::Request{i, 0b1111, false, 0};
  });
  CHECK(lines > 0.89);
}

TEST_CASE("random reads of whole lines are not bound by activates") {
  std::mt19937_64 random(1);
  const double lines = test::saturate(test::hbm3(), kBursts / 4, [&](std::uint64_t) {
    return mem::dram::Request{random() % (kChannelBursts / 4), 0b1111, false, 0};
  });
  CHECK(lines > 0.8);
}

TEST_CASE("no power-of-two stride falls below random access") {
  for (std::uint64_t stride = 2; stride <= 1U << 20; stride *= 2) {
    CAPTURE(stride);
    CHECK(test::saturate(test::hbm3(), 5000, [&](std::uint64_t i) { return burst_request(i * stride, false); }) > 0.28);
  }
}

}  // namespace reference_test
