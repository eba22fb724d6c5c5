// SPDX-License-Identifier: MIT
#include "tests/output/timeline/sample.h"

namespace gpusim::timeline {
namespace {

using stats::kNoProducer;
using stats::Stall;

stats::PcResult instruction(std::uint32_t line, const std::string& text) {
  stats::PcResult out;
  out.text = text;
  out.opcode = text.substr(0, text.find(' '));
  out.line = line;
  out.pc = 16 * (line - 10);
  return out;
}

stats::KernelResult kernel(const std::string& name, Cycle cycles) {
  stats::KernelResult out;
  out.name = name;
  out.cycles = cycles;
  out.simulated_ctas = 8;
  out.occupancy.max_warps_per_sm = 64;
  out.sm.warp_instructions = 640;
  out.stalls[static_cast<std::size_t>(Stall::kLongScoreboard)] = 4000;
  out.dram.read_bytes = 6400;
  out.pcs = {instruction(10, "S2R R3, SR_TID.X"),
             instruction(11, "IMAD.WIDE R2, R3, R7, c[0x0][0x168]"),
             instruction(12, "LDG.E R4, [R2.64]"),
             instruction(13, "FFMA R5, R4, R6, R7"),
             instruction(14, "BAR.SYNC 0x1"),
             instruction(15, "STG.E [R2.64], R5"),
             instruction(16, "EXIT")};
  return out;
}

struct Step {
  Cycle begin;
  Cycle end;
  Stall state;
  std::uint32_t pc;
  std::uint32_t producer = kNoProducer;
};

void add_warp(std::uint32_t slot, const std::vector<Step>& steps, stats::Result& result) {
  for (const auto& [begin, end, state, pc, producer] : steps) {
    result.watch.push_back({.kernel = 1,
                            .sm = 2,
                            .sub_core = 3,
                            .warp_slot = slot,
                            .cta = 5,
                            .warp = slot,
                            .begin = begin,
                            .end = end,
                            .state = state,
                            .pc = pc,
                            .lanes = kAllLanes,
                            .lanes_on = pc == 3 ? 0xffff0000U : kAllLanes,
                            .producer = producer});
  }
}

}  // namespace

stats::Result recorded_result() {
  stats::Result result;
  result.arch_name = "Toy GPU";
  result.trace_path = "axpy.trace";
  result.sm_clock_mhz = 1000;
  result.machine.sms = 4;
  result.kernels = {kernel("first", 500), kernel("axpy", 800)};
  add_warp(3,
           {{100, 101, Stall::kSelected, 0},
            {101, 121, Stall::kShortScoreboard, 1, 0},
            {121, 122, Stall::kSelected, 1},
            {122, 126, Stall::kWait, 2, 1},
            {126, 127, Stall::kSelected, 2},
            {127, 703, Stall::kLongScoreboard, 3, 2},
            {703, 704, Stall::kNotSelected, 3},
            {704, 705, Stall::kSelected, 3},
            {705, 709, Stall::kWait, 4, 3},
            {709, 710, Stall::kSelected, 4},
            {710, 730, Stall::kBarrier, 5},
            {730, 732, Stall::kLgThrottle, 5},
            {732, 733, Stall::kSelected, 5},
            {733, 734, Stall::kSelected, 6},
            {734, 750, Stall::kDrain, 6}},
           result);
  add_warp(7,
           {{101, 102, Stall::kSelected, 0},
            {102, 703, Stall::kShortScoreboard, 1, 0},
            {703, 704, Stall::kSelected, 1},
            {704, 760, Stall::kMathPipeThrottle, 3}},
           result);
  return result;
}

}  // namespace gpusim::timeline
