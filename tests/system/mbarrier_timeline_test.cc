// SPDX-License-Identifier: MIT
// An mbarrier, drawn by hand: in which cycle a warp that waits for it goes on.
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/stats/result.h"

#include "tests/system/support.h"

namespace mbarrier_timeline_test {

using namespace gpusim;

namespace {

using Cycles = std::vector<Cycle>;

/// Cycles in which a warp issued, from the first instruction behind its BAR on.
Cycles issues_after_barrier(const stats::Result& result, std::uint32_t warp) {
  Cycles cycles;
  bool is_behind = false;
  for (const stats::WatchInterval& interval : result.watch) {
    if (interval.warp != warp || interval.state != stats::Stall::kSelected) {
      continue;
    }
    for (Cycle cycle = interval.begin; cycle < interval.end && is_behind; ++cycle) {
      cycles.push_back(cycle - (cycles.empty() ? 0 : cycles.front()));
    }
    is_behind = is_behind || result.kernels.at(0).pcs.at(interval.pc).text.starts_with("BAR");
  }
  cycles.at(0) = 0;
  return cycles;
}

}  // namespace

TEST_CASE("a warp that polls an mbarrier goes on when the other one's arrival is known to it",
          "[hand-checked][mbarrier]") {
  // cycle     0    1          11             120  121            145   146   147
  // warp 0    BRA  NANOSLEEP  .............. NOP  ARRIVE  BRA (out)
  // warp 1    BRA             PHASECHK (its BRA waits ........)  BRA   NOP   EXIT
  //
  // 64 ns at 1.83 GHz are 118 cycles. The arrival takes effect when the shared unit gets to it, and the poll is
  // answered as long after that as it would have taken from there: 24 cycles from issue to answer, whoever comes last.
  const trace::Trace trace = test::program(
      "grid (1)\nblock (64)\nshared dynamic 4096\nmbarrier done at 64\n",
      "if P1: warp == 0 && lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ done init 1\nend\nNANOSLEEP 0x10\nBAR.SYNC 0x0\n"
      "if P2: warp == 0\nNANOSLEEP 0x40\nNOP\n@P3 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ done when lane == 0\nelse\n"
      "again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ done parity 0\n@!P0 BRA again when !live\nend\n"
      "NOP\nEXIT");
  gpu::SimulateOptions options;
  options.cache = CacheState::kCold;
  options.watch = {gpu::WatchRequest{}};
  const stats::Result result = gpu::simulate(test::shipped("h100", {{"sm.front_end.model", "ideal"},
                                                                    {"sm.register_file.model", "ideal"},
                                                                    {"sm.front_end.branch_latency", "10 cycles"},
                                                                    {"sm.timing.mbarrier.latency", "24 cycles"},
                                                                    {"clocks.sm", "1.83 GHz"}}),
                                             trace, options);
  CHECK(issues_after_barrier(result, 0) == Cycles{0, 1, 120, 121, 122, 133, 134});
  CHECK(issues_after_barrier(result, 1) == Cycles{0, 11, 145, 146, 147});
}

}  // namespace mbarrier_timeline_test
