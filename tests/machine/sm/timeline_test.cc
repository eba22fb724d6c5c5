// SPDX-License-Identifier: MIT
// Timelines of one SM, drawn by hand for a machine of round numbers. Every test names the cycle of each issue, so that
// an instruction that goes a cycle early or late fails it.
#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

namespace timeline_test {

using namespace gpusim;
using stats::Stall;
using test::OneSmSetup;
using test::run_listing;

namespace {

constexpr Cycle kAddress = 10;  ///< from issue to the load/store unit
constexpr Cycle kLink = 20;     ///< SM to router
constexpr Cycle kMemory = 100;  ///< from the router until the answer is here
constexpr Cycle kBarrier = 22;
constexpr Cycle kBranch = 10;

isa::Timing& timing(OneSmSetup& setup, isa::TimingClass c) {
  return setup.arch.sm.timing[static_cast<std::size_t>(c)];
}

OneSmSetup round_numbers(std::uint32_t warps = 1) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.lsu = {5, kAddress, 4, 16};
  setup.arch.sm.shared.latency = 30;
  setup.arch.sm.l1.hit_latency = 40;
  setup.arch.sm.barrier_latency = kBarrier;
  setup.arch.sm.barrier_interval = 0;
  setup.arch.sm.front_end.branch_latency = kBranch;
  setup.arch.noc.sm_to_gpc_latency = kLink;
  setup.arch.noc.request_header_bytes = 8;
  setup.arch.noc.sm_request_bytes_per_cycle = 40;  // a header and one sector
  setup.memory_latency = kMemory;
  setup.threads_per_cta = 32 * warps;
  return setup;
}

using Cycles = std::vector<Cycle>;
using Listing = std::vector<std::string>;

}  // namespace

