// SPDX-License-Identifier: MIT
// Timelines of instruction fetch, drawn by hand: two cycles from fetch to buffer, three places a warp, an L1 that holds
// the code and answers after 20 cycles.
#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

namespace front_end_test {

using namespace gpusim;
using stats::Stall;
using test::OneSmSetup;
using test::run_listing;

namespace {

constexpr Cycle kFetch = 2;
constexpr Cycle kL1 = 20;
constexpr Cycle kBranch = 10;  ///< cycles; two of them are the refetch

OneSmSetup with_caches(std::uint32_t l0_lines = 16, std::uint32_t prefetch_lines = 0) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.front_end = {arch::FrontEndModel::kCached,
                             kBranch,
                             kFetch,
                             3,
                             128 * l0_lines,
                             l0_lines,
                             128 * 1024,
                             8,
                             kL1,
                             50,
                             prefetch_lines};
  setup.warm_code = true;
  return setup;
}

using Cycles = std::vector<Cycle>;
using Listing = std::vector<std::string>;

/// `count` instructions without stalls, the last of which is EXIT.
Listing straight(std::size_t count) {
  Listing listing(count - 1, "[B------:R-:W-:-:S01] NOP");
  listing.emplace_back("[B------:R-:W-:-:S01] EXIT");
  return listing;
}

/// `turns` times through all lines but the last.
OneSmSetup looping(OneSmSetup setup, std::uint32_t lines, std::uint32_t turns) {
  setup.path = [lines, turns](std::uint32_t, std::uint32_t) {
    std::vector<std::uint32_t> path;
    for (std::uint32_t i = 0; i < turns * (lines - 1); ++i) {
      path.push_back(i % (lines - 1));
    }
    path.push_back(lines - 1);
    return path;
  };
  return setup;
}

Cycles range(Cycle first, std::size_t count) {
  Cycles cycles(count);
  for (std::size_t i = 0; i < count; ++i) {
    cycles[i] = first + i;
  }
  return cycles;
}

Cycles joined(Cycles a, const Cycles& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a warp waits for its first line and then issues one instruction per cycle") {
  // Fetch misses at 0; the line is there at 20 and fetched at 20, 21, 22, ...; what is fetched at 20 issues at 22.
  const auto run = run_listing(with_caches(), straight(8));
  CHECK(run.issues(0) == range(kL1 + kFetch, 8));
  CHECK(run.cycles(0, Stall::kNoInstruction) == kL1 + kFetch);
  CHECK(run.counted.fetch.l0_misses == 1);
}

TEST_CASE("without prefetch every new line is waited for", "[hand-checked][fetch]") {
  // line   asked for at                 there   first issue
  //  0     0                            20      22 (to 29)
  //  1     28, the cycle after its      48      50 (to 57)
  //        third instruction before issued at 27
  //  2     56                           76      78
  const auto run = run_listing(with_caches(), straight(24));
  CHECK(run.issues(0) == joined(joined(range(22, 8), range(50, 8)), range(78, 8)));
  CHECK(run.cycles(0, Stall::kNoInstruction) == 22 + 20 + 20);
}

TEST_CASE("with the stream buffer straight code that is cold waits for its first line alone") {
  const auto run = run_listing(with_caches(16, 8), straight(24));
  CHECK(run.issues(0) == range(22, 24));
  CHECK(run.counted.fetch.stream_hits == 2);
  CHECK(run.counted.fetch.prefetches == 2);
}

TEST_CASE("a stream from behind the L1 is as fast as its blocks come, and no faster") {
  // Nothing is in L1: lines 0 and 1 are there at 70 and 71, having been asked for at 0 and 1. Line 2 is asked for when
  // line 1 is, at 78, three instructions before its turn, and there at 148.
  OneSmSetup setup = with_caches(16, 1);
  setup.warm_code = false;
  const auto run = run_listing(setup, straight(24));
  CHECK(run.issues(0) == joined(range(72, 16), range(150, 8)));
  CHECK(run.counted.fetch.l1_misses == 3);
}

TEST_CASE("a taken branch is resolved, then its target is fetched again") {
  OneSmSetup setup = with_caches();
  setup.path = [](std::uint32_t, std::uint32_t) { return std::vector<std::uint32_t>{0, 2, 3}; };
  const auto run = run_listing(setup, straight(4));
  CHECK(run.issues(0) == Cycles{22, 22 + 1 + kBranch, 22 + 2 + kBranch});
  CHECK(run.cycles(0, Stall::kBranchResolving) == kBranch - kFetch);
  CHECK(run.cycles(0, Stall::kNoInstruction) == 22 + kFetch);
}

TEST_CASE("a loop that the L0 holds misses in its first turn only") {
  // Three lines, and the EXIT behind them: its line is asked for while the first jump back is resolved.
  const auto run = run_listing(looping(with_caches(4), 25, 5), straight(25));
  CHECK(run.counted.fetch.l0_misses == 4);
  CHECK(run.cycles(0, Stall::kNoInstruction) == 22 + 20 + 20 + 4 * kFetch);
  CHECK(run.cycles(0, Stall::kBranchResolving) == 4 * (kBranch - kFetch));
}

TEST_CASE("a loop that the L0 does not hold waits for every line in every turn") {
  // Three lines through two places, used longest ago first out.
  const auto run = run_listing(looping(with_caches(2), 25, 5), straight(25));
  CHECK(run.counted.fetch.l0_hits == 0);
  CHECK(run.cycles(0, Stall::kNoInstruction) > 5 * 3 * kL1);
}

TEST_CASE("two warps of a sub-core share a miss") {
  // Slot 0 misses at 0; slot 1 of the same sub-core looks at 1 and waits for the same line. At 20 slot 0 goes first,
  // which the fetcher takes for the last issuer; it takes 20 to 22 and, as it issues, 23; the others' turn is 24.
  OneSmSetup setup = with_caches();
  setup.threads_per_cta = 32 * 5;
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S06] NOP", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{22, 28});
  CHECK(run.issues(4) == Cycles{26, 32});
  CHECK(run.counted.fetch.l0_merges == 1);
  CHECK(run.counted.fetch.l1_lookups == 4);  // one per sub-core
}

TEST_CASE("the fetcher follows the warp that issues, and others get what it leaves") {
  // Slot 0 jumps at 22 and its target is known at 31; slot 1 is fetched meanwhile, at 23, jumps at 25, and its target
  // is known at 34. From 31 on every fetch is slot 0's, which issues in every cycle, until its EXIT issues at 38.
  OneSmSetup setup = with_caches();
  setup.threads_per_cta = 32 * 5;
  setup.path = [](std::uint32_t, std::uint32_t) { return std::vector<std::uint32_t>{0, 2, 3, 4, 5, 6, 7}; };
  const auto run = run_listing(setup, straight(8));
  CHECK(run.issues(0) == joined({22}, range(33, 6)));
  CHECK(run.issues(4) == joined({25}, range(39 + kFetch, 6)));
}

TEST_CASE("a larger L0 never makes a loop slower") {
  const Listing listing = straight(60);
  Cycle before = kNever;
  for (const std::uint32_t lines : {1U, 2U, 4U, 6U, 8U, 16U}) {
    const auto run = run_listing(looping(with_caches(lines, 2), 60, 6), listing);
    INFO(lines << " lines");
    CHECK(run.last_drained <= before);
    before = run.last_drained;
  }
}

}  // namespace front_end_test
