// SPDX-License-Identifier: MIT
// What is recorded of warps: the same whether the run goes on behind it or not, and enough to answer why one waits.
#include <algorithm>
#include <map>
#include <tuple>

#include <catch2/catch.hpp>

#include "sim/base/cache_state.h"
#include "sim/base/problem.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/stats/result.h"
#include "sim/output/timeline/why.h"

#include "tests/system/support.h"

namespace watch_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using stats::Stall;
using stats::WatchInterval;

namespace {

/// A kernel of two waves, so that it goes on behind what is watched.
trace::Trace saxpy() {
  return frontend::load_trace_text(std::string(GPUSIM_SOURCE_DIR) + "/traces/saxpy.trace", {{{"n", 500'000}}, false});
}

stats::Result watched(const gpu::WatchRequest& watch, bool stop, const trace::Trace& trace) {
  gpu::SimulateOptions options;
  options.cache = CacheState::kCold;
  options.watch = {watch};
  options.stop_after_watch = stop;
  return gpu::simulate(test::shipped("h100"), trace, options);
}

auto fields(const WatchInterval& i) {
  return std::tuple(std::tuple(i.kernel, i.sm, i.sub_core, i.warp_slot, i.cta, i.warp), i.begin, i.end, i.state, i.pc,
                    i.lanes, i.lanes_on, i.producer);
}

void check_same(const std::vector<WatchInterval>& a, const std::vector<WatchInterval>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("interval " << i << " from cycle " << a[i].begin);
    CHECK(fields(a[i]) == fields(b[i]));
  }
}

/// Two launches of one small kernel.
trace::Trace two_kernels() {
  const std::string kernel = "kernel k\ngrid (1)\nblock (32)\ncode\nMOV R1, 0x1\nEXIT\nend\n";
  return frontend::load_trace_text("gpusim trace 1\n" + kernel + "kernel l\n" + kernel.substr(9), "inline.trace", {});
}

}  // namespace

TEST_CASE("a run that stops after its watch records what a whole run does") {
  // The loads of warps are on their way at the ends; the intervals that cross them are known in both.
  const trace::Trace trace = saxpy();
  for (const Cycle end : {Cycle{450}, Cycle{700}}) {
    const gpu::WatchRequest watch{.sm = 3, .begin = 100, .end = end};
    const stats::Result whole = watched(watch, false, trace);
    const stats::Result stopped = watched(watch, true, trace);
    CHECK(whole.complete);
    CHECK_FALSE(stopped.complete);
    CHECK(stopped.stopped_after_watch);
    CHECK(stopped.kernels[0].cycles < whole.kernels[0].cycles);
    CHECK_FALSE(whole.watch.empty());
    check_same(stopped.watch, whole.watch);
  }
}

TEST_CASE("a watch of one kernel lets those before it end and leaves out those behind it") {
  gpu::WatchRequest watch;
  watch.end = 10;
  watch.kernel = 0;
  const stats::Result first = watched(watch, true, two_kernels());
  CHECK(first.kernels.size() == 1);
  CHECK(first.stopped_after_watch);
  watch.kernel = 1;
  watch.end = 1'000'000;
  const stats::Result second = watched(watch, true, two_kernels());
  CHECK(second.kernels.size() == 2);
  CHECK(second.complete);  // the cycles to watch end behind the last kernel
  CHECK(second.watch.front().kernel == 1);
}

TEST_CASE("a recording that is full says so, and holds what it may") {
  gpu::SimulateOptions options;
  options.watch = {gpu::WatchRequest{.sm = 0}, gpu::WatchRequest{.sm = 1}};
  options.most_intervals = 100;
  const stats::Result result = gpu::simulate(test::shipped("h100"), saxpy(), options);
  CHECK(result.watch.size() == 100);
  std::string warnings;
  for (const std::string& warning : result.warnings) {
    warnings += warning + "\n";
  }
  CHECK_THAT(warnings, Contains("the recording of SM 0 in kernel 'saxpy' ends after 50 intervals") &&
                           Contains("the recording of SM 1"));
}

TEST_CASE("several SMs are recorded as each of them alone") {
  gpu::SimulateOptions options;
  options.cache = CacheState::kCold;
  options.watch = {gpu::WatchRequest{.sm = 0}, gpu::WatchRequest{.sm = 5}};
  const stats::Result both = gpu::simulate(test::shipped("h100"), saxpy(), options);
  std::vector<WatchInterval> alone = watched({.sm = 0}, false, saxpy()).watch;
  const std::vector<WatchInterval> second = watched({.sm = 5}, false, saxpy()).watch;
  alone.insert(alone.end(), second.begin(), second.end());
  check_same(both.watch, alone);
}

TEST_CASE("the producers of intervals are those that the ledger blames") {
  const stats::Result result = watched({}, false, test::program("grid (1)\nblock (64)\nbuffer x f32[64]", R"(
    S2R R3, SR_TID.X
    IMAD.WIDE R2, R3, R7, R4
    LDG.E R4, [R2.64] @ x[tid]
    LDG.E R6, [R2.64] @ x[tid]
    FADD R5, R4, R6
    STG.E [R2.64], R5 @ x[tid]
    EXIT)"));
  std::map<std::tuple<std::uint32_t, std::uint32_t, Stall>, std::uint64_t> blamed;
  for (const WatchInterval& i : result.watch) {
    if (i.producer != stats::kNoProducer) {
      blamed[{i.pc, i.producer, i.state}] += i.end - i.begin;
    }
  }
  std::map<std::tuple<std::uint32_t, std::uint32_t, Stall>, std::uint64_t> expected;
  for (std::uint32_t pc = 0; pc < result.kernels[0].pcs.size(); ++pc) {
    for (const stats::Blame& blame : result.kernels[0].pcs[pc].producers) {
      expected[{pc, blame.producer, blame.state}] += blame.cycles;
    }
  }
  CHECK_FALSE(expected.empty());
  CHECK(blamed == expected);
}

// The ledger says what each warp does in each cycle; the answers say the same, cycle by cycle.
TEST_CASE("why agrees with the ledger in every cycle of a kernel") {
  const stats::Result result = watched({}, false, test::program("grid (1)\nblock (96)\nbuffer x f32[96]", R"(
    S2R R3, SR_TID.X
    IMAD.WIDE R2, R3, R7, R4
    LDG.E R4, [R2.64] @ x[tid]
    BAR.SYNC 0x0
    MUFU.EX2 R5, R4
    FADD R5, R5, R4
    STG.E [R2.64], R5 @ x[tid]
    EXIT)"));
  stats::StallCycles answered{};
  for (std::uint32_t slot = 0; slot < result.kernels[0].occupancy.max_warps_per_sm; ++slot) {
    for (Cycle cycle = 0; cycle < result.kernels[0].cycles; ++cycle) {
      try {
        const timeline::Reason reason = timeline::why(result, {.warp_slot = slot, .cycle = cycle});
        ++answered[static_cast<std::size_t>(reason.interval.state)];
        CHECK((reason.interval.state != Stall::kSelected || reason.other->warp_slot == slot));
        CHECK((reason.interval.state != Stall::kNotSelected || reason.other.has_value()));
      } catch (const InputError&) {
        continue;  // no warp is there
      }
    }
  }
  CHECK(answered == result.kernels[0].stalls);
}

TEST_CASE("intervals that are not clipped are whole, and go on up to the issue") {
  const trace::Trace trace = saxpy();
  const stats::Result whole = watched({}, false, trace);
  const auto wait = std::find_if(whole.watch.begin(), whole.watch.end(), [](const WatchInterval& i) {
    return i.state == Stall::kLongScoreboard && i.end - i.begin > 100;
  });
  REQUIRE(wait != whole.watch.end());
  const Cycle inside = wait->begin + 50;
  const std::vector<WatchInterval> around =
      watched({.warp_slot = wait->warp_slot, .begin = inside, .end = inside + 1, .clip = false}, true, trace).watch;
  REQUIRE(around.size() >= 2);
  check_same(around, {wait, wait + static_cast<std::ptrdiff_t>(around.size())});
  CHECK(around.back().state == Stall::kSelected);
  CHECK(around.back().begin >= wait->end);
}

}  // namespace watch_test