TEST_CASE("DEPBAR.LE lets groups of asynchronous copies pass in order, each when its data is in shared memory",
          "[hand-checked][dependences]") {
  // Both copies go to one line. The first misses: it executes at 10, its data is back at 10 + 20 + 20 = 50, and written
  // 30 cycles and one wavefront later, which takes 16 lanes two cycles, at 82. The second hits at 71 and is written at
  // 71 + 32 = 103, although its group is closed as soon as 75.
  OneSmSetup setup = round_numbers();
  setup.memory_latency = 20;
  const auto run =
      run_listing(setup, Listing{"[B------:R-:W-:-:S01] LDGSTS.E [R1], [R2.64]", "[B------:R-:W0:-:S15] LDGDEPBAR",
                                 "[B------:R-:W-:-:S15] NOP", "[B------:R-:W-:-:S15] NOP", "[B------:R-:W-:-:S15] NOP",
                                 "[B------:R-:W-:-:S01] LDGSTS.E [R1], [R2.64]", "[B------:R-:W0:-:S02] LDGDEPBAR",
                                 "[B------:R-:W-:-:S01] DEPBAR.LE SB0, 0x1", "[B------:R-:W-:-:S01] DEPBAR.LE SB0, 0x0",
                                 "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 1, 16, 31, 46, 61, 62, 82, 103, 104});
  CHECK(run.cycles(0, Stall::kLongScoreboard) == (82 - 63) + (103 - 83));
}

TEST_CASE("a group that is closed while its data is on the way ends with the data") {
  OneSmSetup setup = round_numbers();
  const auto run =
      run_listing(setup, Listing{"[B------:R-:W-:-:S01] LDGSTS.E [R1], [R2.64]", "[B------:R-:W0:-:S02] LDGDEPBAR",
                                 "[B------:R-:W-:-:S01] DEPBAR.LE SB0, 0x0", "[B------:R-:W-:-:S01] EXIT"});
  const Cycle written = kAddress + kLink + kMemory + 30 + 2;  // 16 lanes write for two cycles
  CHECK(run.issues(0) == Cycles{0, 1, written, written + 1});
}

TEST_CASE("a later group is not over before an earlier one") {
  // The line is in L1 from 130 on. The copy executes at 170 and is written at 202; its group is closed at 174, the
  // empty one behind it at 178.
  OneSmSetup setup = round_numbers();
  const auto run = run_listing(
      setup, Listing{"[B------:R-:W2:-:S02] LDG.E R1, [R2.64]", "[B--2---:R-:W-:-:S01] LDGSTS.E [R1], [R2.64]",
                     "[B------:R-:W0:-:S01] LDGDEPBAR", "[B------:R-:W1:-:S02] LDGDEPBAR", "[B-1----:R-:W-:-:S01] NOP",
                     "[B0-----:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 160, 161, 162, 202, 203, 204});
}

TEST_CASE("an empty group is over at once") {
  // LDGDEPBAR executes at 10 and lowers its counter a cycle later.
  const auto run =
      run_listing(round_numbers(), Listing{"[B------:R-:W0:-:S02] LDGDEPBAR",
                                           "[B------:R-:W-:-:S01] DEPBAR.LE SB0, 0x0", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 11, 12});
}

TEST_CASE("a barrier opens its latency after the last arrival, for all") {
  OneSmSetup setup = round_numbers(2);
  // Warp 0 jumps to the barrier and is there at 11, warp 1 walks there by 10.
  setup.path = [](std::uint32_t, std::uint32_t warp) {
    return warp == 0 ? std::vector<std::uint32_t>{0, 2, 3} : std::vector<std::uint32_t>{0, 1, 2, 3};
  };
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S09] NOP",
                                              "[B------:R-:W-:-:S01] BAR.SYNC 0x0", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 11, 33});
  CHECK(run.issues(1) == Cycles{0, 1, 10, 33});
  CHECK(run.cycles(0, Stall::kBranchResolving) == 10);
  CHECK(run.cycles(0, Stall::kBarrier) == 33 - 12);
  CHECK(run.cycles(1, Stall::kBarrier) == 33 - 11);
}

TEST_CASE("a warp that exits no longer keeps its siblings at a barrier") {
  OneSmSetup setup = round_numbers(2);
  setup.path = [](std::uint32_t, std::uint32_t warp) {
    return warp == 0 ? std::vector<std::uint32_t>{0, 3} : std::vector<std::uint32_t>{0, 1, 2, 3};
  };
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] NOP",
                                              "[B------:R-:W-:-:S01] BAR.SYNC 0x0", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 11});
  CHECK(run.issues(1) == Cycles{0, 1, 2, 33});
  CHECK(run.finished);
}

TEST_CASE("CTAs of one SM do not wait for each other's barriers") {
  OneSmSetup setup = round_numbers();
  setup.ctas = 2;
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S01] BAR.SYNC 0x0", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, kBarrier});
  CHECK(run.issues(1) == Cycles{0, kBarrier});
}

TEST_CASE("a pipe of 4 lanes takes an instruction every eight cycles") {
  OneSmSetup setup = round_numbers();
  timing(setup, isa::TimingClass::kMufu).interval = Ratio{8, 1};
  const Listing listing{"[B------:R-:W0:-:S01] MUFU.EX2 R1, R2", "[B------:R-:W0:-:S01] MUFU.EX2 R3, R2",
                        "[B------:R-:W0:-:S01] MUFU.EX2 R4, R2", "[B------:R-:W-:-:S01] EXIT"};
  const auto run = run_listing(setup, listing);
  CHECK(run.issues(0) == Cycles{0, 8, 16, 17});
  CHECK(run.cycles(0, Stall::kMathPipeThrottle) == 14);
}

TEST_CASE("a pipe whose interval is longer than the ring of wake-ups opens on time") {
  OneSmSetup setup = round_numbers();
  for (const std::uint64_t interval : {63U, 64U, 65U, 200U}) {
    timing(setup, isa::TimingClass::kMufu).interval = Ratio{interval, 1};
    const auto run = run_listing(setup, Listing{"[B------:R-:W0:-:S01] MUFU.EX2 R1, R2",
                                                "[B------:R-:W0:-:S01] MUFU.EX2 R3, R2", "[B------:R-:W-:-:S01] EXIT"});
    CHECK(run.issues(0) == Cycles{0, interval, interval + 1});
  }
}

