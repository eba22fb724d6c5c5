// SPDX-License-Identifier: MIT
// The ledger and the accountant agree on warps that meet at mbarriers: random work before random arrivals, and polls
// that suspend, time out, spin, or find the phase over.
#include <random>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"
#include "sim/model/policy/warp/table.h"

#include "tests/machine/sm/agreement.h"

namespace poll_accountant_test {

using namespace gpusim;
using stats::Stall;
using test::OneSmSetup;

namespace {

/// A kernel of one CTA in which all warps pass the same phases. What a warp does between them is its own.
class RandomPhases {
 public:
  RandomPhases(std::uint32_t seed, std::uint32_t warps) : random_(seed), warps_(warps) {}

  [[nodiscard]] std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  [[nodiscard]] trace::Kernel kernel() {
    std::string text = "gpusim trace 1\nkernel k\ngrid (1)\nblock (" + std::to_string(32 * warps_) +
                       ")\nshared dynamic 4096\nbuffer x f32[4096]\nshared_buffer s f32[512] at 1024\n"
                       "mbarrier done[2] at 0\ncode\n"
                       "if P1: warp == 0 && lane == 0\n";
    for (const char* const barrier : {"0", "1"}) {
      text +=
          std::string("SYNCS.EXCH.64 URZ, [UR4], UR6 @ done[") + barrier + "] init " + std::to_string(warps_) + "\n";
    }
    text += "end\nNANOSLEEP 0x10\nBAR.SYNC 0x0\nloop i = 0.." + std::to_string(2 + below(5)) + "\n";
    for (std::uint32_t warp = 0; warp < warps_; ++warp) {
      text += "if P2: warp == " + std::to_string(warp) + "\n" + work() + "end\n";
    }
    return frontend::load_trace_text(text + meeting() + "end\n" + work() + "EXIT\nend\n", "random.trace", {})
        .kernels.at(0);
  }

 private:
  /// Its last line is not a memory access: they may all be reached from one another.
  [[nodiscard]] std::string work() {
    static const std::vector<std::string> lines{
        "FADD R1, R2, R3", "MUFU.EX2 R4, R5", "LDS R6, [R7] @ s[lane]", "LDG.E R8, [R10.64] @ x[lane]",
        "FADD R9, R8, R6", "NANOSLEEP 0x20",  "NANOSLEEP 0xc8",         "STS [R7], R4 @ s[lane]"};
    std::string text;
    for (std::uint32_t i = 0; i < 1 + below(6); ++i) {
      text += lines[below(static_cast<std::uint32_t>(lines.size()))] + "\n";
    }
    return text + "NOP\n";
  }

  /// Arrives and polls until all have.
  [[nodiscard]] std::string meeting() {
    const std::string arrive = "@P3 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ done[i%2] when lane == 0\n";
    const std::string parity = " P0, [UR4], R2 @ done[i%2] parity i/2%2\n";
    if (below(2) == 0) {
      return arrive + work() + "again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT" + parity + "@!P0 BRA again when !live\n";
    }
    return arrive + "again:\nSYNCS.PHASECHK.TRANS64" + parity + "@P0 BRA out when live\n" +
           (below(2) == 0 ? "NANOSLEEP 0x20\n" : "") + "BRA again\nout:\nNOP\n";
  }

  std::mt19937 random_;
  std::uint32_t warps_;
};

OneSmSetup random_setup(RandomPhases& random, std::uint32_t warps) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.scheduler = {static_cast<policy::WarpPolicy>(random.below(5)), 1 + random.below(3)};
  setup.arch.sm.register_file = {
      random.below(2) == 0 ? arch::RegisterFileModel::kIdeal : arch::RegisterFileModel::kBanked, 3};
  setup.arch.sm.lsu.queue_entries = 1 + random.below(5);
  setup.arch.sm.mbarrier.try_wait_limit = 30 + random.below(400);
  setup.arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kMbarrier)].latency = 10 + random.below(40);
  setup.arch.sm.front_end.branch_latency = random.below(2) * 10;
  setup.arch.sm.barrier_latency = random.below(2) * 22;
  setup.threads_per_cta = 32 * warps;
  setup.memory_latency = 20 + random.below(400);
  if (random.below(2) == 0) {
    setup.arch.sm.front_end.model = gpusim::arch::FrontEndModel::kCached;
    setup.warm_code = random.below(2) == 0;
  }
  return setup;
}

}  // namespace

TEST_CASE("a warp that spins at an mbarrier leaves the only active place to the one that it waits for") {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.scheduler = {policy::WarpPolicy::kTwoLevel, 1};
  setup.threads_per_cta = 160;  // warps 0 and 4 share a sub-core
  const trace::Kernel kernel = frontend::load_trace_text(
                                   "gpusim trace 1\nkernel k\ngrid (1)\nblock (160)\nshared dynamic 64\n"
                                   "mbarrier done at 0\ncode\nif P1: tid.x == 0\n"
                                   "SYNCS.EXCH.64 URZ, [UR4], UR6 @ done init 1\nend\nNANOSLEEP 0x10\nBAR.SYNC 0x0\n"
                                   "if P2: warp == 4\nMUFU.EX2 R1, R2\nFADD R3, R1, R2\n"
                                   "@P3 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ done when lane == 0\nelse\n"
                                   "again:\nSYNCS.PHASECHK.TRANS64 P0, [UR4], R2 @ done parity 0\n"
                                   "@P0 BRA out when live\nBRA again\nout:\nNOP\nend\nEXIT\nend\n",
                                   "spin.trace", {})
                                   .kernels.at(0);
  CHECK(test::agreed_states(setup, kernel)[static_cast<std::size_t>(Stall::kShortScoreboard)] > 0);
}

TEST_CASE("the accountant agrees on warps that poll mbarriers, whether the answer is yes, no, or held back") {
  stats::StallCycles seen{};
  std::uint64_t polls = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const std::uint32_t warps = 2 + seed % 6;
    RandomPhases random(seed, warps);
    const OneSmSetup setup = random_setup(random, warps);
    const trace::Kernel kernel = random.kernel();
    std::string text;
    for (const isa::InstrText& line : kernel.texts) {
      text += line.text + "\n";
    }
    INFO("seed " << seed << ", " << warps << " warps\n" << text);
    const stats::StallCycles states = test::agreed_states(setup, kernel);
    polls += states[static_cast<std::size_t>(Stall::kLongScoreboard)];
    seen = test::sum_of(seen, states);
  }
  CHECK(polls > 10'000);
  CHECK(seen[static_cast<std::size_t>(Stall::kBranchResolving)] > 1000);
}

}  // namespace poll_accountant_test
