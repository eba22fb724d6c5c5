// SPDX-License-Identifier: MIT
// The parts an SM is made of: a sub-core's ring of wake-ups and pipe latches, the table of CTAs, the splitting
// of a gap among its causes.
#include "sim/machine/sm/warps/sub_core.h"

#include <bit>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/sm/warps/cta_table.h"
#include "sim/machine/sm/warps/named_barriers.h"
#include "sim/machine/sm/warps/stall_ledger.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/model/arch/arch.h"
#include "sim/model/policy/warp/table.h"

#include "tests/support/one_sm.h"

namespace sub_core_test {

using namespace gpusim;
using namespace gpusim::sm;
using isa::Pipe;
using stats::Stall;

namespace {

WarpMask slots(std::initializer_list<std::uint32_t> list) {
  WarpMask mask = 0;
  for (const std::uint32_t slot : list) {
    mask |= WarpMask{1} << slot;
  }
  return mask;
}

/// Cycles by state of a gap from cycle 100 on, split for a warp that became ready when its last cause ended.
stats::StallCycles split(Warp& warp) {
  stats::PcProfile row;
  const WarpName name;
  GapCharger charger(row, warp, name, nullptr, nullptr);
  charge_private_causes(warp, charger);
  return row.stalls;
}

policy::WarpScheduler scheduler() {
  return policy::WarpScheduler(policy::WarpPolicy::kGreedyThenYoungest);
}

/// An instruction of the pipe; `reaches_out`: the rest of the SM hears of it.
lower::WarpOp op_of(Pipe pipe, bool reaches_out) {
  lower::WarpOp op;
  op.pipe = pipe;
  op.reaches_out = reaches_out;
  return op;
}

using Counters = std::array<DependenceCounter, isa::kDependenceCounters>;

/// A warp whose gap began at 100; its stall count ends at `wait`.
Warp waiting_warp(const lower::WarpOp& op, Cycle wait = 0, const Counters& counters = {}) {
  return {.op = &op, .gap_begin = 100, .counters = counters, .stalls = GapStalls(wait)};
}

Stall next(Stall state) {
  return static_cast<Stall>(static_cast<unsigned>(state) + 1);
}

std::uint64_t of(const stats::StallCycles& cycles, Stall state) {
  return cycles[static_cast<std::size_t>(state)];
}

}  // namespace

TEST_CASE("a wake-up comes back at its cycle, once, across the ring's wrap") {
  for (Cycle now = 0; now < 2 * SubCore::kRing; ++now) {
    for (Cycle distance = 1; distance < SubCore::kRing; ++distance) {
      SubCore core(scheduler());
      core.sleep_until(3, now + distance);
      REQUIRE(core.next_tick(now) == now + distance);
      REQUIRE(core.wake(now + distance) == 0b1000);
      REQUIRE(core.wake(now + distance) == 0);
      REQUIRE(core.next_tick(now + distance) == kNever);
    }
  }
}

TEST_CASE("a sub-core has to stop ahead of its time where the warp that is picked reaches out, not any that is ready") {
  for (const bool oldest_reaches_out : {false, true}) {
    SubCore core(scheduler());
    for (const std::uint32_t slot : {1U, 2U}) {
      core.set_age(slot, slot);
      core.want(slot, op_of(Pipe::kFma, (slot == 1) == oldest_reaches_out));
      core.sleep_until(slot, 70);
    }
    CHECK(core.may_reach_out(70) != oldest_reaches_out);  // the youngest is picked
    (void)core.wake(70);
    CHECK(core.take_newly_ready() == slots({1, 2}));
    CHECK(core.pick(core.candidates(70)) == 2);
  }
}

TEST_CASE("a sub-core that asks ahead of its time which warp it would pick picks the same when its time has come") {
  for (const policy::WarpPolicyInfo& info : policy::kWarpPolicies) {
    SubCore core{policy::WarpScheduler(info.policy)};
    if (core.scheduler().has_state()) {
      continue;  // chooses anew whenever it is asked: running ahead does not have it
    }
    for (const std::uint32_t slot : {0U, 1U, 2U}) {
      core.set_age(slot, 10 - slot);
      core.want(slot, op_of(Pipe::kFma, true));
      core.sleep_until(slot, 70);
    }
    (void)core.wake(70);
    const std::uint32_t first = core.pick(core.candidates(70));
    core.issue(first, Pipe::kFma);
    SubCore asked = core;
    CHECK(asked.may_reach_out(71));
    CHECK(asked.pick(asked.candidates(71)) == core.pick(core.candidates(71)));
  }
}

TEST_CASE("the next tick is the earliest of several") {
  SubCore core(scheduler());
  core.sleep_until(0, 70);
  core.sleep_until(1, 70);
  core.tick_at(66);
  core.sleep_until(2, 120);
  CHECK(core.next_tick(60) == 66);
  CHECK(core.wake(66) == 0);
  CHECK(core.next_tick(66) == 70);
  CHECK(core.wake(70) == 0b11);
  CHECK(core.next_tick(70) == 120);
}

TEST_CASE("a pipe with an interval of two is closed every other cycle") {
  PipeLatches latches;
  CHECK(latches.is_open(Pipe::kFma, 10));
  CHECK(latches.take(Pipe::kFma, 10, {2, 1}) == 12);
  CHECK_FALSE(latches.is_open(Pipe::kFma, 11));
  CHECK(latches.is_open(Pipe::kFma, 12));
  CHECK(latches.closed_before(Pipe::kFma, 11) == 0);
  CHECK(latches.closed_before(Pipe::kFma, 12) == 1);
  CHECK(latches.closed_before(Pipe::kFma, 50) == 1);
  CHECK(latches.take(Pipe::kFma, 12, {2, 1}) == 14);
  CHECK(latches.closed_before(Pipe::kFma, 13) == 1);
  CHECK(latches.closed_before(Pipe::kFma, 14) == 2);
}

TEST_CASE("a pipe of full width never closes") {
  PipeLatches latches;
  for (Cycle now = 0; now < 10; ++now) {
    CHECK(latches.is_open(Pipe::kFma, now));
    CHECK(latches.take(Pipe::kFma, now, {1, 1}) == now + 1);
  }
  CHECK(latches.closed_before(Pipe::kFma, 10) == 0);
}

TEST_CASE("an interval of 25/4 cycles is met exactly over four instructions") {
  PipeLatches latches;
  Cycle now = 0;
  std::vector<Cycle> opens;
  for (int i = 0; i < 8; ++i) {
    now = latches.take(Pipe::kFma, now, {25, 4});
    opens.push_back(now);
    CHECK(latches.closed_before(Pipe::kFma, now) == now - opens.size());
  }
  CHECK(opens == std::vector<Cycle>{6, 12, 18, 25, 31, 37, 43, 50});
}

TEST_CASE("the closed cycles of a latch are those in which it was not open") {
  std::mt19937 random(5);
  const std::array<Ratio, 4> intervals{Ratio{1, 1}, Ratio{2, 1}, Ratio{25, 4}, Ratio{80, 1}};
  for (const Ratio interval : intervals) {
    PipeLatches latches;
    std::uint64_t closed = 0;
    for (Cycle now = 0; now < 2000; ++now) {
      REQUIRE(latches.closed_before(Pipe::kFma, now) == closed);
      closed += latches.is_open(Pipe::kFma, now) ? 0 : 1;
      if (latches.is_open(Pipe::kFma, now) && random() % 3 == 0) {
        latches.take(Pipe::kFma, now, interval);
      }
    }
    CHECK((closed > 0) == (interval != Ratio{1, 1}));
  }
}

TEST_CASE("a latch that is kept closed counts as closed from its first cycle until it opens") {
  PipeLatches latches;
  latches.close(Pipe::kFma, 21);
  CHECK_FALSE(latches.is_open(Pipe::kFma, 21));
  CHECK(latches.closed_before(Pipe::kFma, 21) == 0);
  CHECK(latches.closed_before(Pipe::kFma, 25) == 4);
  latches.open(Pipe::kFma, 30);
  CHECK(latches.is_open(Pipe::kFma, 30));
  CHECK(latches.closed_before(Pipe::kFma, 30) == 9);
  CHECK(latches.closed_before(Pipe::kFma, 90) == 9);
  latches.close(Pipe::kFma, 91);
  latches.open(Pipe::kFma, 91);
  CHECK(latches.closed_before(Pipe::kFma, 92) == 9);
}

TEST_CASE("candidates are the ready warps whose pipe is open") {
  SubCore core(scheduler());
  core.want(0, op_of(Pipe::kFma, false));
  core.unblock(0);
  core.want(1, op_of(Pipe::kXu, false));
  core.unblock(1);
  core.want(2, op_of(Pipe::kLsu, false));
  core.unblock(2);
  CHECK(core.candidates(10) == 0b111);
  core.issue(1, Pipe::kXu);
  core.occupy(Pipe::kXu, 10, {8, 1});
  core.want(1, op_of(Pipe::kXu, false));
  core.unblock(1);
  core.pipes().close(Pipe::kLsu, 11);
  CHECK(core.candidates(11) == 0b001);
  CHECK(core.candidates(17) == 0b001);
  CHECK(core.candidates(18) == 0b011);
  core.pipes().open(Pipe::kLsu, 19);
  CHECK(core.candidates(19) == 0b111);
}

TEST_CASE("a pipe that opens is looked at when a ready warp wants it, and then alone") {
  SubCore core(scheduler());
  core.occupy(Pipe::kXu, 10, {8, 1});
  core.occupy(Pipe::kFp64, 10, {4, 1});
  core.tick_when_open(10);
  CHECK(core.next_tick(10) == kNever);
  core.want(1, op_of(Pipe::kXu, false));
  core.tick_when_open(10);
  CHECK(core.next_tick(10) == kNever);
  core.unblock(1);
  core.tick_when_open(10);
  CHECK(core.next_tick(10) == 18);
  (void)core.wake(18);
  CHECK(core.next_tick(18) == kNever);
}

TEST_CASE("a pipe that opens beyond the ring, or is kept closed, leaves the tick to the SM") {
  SubCore core(scheduler());
  core.want(0, op_of(Pipe::kFp64, false));
  core.unblock(0);
  core.want(1, op_of(Pipe::kLsu, false));
  core.unblock(1);
  core.occupy(Pipe::kFp64, 10, {64, 1});
  core.pipes().close(Pipe::kLsu, 11);
  core.tick_when_open(10);
  CHECK(core.next_tick(10) == kNever);
  core.tick_when_open(11);
  CHECK(core.next_tick(11) == 74);
}

TEST_CASE("a policy with state is asked when any pipe opens") {
  SubCore core(policy::WarpScheduler(policy::WarpPolicy::kTwoLevel));
  core.occupy(Pipe::kXu, 10, {8, 1});
  CHECK(core.next_tick(10) == 18);
}

TEST_CASE("a warp whose pipe is closed in the next cycle is ready without being looked at") {
  SubCore core(scheduler());
  core.occupy(Pipe::kXu, 10, {8, 1});
  CHECK_FALSE(core.make_ready_if_closed(0, Pipe::kFma, 10));
  CHECK(core.ready() == 0);
  CHECK(core.make_ready_if_closed(1, Pipe::kXu, 10));
  CHECK(core.ready() == 0b10);
  CHECK(core.take_newly_ready() == 0);
  CHECK_FALSE(core.make_ready_if_closed(2, Pipe::kXu, 17));
}

TEST_CASE("a bubble that goes beyond the ring is over when it ends, whatever is looked at meanwhile") {
  // Issued at 10, with a window of one cycle: of 128 reads of a bank 127 are too late, so nothing issues in 11 to 137.
  SubCore core(scheduler(), {arch::RegisterFileModel::kBanked, 1});
  lower::WarpOp op;
  op.ports.reads.fill({128, 127});
  op.ports.reserves = true;
  op.ports.uses_ports = true;
  core.read_registers(op, 0, 10);
  core.want(1, op_of(Pipe::kFma, false));
  core.unblock(1);
  std::vector<Cycle> looks;
  for (Cycle now = core.next_tick(10); now != kNever; now = core.next_tick(now)) {
    (void)core.wake(now);
    looks.push_back(now);
    CHECK((core.candidates(now) != 0) == (now == 138));
  }
  CHECK(looks == std::vector<Cycle>{73, 136, 138});
}

TEST_CASE("warps spread evenly over the sub-cores, whatever came and went") {
  CtaTable table(32, 64, 4);
  std::mt19937 random(6);
  std::vector<std::uint32_t> taken;
  for (int i = 0; i < 2000; ++i) {
    std::array<std::uint32_t, 4> used{};
    for (const std::uint32_t slot : taken) {
      ++used[slot % 4];
    }
    const std::uint32_t least = *std::min_element(used.begin(), used.end());
    if (taken.size() < 64 && random() % 5 < 3) {
      const std::uint32_t slot = table.take_warp_slot();
      REQUIRE(used[slot % 4] == least);
      REQUIRE(std::find(taken.begin(), taken.end(), slot) == taken.end());
      taken.push_back(slot);
    } else if (!taken.empty()) {
      const auto gone = taken.begin() + static_cast<std::ptrdiff_t>(random() % taken.size());
      table.give_back_warp_slot(*gone);
      taken.erase(gone);
    }
  }
}

TEST_CASE("the warps of the first CTA take slots in order") {
  CtaTable table(1, 64, 4);
  for (std::uint32_t warp = 0; warp < 64; ++warp) {
    CHECK(table.take_warp_slot() == warp);
  }
}

TEST_CASE("a CTA keeps its slot until the last of its warps is gone") {
  CtaTable table(2, 64, 4);
  const std::uint32_t first = table.place(7, 2);
  const std::uint32_t second = table.place(8, 1);
  CHECK(first != second);
  CHECK(table[first].linear == 7);
  table.exit(first);
  CHECK(table[first].live_warps == 1);
  CHECK_FALSE(table.leave(first));
  CHECK(table.leave(first));
  table.release(first);
  CHECK(table.place(9, 1) == first);
}

TEST_CASE("a barrier opens for all when the last live warp arrives, and can be used again") {
  CtaBarriers barriers;
  CHECK(barriers.arrive({0}, 4, 3) == 0);
  CHECK(barriers.arrive({0}, 9, 3) == 0);
  CHECK(barriers.arrive({0}, 60, 3) == slots({4, 9, 60}));
  CHECK(barriers.arrive({0}, 9, 3) == 0);
}

TEST_CASE("the barriers of a CTA are apart") {
  CtaBarriers barriers;
  CHECK(barriers.arrive({0}, 0, 2) == 0);
  CHECK(barriers.arrive({1}, 1, 2) == 0);
  CHECK(barriers.arrive({0}, 1, 2) == slots({0, 1}));
}

TEST_CASE("the barriers of two CTAs are apart, and those of a new CTA are empty") {
  CtaTable table(2, 64, 4);
  SmEvents events;
  const arch::SmConfig config;
  NamedBarriers barriers(table, config, events);
  const isa::Instr bar;
  const std::uint32_t first = table.place(0, 2);
  const std::uint32_t second = table.place(1, 2);
  barriers.arrive(first, 0, bar, 0);
  barriers.arrive(second, 2, bar, 0);
  CHECK(events.size() == 0);
  barriers.arrive(second, 3, bar, 0);
  CHECK(events.size() == 2);
  barriers.begin_cta(first);
  barriers.arrive(first, 1, bar, 0);
  CHECK(events.size() == 2);
}

TEST_CASE("the exit of the last warp that has not arrived releases those that have") {
  CtaBarriers barriers;
  CHECK(barriers.arrive({2}, 0, 4) == 0);
  CHECK(barriers.arrive({2}, 1, 4) == 0);
  CHECK(barriers.exit(3) == 0);
  CHECK(barriers.exit(2) == slots({0, 1}));
  CHECK(barriers.exit(1) == 0);
  CHECK(barriers.exit(0) == 0);
}

TEST_CASE("private causes are split at their release times in order of precedence") {
  lower::WarpOp op;
  op.wait_mask = 0b11;
  Warp warp = waiting_warp(op, 150, {{{.clear_since = 120, .long_clear_since = 120}, {.clear_since = 130}}});
  warp.stalls.note_end(Stall::kBranchResolving, 104);
  const stats::StallCycles cycles = split(warp);
  CHECK(of(cycles, Stall::kBranchResolving) == 4);
  CHECK(of(cycles, Stall::kLongScoreboard) == 16);
  CHECK(of(cycles, Stall::kShortScoreboard) == 10);
  CHECK(of(cycles, Stall::kWait) == 20);
  CHECK(stats::total(cycles) == 50);
}

TEST_CASE("a cause of higher precedence hides those that end before it") {
  lower::WarpOp op;
  op.wait_mask = 0b1;
  Warp warp = waiting_warp(op, 101, {{{.clear_since = 139, .long_clear_since = 105}}});
  warp.stalls.note_end(Stall::kSleeping, 110);
  warp.stalls.note_end(Stall::kBarrier, 140);
  warp.stalls.note_end(Stall::kMembar, 141);
  const stats::StallCycles cycles = split(warp);
  CHECK(of(cycles, Stall::kSleeping) == 10);
  CHECK(of(cycles, Stall::kBarrier) == 30);
  CHECK(of(cycles, Stall::kMembar) == 1);
  CHECK(stats::total(cycles) == 41);
}

TEST_CASE("a state that begins where another one ends is charged behind it, though it stands before it in the table") {
  lower::WarpOp op;
  Warp warp = waiting_warp(op, 130);
  warp.stalls.note_end(Stall::kBranchResolving, 110);
  warp.stalls.note_begin(Stall::kNoInstruction, 110);
  warp.stalls.note_end(Stall::kNoInstruction, 125);
  const stats::StallCycles cycles = split(warp);
  CHECK(of(cycles, Stall::kBranchResolving) == 10);
  CHECK(of(cycles, Stall::kNoInstruction) == 15);
  CHECK(of(cycles, Stall::kWait) == 5);
}

TEST_CASE("any private state is charged in the order of the table") {
  for (auto first = Stall::kSleeping; first < Stall::kLongScoreboard; first = next(first)) {
    for (auto second = next(first); second < Stall::kLongScoreboard; second = next(second)) {
      INFO(stats::info_of(first).key);
      INFO(stats::info_of(second).key);
      lower::WarpOp op;
      Warp warp = waiting_warp(op);
      warp.stalls.note_end(second, 150);
      warp.stalls.note_end(first, 130);
      const stats::StallCycles cycles = split(warp);
      CHECK(of(cycles, first) == 30);
      CHECK(of(cycles, second) == 20);
    }
  }
}

TEST_CASE("counters that no one waits for, and old releases, charge nothing") {
  lower::WarpOp op;
  op.wait_mask = 0b10;
  Warp warp = waiting_warp(op, 0, {{{.clear_since = 500}, {.clear_since = 100, .long_clear_since = 90}}});
  CHECK(stats::total(split(warp)) == 0);
}

TEST_CASE("a DEPBAR waits for a long scoreboard only while its counter has L1TEX operations outstanding") {
  lower::WarpOp op;
  op.waits_on_counter_limit = true;
  op.depbar_counter = 3;
  op.depbar_limit = 1;
  Counters counters{};
  counters[3].outstanding = 1;
  const auto cycles = [&] {
    Warp warp = waiting_warp(op, 0, counters);
    warp.stalls.note_limit(3, 140, lower::kNoProducer);
    return split(warp);
  };
  SECTION("still one outstanding") {
    counters[3].outstanding_long = 1;
    CHECK(of(cycles(), Stall::kLongScoreboard) == 40);
  }
  SECTION("the last one ended first") {
    counters[3].long_clear_since = 110;
    CHECK(of(cycles(), Stall::kLongScoreboard) == 10);
    CHECK(of(cycles(), Stall::kShortScoreboard) == 30);
  }
  SECTION("none") {
    CHECK(of(cycles(), Stall::kShortScoreboard) == 40);
  }
}

TEST_CASE("a watch keeps the intervals of its slot inside its cycles") {
  lower::WarpOp op;
  Warp warp = waiting_warp(op, 150);
  stats::PcProfile row;
  Watch watch;
  watch.all_slots = false;
  watch.warp_slot = 5;
  watch.begin = 120;
  watch.end = 130;
  const WarpName other{0, 4, 0};
  GapCharger of_other(row, warp, other, &watch, nullptr);
  charge_private_causes(warp, of_other);
  CHECK(watch.intervals.empty());
  const WarpName name{0, 5, 0};
  GapCharger charger(row, warp, name, &watch, nullptr);
  charge_private_causes(warp, charger);
  REQUIRE(watch.intervals.size() == 1);
  CHECK(watch.intervals[0].begin == 120);
  CHECK(watch.intervals[0].end == 130);
  CHECK(of(row.stalls, Stall::kWait) == 100);
}

TEST_CASE("sub-cores have their turn in order when they are due, also when one becomes due for another's sake") {
  arch::SmConfig config{};
  config.sub_cores = 4;
  SubCores cores(config);
  CHECK(cores.next_look() == kNever);
  cores.look_now(3, 10);
  cores.look_now(1, 10);
  CHECK(cores.next_look() == 10);
  std::vector<std::uint32_t> turns;
  cores.look(10, [&](std::uint32_t core) -> Cycle {
    turns.push_back(core);
    if (core == 1) {
      cores.look_now(0, 10);  // its turn in this cycle is over
      cores.look_now(2, 10);  // and that of this one is still to come
    }
    return core == 2 ? 12 : kNever;
  });
  CHECK(turns == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(cores.next_look() == 10);
  cores.look(10, [&](std::uint32_t core) {
    turns.push_back(core);
    return kNever;
  });
  CHECK(turns == std::vector<std::uint32_t>{1, 2, 3, 0});
  CHECK(cores.next_look() == 12);
}

}  // namespace sub_core_test