TEST_CASE("a tensor pipe of 25/4 cycles an instruction takes the fourth one after seven") {
  OneSmSetup setup = round_numbers();
  timing(setup, isa::TimingClass::kHmma16816F32).interval = Ratio{25, 4};
  Listing listing(5, "[B------:R-:W-:-:S01] HMMA.16816.F32 R4, R8, R12, R4");
  listing.emplace_back("[B------:R-:W-:-:S01] EXIT");
  CHECK(run_listing(setup, listing).issues(0) == Cycles{0, 6, 12, 18, 25, 26});
}

TEST_CASE("two warps of a sub-core share its pipe: first one's turn, then the pipe's", "[hand-checked][pipes]") {
  OneSmSetup setup = round_numbers(5);
  timing(setup, isa::TimingClass::kMufu).interval = Ratio{8, 1};
  const auto run = run_listing(setup, Listing{"[B------:R-:W0:-:S01] MUFU.EX2 R1, R2", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 1});
  CHECK(run.issues(4) == Cycles{8, 9});
  CHECK(run.cycles(4, Stall::kNotSelected) == 1);
  CHECK(run.cycles(4, Stall::kMathPipeThrottle) == 7);
  CHECK(run.issues(1) == Cycles{0, 1});
}

TEST_CASE("a full queue holds global accesses as lg_throttle, shared ones as mio_throttle") {
  OneSmSetup setup = round_numbers();
  setup.arch.sm.lsu.queue_entries = 1;
  const auto run =
      run_listing(setup, Listing{"[B------:R-:W0:-:S01] LDG.E R1, [R2.64]", "[B------:R-:W1:-:S01] LDG.E R3, [R2.64]",
                                 "[B------:R-:W2:-:S01] LDS R4, [R2]", "[B------:R-:W-:-:S01] FADD R5, R6, R7",
                                 "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 10, 20, 21, 22});
  CHECK(run.cycles(0, Stall::kLgThrottle) == 9);
  CHECK(run.cycles(0, Stall::kMioThrottle) == 9);
}

TEST_CASE("bank conflicts delay a load's own result and the next access", "[hand-checked][lsu]") {
  // Eight passes of two cycles each, because 16 lanes a cycle get to the banks: the first result comes 14 cycles late;
  // the next access starts when the banks are free, 16 cycles after the first.
  OneSmSetup setup = round_numbers();
  setup.stride_bytes = 32;
  const auto run = run_listing(
      setup, Listing{"[B------:R-:W0:-:S01] LDS R1, [R2]", "[B------:R-:W1:-:S02] LDS R3, [R2]",
                     "[B0-----:R-:W-:-:S01] NOP", "[B-1----:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 1, 44, 60, 61});
  CHECK(run.counted.sm.shared_wavefronts == 16);
  CHECK(run.counted.sm.shared_ideal_wavefronts == 2);
}

TEST_CASE("a warp drains until its last store has left the SM") {
  // 32 lines leave from 10 on, one per cycle; the last in 41.
  OneSmSetup setup = round_numbers();
  setup.stride_bytes = 128;
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S01] STG.E [R2.64], R1", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 1});
  CHECK(run.last_drained == 42);
  CHECK(run.cycles(0, Stall::kDrain) == 40);
}

TEST_CASE("a fence waits for the acknowledgement of every write, and for its own latency") {
  OneSmSetup setup = round_numbers();
  const Listing after_store{"[B------:R-:W-:-:S01] STG.E [R2.64], R1", "[B------:R-:W-:-:S01] MEMBAR.SC.GPU",
                            "[B------:R-:W-:-:S01] EXIT"};
  timing(setup, isa::TimingClass::kFence).latency = 5;
  const auto store = run_listing(setup, after_store);
  CHECK(store.issues(0) == Cycles{0, 1, kAddress + kLink + kMemory});
  CHECK(store.cycles(0, Stall::kMembar) == kAddress + kLink + kMemory - 2);
  timing(setup, isa::TimingClass::kFence).latency = 500;
  CHECK(run_listing(setup, after_store).issues(0) == Cycles{0, 1, 501});
  const auto alone = run_listing(setup, Listing{after_store[1], after_store[2]});
  CHECK(alone.issues(0) == Cycles{0, 500});
  CHECK(alone.cycles(0, Stall::kMembar) == 499);
}

TEST_CASE("a fence behind a write that comes late waits for the next round, one of the CTA's scope does not") {
  OneSmSetup setup = round_numbers();
  setup.arch.sm.fence_window = 4;
  setup.ctas = 3;
  setup.cta_interval = 3;
  timing(setup, isa::TimingClass::kFence).latency = 200;
  timing(setup, isa::TimingClass::kFenceCta).latency = 200;
  const std::string store = "[B------:R-:W-:-:S01] STG.E [R2.64], R1";
  const std::string exit = "[B------:R-:W-:-:S01] EXIT";
  const auto run = run_listing(setup, Listing{store, "[B------:R-:W-:-:S01] MEMBAR.SC.GPU", exit});
  CHECK(run.issues(0) == Cycles{0, 1, 201});
  CHECK(run.issues(1) == Cycles{3, 4, 204});
  CHECK(run.issues(2) == Cycles{6, 7, 401});
  const auto own = run_listing(setup, Listing{store, "[B------:R-:W-:-:S01] MEMBAR.SC.CTA", exit});
  CHECK(own.issues(2) == Cycles{6, 7, 207});
}

TEST_CASE("fences without a write on their way do not wait for each other") {
  OneSmSetup setup = round_numbers();
  setup.ctas = 2;
  setup.cta_interval = 30;
  timing(setup, isa::TimingClass::kFence).latency = 200;
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S01] MEMBAR.SC.GPU", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 200});
  CHECK(run.issues(1) == Cycles{30, 230});
}

TEST_CASE("a fence does not wait for another warp's writes") {
  OneSmSetup setup = round_numbers();
  timing(setup, isa::TimingClass::kFence).latency = 5;
  setup.ctas = 2;
  setup.path = [](std::uint32_t cta, std::uint32_t) {
    return cta == 0 ? std::vector<std::uint32_t>{0, 1, 4} : std::vector<std::uint32_t>{0, 2, 3, 4};
  };
  const auto run = run_listing(
      setup, Listing{"[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] STG.E [R2.64], R1",
                     "[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] MEMBAR.SC.GPU", "[B------:R-:W-:-:S01] EXIT"});
  // Warp 1 jumps over the store to 11, and fences at 12.
  CHECK(run.issues(1) == Cycles{0, 11, 12, 17});
}

TEST_CASE("a fence does not wait for writes of the warp that had its slot before") {
  // CTA 0's write is acknowledged at 130, long after its warp has left; CTA 1 fences in the same slot at 60.
  OneSmSetup setup = round_numbers();
  timing(setup, isa::TimingClass::kFence).latency = 5;
  setup.ctas = 2;
  setup.cta_interval = 60;
  setup.path = [](std::uint32_t cta, std::uint32_t) { return std::vector<std::uint32_t>{cta, 2}; };
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S01] STG.E [R2.64], R1",
                                              "[B------:R-:W-:-:S01] MEMBAR.SC.GPU", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.finished);
  CHECK(run.issues(0) == Cycles{0, 11, 60, 65});
}

