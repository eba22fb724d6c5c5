// SPDX-License-Identifier: MIT
// Issue streaks: a warp that issues in cycle after cycle is taken there by a short way. An SM that is watched goes the
// long way, and both find the same.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/loader.h"

namespace streaks_test {

using namespace gpusim;

namespace {

/// A loop of instructions that wait for nothing, with one of each kind between them that ends a streak: a stall count,
/// a pipe that stays closed, registers that need more reads than there are ports, a constant, divergence, memory.
std::string trace_of(std::uint32_t threads) {
  std::string text =
      "gpusim trace 1\n"
      "kernel streaks\n"
      "  grid (2)\n  block (" +
      std::to_string(threads) +
      ")\n  registers 40\n  buffer out f32[4096]\n"
      "code\n"
      "  S2R R0, SR_TID.X\n"
      "  loop i = 0..3\n";
  const std::vector<std::string> ends{"FFMA R9, R11, R13, R15", "MUFU.EX2 R8, R9", "FFMA R8, R8, c[0x0][0x160], R9",
                                      "DFMA R8, R10, R12, R14", "IMAD R6, R6, R7, R6"};
  for (const std::string& end : ends) {
    for (unsigned i = 0; i < 20; ++i) {
      text +=
          "    FFMA R" + std::to_string(16 + i % 16) + ", R4.reuse, R5.reuse, R" + std::to_string(16 + i % 16) + "\n";
    }
    text += "    " + end + "\n";
  }
  return text + "  end\n  STG.E [R2.64], R8 @ out[ctaid.x*1024 + tid]\n  EXIT\nend\n";
}

stats::KernelResult run(const trace::Trace& trace, const std::vector<arch::Override>& overrides, bool is_watched) {
  const arch::Arch arch = arch::load_arch(std::string(GPUSIM_SOURCE_DIR) + "/configs/h100.yaml", overrides);
  gpu::SimulateOptions options;
  for (std::uint32_t sm = 0; is_watched && sm < arch.sm.count; ++sm) {
    options.watch.push_back({.sm = sm});
  }
  return gpu::simulate(arch, trace, options).kernels.at(0);
}

void check_same(std::uint32_t threads, const std::vector<arch::Override>& overrides) {
  const trace::Trace trace = frontend::load_trace_text(trace_of(threads), "streaks.trace", {});
  const stats::KernelResult quick = run(trace, overrides, false);
  const stats::KernelResult slow = run(trace, overrides, true);
  CHECK(quick.cycles == slow.cycles);
  CHECK(quick.fetch.l0_lookups == slow.fetch.l0_lookups);
  CHECK(quick.fetch.l0_hits == slow.fetch.l0_hits);
  REQUIRE(quick.pcs.size() == slow.pcs.size());
  for (std::size_t i = 0; i < quick.pcs.size(); ++i) {
    CAPTURE(i);
    CHECK(quick.pcs[i].warp_instructions == slow.pcs[i].warp_instructions);
    CHECK(quick.pcs[i].thread_instructions == slow.pcs[i].thread_instructions);
    CHECK(quick.pcs[i].active_lanes == slow.pcs[i].active_lanes);
    CHECK(quick.pcs[i].stalls == slow.pcs[i].stalls);
    CHECK(quick.pcs[i].concurrent == slow.pcs[i].concurrent);
  }
}

}  // namespace

TEST_CASE("streaks of one warp and of many are issued as cycle by cycle") {
  for (const std::uint32_t threads : {32U, 96U, 256U, 1024U}) {
    CAPTURE(threads);
    check_same(threads, {});
  }
}

TEST_CASE("streaks are the same under each policy, with an ideal front end, and without register ports") {
  for (const std::string policy : {"gto", "lrr", "oldest", "two-level", "fair"}) {
    CAPTURE(policy);
    check_same(512, {{"sm.scheduler.policy", policy}});
  }
  check_same(512, {{"sm.front_end.model", "ideal"}});
  check_same(512, {{"sm.register_file.model", "ideal"}});
}

}  // namespace streaks_test
