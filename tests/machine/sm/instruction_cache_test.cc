// SPDX-License-Identifier: MIT
#include "sim/machine/sm/fetch/instruction_cache.h"

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"

namespace instruction_cache_test {

using namespace gpusim;
using sm::InstructionL0;
using sm::InstructionL1;

namespace {

constexpr Cycle kL1 = 20;    ///< from a miss in L0 until the L1's line is there
constexpr Cycle kMiss = 50;  ///< more when it is not in L1

/// An L0 of one set of two lines before an L1 of 32.
arch::FrontEndConfig small(std::uint32_t prefetch_lines = 0, arch::StreamPer stream_per = arch::StreamPer::kSubCore) {
  arch::FrontEndConfig config;
  config.l0_bytes = 256;
  config.l0_ways = 2;
  config.l1_bytes = 4096;
  config.l1_ways = 4;
  config.l1_latency = kL1;
  config.l1_miss_latency = kMiss;
  config.prefetch_lines = prefetch_lines;
  config.stream_per = stream_per;
  return config;
}

}  // namespace

TEST_CASE("a line comes from behind the L1 the first time, from the L1 for another L0, and then is there") {
  InstructionL1 l1(small(), 10, 0);
  InstructionL0 first(small(), 10);
  InstructionL0 second(small(), 10);
  CHECK(first.look_up(3, 0, l1) == kL1 + kMiss);
  CHECK(first.look_up(3, kL1 + kMiss, l1) == kL1 + kMiss);
  CHECK(second.look_up(3, 100, l1) == 100 + kL1);
  CHECK(first.counters().l0_hits == 1);
  CHECK(first.counters().l0_misses == 1);
  CHECK(l1.counters().l1_hits == 1);
  CHECK(l1.counters().l1_misses == 1);
}

TEST_CASE("a warp that asks for a line on its way gets it when it comes") {
  InstructionL1 l1(small(), 10, 0);
  InstructionL0 first(small(), 10);
  InstructionL0 second(small(), 10);
  CHECK(first.look_up(0, 0, l1) == kL1 + kMiss);
  CHECK(first.look_up(0, 30, l1) == kL1 + kMiss);
  CHECK(second.look_up(0, 30, l1) == kL1 + kMiss);
  CHECK(first.counters().l0_merges == 1);
  CHECK(l1.counters().l1_lookups == 2);
  CHECK(l1.counters().l1_misses == 2);
}

TEST_CASE("the L1 takes one request per cycle, a demand before a prefetch that came earlier") {
  InstructionL1 l1(small(), 10, 0);
  l1.load_all();
  CHECK(l1.request(6, InstructionL1::Kind::kPrefetch, 0, kL1) == kL1);
  CHECK(l1.request(7, InstructionL1::Kind::kPrefetch, 0, kL1) == kL1 + 1);
  CHECK(l1.request(8, InstructionL1::Kind::kDemand, 0, kL1) == kL1);
  CHECK(l1.request(9, InstructionL1::Kind::kDemand, 0, kL1) == kL1 + 1);
}

TEST_CASE("of a full set the line used longest ago goes") {
  InstructionL1 l1(small(), 10, 0);
  l1.load_all();
  InstructionL0 l0(small(), 10);
  for (const std::uint32_t line : {0U, 1U, 0U, 2U}) {
    (void)l0.look_up(line, 100 * line, l1);
  }
  CHECK(l0.look_up(0, 1000, l1) == 1000);
  CHECK(l0.look_up(1, 2000, l1) == 2000 + kL1);
}

TEST_CASE("code that ran before is in the L1 as far as it fits, its end rather than its beginning") {
  arch::FrontEndConfig config = small();
  config.l1_bytes = 512;
  InstructionL1 l1(config, 6, 0);
  l1.load_all();
  CHECK(l1.request(5, InstructionL1::Kind::kDemand, 0, kL1) == kL1);
  CHECK(l1.request(1, InstructionL1::Kind::kDemand, 10, kL1) == 10 + kL1 + kMiss);
}

TEST_CASE("the stream buffer asks for the lines behind a miss, keeps its distance, and ends with the code") {
  InstructionL1 l1(small(), 5, 0);
  l1.load_all();
  InstructionL0 l0(small(2), 5);
  CHECK(l0.look_up(0, 0, l1) == kL1);  // asks for 0, 1, 2
  CHECK(l0.counters().prefetches == 2);
  CHECK(l0.look_up(1, 40, l1) == 40);  // asks for 3
  CHECK(l0.counters().stream_hits == 1);
  CHECK(l0.counters().prefetches == 3);
  CHECK(l0.look_up(2, 41, l1) == 41);  // asks for 4
  CHECK(l0.look_up(3, 42, l1) == 40 + kL1);
  CHECK(l0.look_up(4, 80, l1) == 80);
  CHECK(l0.counters().prefetches == 4);
  CHECK(l1.counters().l1_lookups == 5);
}

TEST_CASE("a miss beside the stream begins another one") {
  InstructionL1 l1(small(), 20, 0);
  l1.load_all();
  InstructionL0 l0(small(1), 20);
  (void)l0.look_up(0, 0, l1);  // asks for 1
  CHECK(l0.look_up(17, 50, l1) == 50 + kL1);
  CHECK(l0.look_up(18, 100, l1) == 100);
  CHECK(l0.look_up(1, 150, l1) > 150);  // the stream has forgotten it
}

TEST_CASE("each warp has a stream of its own, which another warp's misses elsewhere leave alone") {
  InstructionL1 l1(small(), 20, 0);
  l1.load_all();
  InstructionL0 l0(small(1, arch::StreamPer::kWarp), 20);
  (void)l0.look_up(0, 0, l1, 0);  // asks for 1
  CHECK(l0.look_up(17, 50, l1, 1) == 50 + kL1);
  CHECK(l0.look_up(1, 150, l1, 0) == 150);
  CHECK(l0.look_up(18, 160, l1, 1) == 160);
}

TEST_CASE("a line that another warp's stream has asked for is not asked for again") {
  InstructionL1 l1(small(), 20, 0);
  l1.load_all();
  InstructionL0 l0(small(1, arch::StreamPer::kWarp), 20);
  (void)l0.look_up(0, 0, l1, 0);  // asks for 1
  CHECK(l0.look_up(1, 150, l1, 1) == 150);
  CHECK(l1.counters().l1_lookups == 3);  // 0, 1, and behind it 2
}

TEST_CASE("what lies behind the code is nobody's miss") {
  InstructionL1 l1(small(), 2, 0);
  InstructionL0 l0(small(), 2);
  CHECK(l0.look_up(2, 7, l1) == 7);
  CHECK(l0.counters().l0_lookups == 0);
}

TEST_CASE("warps of a sub-core with one stream buffer end each other's streams") {
  InstructionL1 l1(small(), 20, 0);
  l1.load_all();
  InstructionL0 l0(small(1), 20);
  (void)l0.look_up(0, 0, l1, 0);    // asks for 1
  (void)l0.look_up(17, 50, l1, 1);  // and this for 18 in its place
  CHECK(l0.look_up(1, 150, l1, 0) == 150 + kL1);
}

}  // namespace instruction_cache_test