TEST_CASE("a jump waits for its target, then for what is left of the stall count") {
  OneSmSetup setup = round_numbers();
  setup.path = [](std::uint32_t, std::uint32_t) { return std::vector<std::uint32_t>{0, 2, 3}; };
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S15] NOP", "[B------:R-:W-:-:S01] NOP",
                                              "[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 15, 16});
  CHECK(run.cycles(0, Stall::kBranchResolving) == kBranch);
  CHECK(run.cycles(0, Stall::kWait) == 4);
}

TEST_CASE("a sleep, even one beyond the ring of wake-ups, ends on time") {
  OneSmSetup setup = round_numbers();
  setup.arch.clocks.sm = 1'000'000'000;
  for (const std::uint32_t cycles : {1U, 62U, 63U, 64U, 600U}) {
    const std::string sleep = "[B------:R-:W-:-:S01] NANOSLEEP " + std::to_string(cycles);
    const auto run = run_listing(setup, Listing{sleep, "[B------:R-:W-:-:S01] EXIT"});
    CHECK(run.issues(0) == Cycles{0, cycles + 1});
    CHECK(run.cycles(0, Stall::kSleeping) == cycles);
  }
}

TEST_CASE("a read barrier holds an overwrite until the operands have been read") {
  const auto run =
      run_listing(round_numbers(), Listing{"[B------:R0:W-:-:S02] MUFU.EX2 R1, R2",
                                           "[B0-----:R-:W-:-:S01] FADD R2, R3, R4", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 5, 6});
  CHECK(run.cycles(0, Stall::kShortScoreboard) == 4);
}

