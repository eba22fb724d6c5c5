// SPDX-License-Identifier: MIT
// Lanes of a warp that part, on the whole machine: what a change of split costs, which lanes a spin keeps waiting, and
// that both models execute the same.
#include <bit>
#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/walker.h"

#include "tests/support/thorough.h"
#include "tests/system/support.h"

namespace divergence_test {

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

using Overrides = std::vector<arch::Override>;

const Overrides kStack{{"sm.simt", "stack"}};
const Overrides kIndependent{{"sm.simt", "its"}};

stats::Result run(const std::string& head, const std::string& body, const Overrides& overrides) {
  gpu::SimulateOptions options;
  options.cache = CacheState::kCold;
  options.watch = {gpu::WatchRequest{}};
  return gpu::simulate(test::shipped("h100", overrides), test::program(head, body), options);
}

/// Cycles between the first issue and each one, of the only warp.
std::vector<Cycle> issues(const std::string& body, Overrides overrides) {
  for (const char* unit : {"front_end", "constant", "register_file"}) {
    overrides.push_back({"sm." + std::string(unit) + ".model", "ideal"});
  }
  std::vector<Cycle> cycles;
  for (const stats::WatchInterval& interval : run("grid (1)\nblock (32)", body, overrides).watch) {
    if (interval.state == stats::Stall::kSelected) {
      for (Cycle cycle = interval.begin; cycle < interval.end; ++cycle) {
        cycles.push_back(cycle);
      }
    }
  }
  const Cycle first = cycles.at(0);
  std::transform(cycles.begin(), cycles.end(), cycles.begin(), [first](Cycle cycle) { return cycle - first; });
  return cycles;
}

std::string failure(const std::string& head, const std::string& body, const Overrides& overrides) {
  try {
    (void)run(head, body, overrides);
  } catch (const CannotFinishError& error) {
    return error.what();
  }
  return "";
}

/// By instruction: how often each lane of the first CTAs executes it, and how often its guard is true.
std::map<std::pair<std::uint32_t, unsigned>, std::pair<std::uint64_t, std::uint64_t>> work(const trace::Kernel& kernel,
                                                                                           trace::Simt simt) {
  constexpr std::uint64_t kMostCtas = 4;
  std::map<std::pair<std::uint32_t, unsigned>, std::pair<std::uint64_t, std::uint64_t>> done;
  for (std::uint64_t cta = 0; cta < std::min(kernel.ctas(), kMostCtas); ++cta) {
    for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
      trace::Walker walker(kernel, trace::cta_at(cta, kernel.grid), warp, trace::PollAnswers::kAlwaysYes, simt);
      for (trace::Step step; walker.next(step);) {
        for (LaneMask rest = step.active; rest != 0; rest &= rest - 1) {
          const auto lane = static_cast<unsigned>(std::countr_zero(rest));
          auto& [executed, on] = done[{step.pc, lane}];
          ++executed;
          on += step.mask >> lane & 1U;
        }
      }
    }
  }
  return done;
}

}  // namespace

TEST_CASE("lanes that get their turn cost a jump, also where their code lies next; lanes that meet cost nothing") {
  //  0  BRA    parts: the lower lanes go on
  //  1  FADD
  //  2  BRA    of the lower lanes, to the end, where they wait; 10 cycles more to the others' code, right behind it
  // 13  FMUL   of the upper lanes
  // 14  MOV    of all: they are there and go straight on
  // 15  EXIT
  const std::string bits = "[B------:R-:W-:-:S01] ";
  const std::string sides = "if lane < 16 " + bits + "\n" + bits + "FADD R1, R2, R3\nelse " + bits + "\n" + bits +
                            "FMUL R4, R5, R6\nend\n" + bits + "MOV R7, R8\n" + bits + "EXIT";
  for (const Overrides& overrides : {kStack, kIndependent}) {
    CHECK(issues(sides, overrides) == std::vector<Cycle>{0, 1, 2, 13, 14, 15});
  }
  //  0  BRA, 1 FADD of the lower lanes, 2 MOV of all
  const std::string one_side =
      "if lane < 16 " + bits + "\n" + bits + "FADD R1, R2, R3\nend\n" + bits + "MOV R7, R8\n" + bits + "EXIT";
  for (const Overrides& overrides : {kStack, kIndependent}) {
    CHECK(issues(one_side, overrides) == std::vector<Cycle>{0, 1, 2, 3});
  }
}

