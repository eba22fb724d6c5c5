// SPDX-License-Identifier: MIT
// Barriers that count their warps, arrivals that do not wait, and sleeps: which warp goes on in which cycle.
#include <catch2/catch.hpp>

#include "sim/machine/sm/warps/named_barriers.h"
#include "sim/model/arch/arch.h"

#include "tests/support/one_sm.h"

namespace named_barrier_test {

using namespace gpusim;
using sm::CtaBarriers;
using stats::Stall;
using test::OneSmSetup;
using test::run_listing;

namespace {

constexpr Cycle kBarrier = 22;
constexpr Cycle kBranch = 10;
using Cycles = std::vector<Cycle>;
using Listing = std::vector<std::string>;
using Paths = std::vector<std::vector<std::uint32_t>>;

/// An SM that takes arrivals at once.
arch::Arch simple_arch() {
  arch::Arch arch = test::shipped_arch("h100");
  arch.sm.barrier_latency = kBarrier;
  arch.sm.barrier_interval = 0;
  arch.sm.front_end.branch_latency = kBranch;
  return arch;
}

/// One CTA whose warps run the lines named by `paths`, which have a stall count of 1 where they do not say.
test::OneSmRun run(const Listing& listing, const Paths& paths, const arch::Arch& arch = simple_arch()) {
  OneSmSetup setup;
  setup.arch = arch;
  setup.threads_per_cta = 32 * static_cast<std::uint32_t>(paths.size());
  setup.path = [&paths](std::uint32_t, std::uint32_t warp) { return paths[warp]; };
  Listing with_control;
  for (const std::string& line : listing) {
    with_control.push_back((line.front() == '[' ? "" : "[B------:R-:W-:-:S01] ") + line);
  }
  return run_listing(setup, with_control);
}

}  // namespace

TEST_CASE("a barrier that counts opens for as many warps, whatever the others of the CTA do") {
  const auto done = run({"NOP", "BAR.SYNC 0x1, 0x40", "EXIT"}, {{0, 1, 2}, {1, 2}, {0, 0, 0, 0, 2}});
  CHECK(done.issues(0) == Cycles{0, 1, 1 + kBarrier});
  CHECK(done.issues(1) == Cycles{0, 1 + kBarrier});
  CHECK(done.cycles(1, Stall::kBarrier) == kBarrier);
}

TEST_CASE("threads are counted in whole warps") {
  CHECK(run({"BAR.SYNC 0x1, 0x21", "EXIT"}, {{0, 1}, {0, 1}}).issues(0) == Cycles{0, kBarrier});
}

TEST_CASE("BAR.ARV arrives and goes on, and the warp that waits is let through") {
  const auto done = run({"BAR.ARV 0x1, 0x40", "NOP", "BAR.SYNC 0x1, 0x40", "EXIT"}, {{0, 1, 3}, {1, 2, 3}});
  CHECK(done.issues(0) == Cycles{0, 1, 2 + kBranch});
  CHECK(done.cycles(0, Stall::kBarrier) == 0);
  CHECK(done.issues(1) == Cycles{0, 1, 1 + kBarrier});
  CHECK(done.finished);
}

TEST_CASE("a producer and a consumer hand a buffer back and forth over two barriers") {
  // Full is barrier 1, empty barrier 2: the producer waits for empty and says full, the consumer the reverse.
  const Listing listing{"BAR.SYNC 0x2, 0x40", "BAR.ARV 0x1, 0x40",  // produce
                        "BAR.ARV 0x2, 0x40", "BAR.SYNC 0x1, 0x40",  // consume
                        "EXIT"};
  const auto done = run(listing, {{0, 1, 0, 1, 4}, {2, 3, 2, 3, 4}});
  CHECK(done.finished);
  CHECK(done.issues(0).size() == 5);
  CHECK(done.issues(1).size() == 5);
  CHECK(done.issues(1)[2] > done.issues(0)[1]);  // consumed after it was produced
  CHECK(done.issues(0)[3] > done.issues(1)[2]);  // produced again after it was consumed
}

TEST_CASE("two warps in turn, as the warpgroups of FlashAttention-3 take theirs", "[hand-checked][lsu]") {
  // cycle     0     15     16               37    38 ... 46   47     68
  // warp 0    NOP   ARV 1  SYNC 2 (waits ............................) EXIT    22 cycles after the ARV at 46
  // warp 1    SYNC 1 (waits ...............) NOP          ARV 2  EXIT          22 cycles after the ARV at 15
  const Listing listing{"[B------:R-:W-:-:S15] NOP",
                        "[B------:R-:W-:-:S01] BAR.ARV 0x1, 0x40",
                        "[B------:R-:W-:-:S01] BAR.SYNC 0x2, 0x40",
                        "[B------:R-:W-:-:S01] EXIT",
                        "[B------:R-:W-:-:S01] BAR.SYNC 0x1, 0x40",
                        "[B------:R-:W-:-:S09] NOP",
                        "[B------:R-:W-:-:S01] BAR.ARV 0x2, 0x40",
                        "[B------:R-:W-:-:S01] EXIT"};
  const auto done = run(listing, {{0, 1, 2, 3}, {4, 5, 6, 7}});
  CHECK(done.issues(0) == Cycles{0, 15, 16, 46 + kBarrier});
  CHECK(done.issues(1) == Cycles{0, 15 + kBarrier, 46, 47});
  CHECK(done.cycles(0, Stall::kBarrier) == 46 + kBarrier - 17);
  CHECK(done.cycles(1, Stall::kBarrier) == 15 + kBarrier - 1);
}

TEST_CASE("the exit of a warp does not stand for an arrival at a barrier that counts") {
  CtaBarriers barriers;
  CHECK(barriers.arrive({5, 2, true}, 0, 3) == 0);
  CHECK(barriers.exit(2) == 0);
  CHECK(barriers.exit(1) == 0);
  CHECK(barriers.arrive({5, 2, false}, 1, 1) == 0b1);
  CHECK(barriers.arrive({5, 2, true}, 0, 1) == 0);  // and it counts from the beginning again
}

TEST_CASE("an exit lets no warp through a barrier before the arrivals that came before it have been taken") {
  arch::Arch arch = simple_arch();
  arch.sm.barrier_interval = 5;
  const Listing listing{"BAR.SYNC 0x0", "EXIT"};
  const Cycle taken = 3 * 5;  // three arrivals in cycle 0, one after the other
  CHECK(run(listing, {{0, 1}, {0, 1}, {0, 1}, {1}}, arch).issues(0) == Cycles{0, taken + kBarrier});
  CHECK(run(listing, {{0, 1}, {0, 1}, {0, 1}}, arch).issues(0) == Cycles{0, taken + kBarrier});
}

TEST_CASE("an exit long after the arrivals opens the barrier by itself") {
  arch::Arch arch = simple_arch();
  arch.sm.barrier_interval = 5;
  const Listing listing{"BAR.SYNC 0x0", "EXIT", "[B------:R-:W-:-:S15] NOP"};
  CHECK(run(listing, {{0, 1}, {2, 2, 1}}, arch).issues(0) == Cycles{0, 30 + kBarrier});
}

TEST_CASE("NANOSLEEP lasts its nanoseconds at the clock of the SM, and at most a millisecond") {
  const auto slept = [](const std::string& sleep, std::uint64_t hertz) {
    arch::Arch arch = simple_arch();
    arch.clocks.sm = hertz;
    return run({sleep, "EXIT"}, {{0, 1}}, arch).cycles(0, Stall::kSleeping);
  };
  CHECK(slept("NANOSLEEP 0x64", 1'500'000'000) == 150);
  CHECK(slept("NANOSLEEP 0x1", 1'500'000'000) == 2);
  CHECK(slept("NANOSLEEP 0x3b9aca00", 2'000'000) == 2'000);
  CHECK(slept("NANOSLEEP R4", 1'500'000'000) == 1);
}

}  // namespace named_barrier_test