TEST_CASE("atomics to more lines than there are miss registers finish") {
  OneSmSetup setup = round_numbers();
  setup.arch.sm.l1.mshrs = 4;
  setup.stride_bytes = 128;
  const auto run =
      run_listing(setup, Listing{"[B------:R-:W0:-:S02] ATOMG.E.ADD R1, [R2.64], R3",
                                 "[B------:R-:W1:-:S02] ATOMG.E.ADD R4, [R2.64], R3", "[B01----:R-:W-:-:S01] EXIT"});
  CHECK(run.finished);
  CHECK(run.counted.l1.atomic_sectors == 64);
}

TEST_CASE("a load of more lines than there are miss registers finishes and counts each sector once") {
  OneSmSetup setup = round_numbers();
  setup.arch.sm.l1.mshrs = 4;
  setup.stride_bytes = 128;
  const auto run = run_listing(setup, Listing{"[B------:R-:W0:-:S02] LDG.E R1, [R2.64]", "[B0-----:R-:W-:-:S01] EXIT"});
  CHECK(run.finished);
  CHECK(run.counted.l1.load_sectors == 32);
  CHECK(run.counted.l1.load_misses == 32);
  CHECK(run.counted.l1.reply_sectors == 32);
}

TEST_CASE("a sub-core of 32 warps runs them all") {
  OneSmSetup setup = round_numbers(32);
  setup.arch.sm.sub_cores = 2;
  setup.ctas = 2;
  const auto run = run_listing(setup, Listing{"FADD R1, R2, R3", "LDS R5, [R3]", "BAR.SYNC 0x0", "EXIT"});
  CHECK(run.finished);
  CHECK(run.counted.sm.warp_instructions == 64 * 4);
}

TEST_CASE("the result is the same in windows of any size") {
  OneSmSetup setup = round_numbers(16);
  setup.ctas = 3;
  const Listing listing{"LDG.E R4, [R2.64]",     "LDS R5, [R3]", "FFMA R6, R4, R5, R6", "MUFU.EX2 R7, R6",
                        "BAR.SYNC 0x0",          "STS [R3], R7", "STG.E [R2.64], R7",   "MEMBAR.SC.GPU",
                        "LDG.E.128 R8, [R2.64]", "EXIT"};
  const auto expected = run_listing(setup, listing);
  for (const unsigned divisor : {2U, 4U, 8U}) {
    setup.window_divisor = divisor;
    const auto run = run_listing(setup, listing);
    REQUIRE(run.intervals.size() == expected.intervals.size());
    CHECK(run.last_drained == expected.last_drained);
    for (std::uint32_t slot = 0; slot < 48; ++slot) {
      CHECK(run.issues(slot) == expected.issues(slot));
    }
  }
}

}  // namespace timeline_test