TEST_CASE("a split that waits at a barrier gives its turn away, which costs a jump") {
  //  0  BSSY    1  BRA parts    2  FADD of the lower lanes    3  BSYNC: they wait; 10 more to the others
  // 14  BSYNC   of the upper lanes: the jump has led there    15  EXIT of all
  const std::string bits = "[B------:R-:W-:-:S01] ";
  const std::string code = bits + "BSSY B0, meet\nif lane < 16 " + bits + "\n" + bits + "FADD R1, R2, R3\nend\n" +
                           bits + "BSYNC B0\nmeet:\n" + bits + "EXIT";
  CHECK(issues(code, kIndependent) == std::vector<Cycle>{0, 1, 2, 3, 14, 15});
  CHECK(issues(code, kStack) == std::vector<Cycle>{0, 1, 2, 3, 4});
}

TEST_CASE("a lane that spins until another lane of its warp has been there ends with independent lanes alone") {
  const std::string head = "grid (1)\nblock (32)\nshared dynamic 64\nmbarrier done at 0";
  const std::string spin =
      "if P1: lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ done init 1\nend\n"
      "if lane != 5\n"
      "again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ done parity 0\n@!P0 BRA again when !live\n"
      "else\nSYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ done\nend\nEXIT";
  CHECK(failure(head, spin, kIndependent).empty());
  CHECK_THAT(failure(head, spin, kStack), Contains("waits for mbarrier 'done', parity 0"));
}

TEST_CASE("lanes that poll for different things in turns, all in vain, are found out") {
  const std::string head = "grid (1)\nblock (32)\nshared dynamic 64\nmbarrier full[2] at 0";
  const auto spin = [](const std::string& label, const std::string& barrier) {
    return label + ":\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ " + barrier + " parity 0\n@!P0 BRA " + label +
           " when !live\n";
  };
  const std::string body =
      "if P1: lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ full[0] init 1\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ full[1] init "
      "1\n"
      "end\nif lane < 16\n" +
      spin("first", "full[0]") + "else\n" + spin("second", "full[1]") + "end\nEXIT";
  CHECK_THAT(failure(head, body, kIndependent), Contains("waits for mbarrier 'full["));
}

TEST_CASE("lanes that can never meet end the run, which says which lanes wait for which") {
  const std::string body =
      "BSSY B2, meet\n@P0 BRA side when lane < 8\nmeet:\nBSYNC B2\nEXIT\nside:\nWARPSYNC 0xffffffff\nEXIT";
  CHECK_THAT(failure("grid (3)\nblock (64)", body, kIndependent),
             Contains("lanes 8-31 at barrier B2, begun in line 6, for lanes 0-7"));
  CHECK(failure("grid (3)\nblock (64)", body, kStack).empty());
}

TEST_CASE("every lane of a shipped trace executes the same with a stack as independently") {
  for (const std::string folder : {"/traces", "/traces/library"}) {
    const std::vector<std::filesystem::path> paths = test::traces_in(folder);
    for (std::size_t at = 0; at < paths.size(); at += test::thorough_or(1U, 4U)) {
      INFO(paths[at]);
      for (const trace::Kernel& kernel : test::small(paths[at]).kernels) {
        REQUIRE(work(kernel, trace::Simt::kStack) == work(kernel, trace::Simt::kIndependent));
      }
    }
  }
}

TEST_CASE("a result says what decided which lanes run together") {
  CHECK(run("grid (1)\nblock (32)", "EXIT", kStack).kernels.at(0).divergence == stats::Divergence::kStack);
  CHECK(run("grid (1)\nblock (32)", "EXIT", {}).kernels.at(0).divergence == stats::Divergence::kIts);
}

TEST_CASE("the lanes and the divergence of each instruction add up to the kernel's") {
  const stats::Result result = run("grid (2)\nblock (64)",
                                   "if lane < 8\nFADD R1, R2, R3\nend\nloop i = 0..3\n@P1 FMUL R1, R1, R1 when lane == "
                                   "i\nend\nEXIT",
                                   {});
  const stats::KernelResult& kernel = result.kernels.at(0);
  stats::PcResult sum;
  for (const stats::PcResult& pc : kernel.pcs) {
    sum.warp_instructions += pc.warp_instructions;
    sum.thread_instructions += pc.thread_instructions;
    sum.active_lanes += pc.active_lanes;
    sum.divergent_branches += pc.divergent_branches;
  }
  CHECK(sum.warp_instructions == kernel.sm.warp_instructions);
  CHECK(sum.thread_instructions == kernel.sm.thread_instructions);
  CHECK(sum.active_lanes == kernel.sm.active_lanes);
  CHECK(sum.divergent_branches == kernel.sm.divergent_branches);
  CHECK(kernel.pcs[0].divergent_branches == 4);
  CHECK(kernel.pcs[1].active_lanes == 4 * 8);
  CHECK(kernel.pcs[2].active_lanes == 4 * 3 * 32);
  CHECK(kernel.pcs[2].thread_instructions == 4 * 3);
}

}  // namespace divergence_test
