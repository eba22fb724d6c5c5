// SPDX-License-Identifier: MIT
// The ledger charges intervals when a warp issues; the accountant scans every warp in every cycle. On kernels of random
// instructions, control bits, paths and residency both must name the same state for the same number of cycles, for each
// warp and each instruction. A reference that fetches in every cycle must find the same instructions in the buffers.
#include <algorithm>
#include <array>
#include <random>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/arch/policy_words.h"

#include "tests/machine/sm/agreement.h"

namespace accountant_test {

using namespace gpusim;
using test::OneSmSetup;

namespace {

class RandomKernel {
 public:
  explicit RandomKernel(std::uint32_t seed, bool warpgroups = false) : random_(seed), warpgroups_(warpgroups) {}

  [[nodiscard]] std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  [[nodiscard]] std::vector<std::string> listing() {
    std::vector<std::string> lines;
    const std::uint32_t count = 8 + below(40);
    for (std::uint32_t i = 0; i < count; ++i) {
      lines.push_back(line());
    }
    lines.push_back(control(15) + "EXIT");
    return lines;
  }

  /// Skips and repeats lines at random, never the same line twice in a row, and ends with the last.
  [[nodiscard]] std::vector<std::uint32_t> path(std::uint32_t lines) {
    std::vector<std::uint32_t> pcs{0};
    for (std::uint32_t steps = 0; steps < 3 * lines && pcs.back() + 2 < lines; ++steps) {
      const std::uint32_t jump = below(10);
      const std::uint32_t pc = pcs.back();
      pcs.push_back(jump == 0 ? std::min(pc + 2 + below(3), lines - 2) : (jump == 1 && pc > 3 ? pc - 3 : pc + 1));
    }
    pcs.push_back(lines - 1);
    return pcs;
  }

 private:
  [[nodiscard]] std::string counter(const char* letter) {
    return below(2) == 0 ? std::string(letter) + "-" : letter + std::to_string(below(3));
  }

  /// `one_in`: how rarely a counter is waited for.
  [[nodiscard]] std::string control(std::uint32_t one_in, bool increments = false) {
    std::string text = "[B";
    for (std::uint32_t i = 0; i < 6; ++i) {
      text += below(one_in) == 0 ? std::to_string(i) : "-";
    }
    text += ":" + (increments ? counter("R") : "R-") + ":" + (increments ? counter("W") : "W-");
    text += below(8) == 0 ? ":Y:S0" : ":-:S0";
    return text + std::to_string(1 + below(9)) + "] ";
  }

  [[nodiscard]] std::string line() {
    static const std::vector<std::string> fixed{"FADD R1, R2, R3", "IADD3 R1, R2, R4, R6",
                                                "HMMA.16816.F32 R4, R8, R12, R4", "IMAD R1, R2.reuse, R3, R4",
                                                "IMAD.WIDE R6, R2, R8, R4"};
    static const std::vector<std::string> variable{
        "MUFU.EX2 R1, R2",         "DFMA R2, R4, R6, R8", "LDG.E R1, [R2.64]",     "LDG.E.128 R4, [R2.64]",
        "STG.E [R2.64], R1",       "LDS R1, [R2]",        "STS [R2], R1",          "LDGSTS.E [R1], [R2.64]",
        "LDGSTS.E [R1], [R2.64]",  "LDGDEPBAR",           "RED.E.ADD [R2.64], R1", "ATOMG.E.ADD R1, [R2.64], R3",
        "SHFL.IDX R1, R2, R3, R4", "LDG.E.64 R4, [R2.64]"};
    static const std::vector<std::string> waiting{
        "BAR.SYNC 0x0", "MEMBAR.SC.GPU", "NANOSLEEP 0x10", "NANOSLEEP 0x64", "BAR.SYNC 0x1, 0x20", "BAR.ARV 0x2, 0x20",
        "NOP"};
    if (warpgroups_ && below(3) == 0) {
      return control(12) + product();
    }
    switch (below(12)) {
      case 0: return control(12) + waiting[below(static_cast<std::uint32_t>(waiting.size()))];
      case 1: return control(12) + "DEPBAR.LE SB" + std::to_string(below(3)) + ", 0x" + std::to_string(below(3));
      case 2:
      case 3:
      case 4: return control(8) + fixed[below(static_cast<std::uint32_t>(fixed.size()))];
      default: return control(12, true) + variable[below(static_cast<std::uint32_t>(variable.size()))];
    }
  }

  /// A WGMMA operation, or a wait for groups of them.
  [[nodiscard]] std::string product() {
    if (below(3) == 0) {
      return "WARPGROUP.DEPBAR.LE gsb0, 0x" + std::to_string(below(3));
    }
    return "HGMMA.64x" + std::to_string(8U << below(6)) + "x16.F32 R24, " + (below(2) == 0 ? "R4, " : "") +
           "gdesc[UR4], R24" + (below(2) == 0 ? ", gsb0" : "");
  }

  std::mt19937 random_;
  bool warpgroups_;
};

/// A small machine of many shortages, so that every state occurs.
OneSmSetup random_setup(RandomKernel& random) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch(random.below(2) == 0 ? "h100" : "a100");
  setup.arch.sm.scheduler = {static_cast<policy::WarpPolicy>(random.below(5)), 1 + random.below(3)};
  setup.arch.sm.dependence = random.below(4) == 0 ? arch::Dependence::kScoreboard : arch::Dependence::kControlBits;
  setup.arch.sm.register_file = {
      random.below(4) == 0 ? arch::RegisterFileModel::kIdeal : arch::RegisterFileModel::kBanked, 1 + random.below(3)};
  setup.arch.sm.lsu.queue_entries = 1 + random.below(5);
  setup.arch.sm.l1.mshrs = 64 - 32 * random.below(2);
  setup.arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kHmma16816F32)].interval = Ratio{25, 4};
  setup.arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kMufu)].interval =
      Ratio{random.below(2) == 0 ? 8U : 80U, 1};
  setup.arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kMufu)].latency = random.below(2) * 20;
  setup.arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kFence)].latency = random.below(2) * 300;
  setup.arch.sm.barrier_latency = random.below(2) * 22;
  setup.arch.sm.front_end.branch_latency = random.below(2) * 10;
  setup.threads_per_cta = 32 * (1 + random.below(12));
  setup.ctas = 1 + random.below(4);
  setup.memory_latency = 20 + random.below(400);
  setup.stride_bytes = 4U << random.below(6);
  return setup;
}

/// Caches of a few lines, so that every other line misses, and buffers that are too short for their latency.
void randomise_front_end(RandomKernel& random, OneSmSetup& setup) {
  arch::FrontEndConfig& front_end = setup.arch.sm.front_end;
  front_end.model = arch::FrontEndModel::kCached;
  front_end.fetch_latency = 1 + random.below(3);
  front_end.buffer_entries = 1 + random.below(4);
  front_end.l0_ways = 1 + random.below(2);
  front_end.l0_bytes = std::uint64_t{128} * front_end.l0_ways * (1 + random.below(3));
  front_end.l1_ways = 1 + random.below(2);
  front_end.l1_bytes = std::uint64_t{128} * front_end.l1_ways * (1 + random.below(4));
  front_end.l1_latency = 1 + random.below(80);
  front_end.l1_miss_latency = 1 + random.below(200);
  front_end.prefetch_lines = random.below(4);
  setup.warm_code = random.below(2) == 0;
}

/// Lets additions read constants of ten lines, two more than a sub-core holds. Not together with instruction caches,
/// whose L1 they would share: the reference of those knows no constants.
void randomise_constants(RandomKernel& random, OneSmSetup& setup, std::vector<std::string>& listing) {
  setup.arch.sm.constant.model = gpusim::arch::ConstantModel::kCached;
  setup.arch.sm.constant.hold_cycles = random.below(6);
  setup.arch.sm.constant.miss_latency = 1 + random.below(80);
  setup.warm_code = random.below(2) == 0;
  for (std::string& line : listing) {
    if (const std::size_t at = line.find("FADD R1, R2, R3"); at != std::string::npos) {
      line.replace(at, std::string::npos, "FADD R1, R2, c[0x0][" + std::to_string(64 * random.below(10)) + "]");
    }
  }
}

std::string text_of(const std::vector<std::string>& listing) {
  std::string text;
  for (const std::string& line : listing) {
    text += line + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("an accountant that scans every cycle agrees with the ledger on random kernels, by warp and instruction") {
  stats::StallCycles seen{};
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    RandomKernel random(seed);
    OneSmSetup setup = random_setup(random);
    std::vector<std::string> listing = random.listing();
    const auto lines = static_cast<std::uint32_t>(listing.size());
    if (random.below(2) == 0) {
      setup.path = [seed, lines](std::uint32_t cta, std::uint32_t warp) {
        return RandomKernel(seed * 1000 + cta * 64 + warp).path(lines);
      };
    }
    RandomKernel supply(seed + 500'000);
    if (seed % 2 == 0) {
      randomise_front_end(supply, setup);
    } else if (seed % 4 == 1) {
      randomise_constants(supply, setup, listing);
    }
    INFO("seed " << seed << ", " << setup.ctas << " CTAs of " << setup.threads_per_cta << " threads, policy "
                 << arch::word_of(setup.arch.sm.scheduler.policy) << ", " << arch::word_of(setup.arch.sm.dependence)
                 << "\n"
                 << text_of(listing));
    seen = test::sum_of(seen, test::agreed_states(setup, test::kernel_of(setup, listing)));
  }
  using stats::Stall;
  for (const Stall state :
       {Stall::kDrain, Stall::kSleeping, Stall::kBarrier, Stall::kMembar, Stall::kNoInstruction, Stall::kImcMiss,
        Stall::kBranchResolving, Stall::kLongScoreboard, Stall::kShortScoreboard, Stall::kWait, Stall::kLgThrottle,
        Stall::kMioThrottle, Stall::kMathPipeThrottle, Stall::kDispatchStall, Stall::kNotSelected, Stall::kSelected}) {
    INFO(stats::info_of(state).key << " never occurred: the kernels test too little");
    CHECK(seen[static_cast<std::size_t>(state)] > 0);
  }
}

TEST_CASE("the accountant agrees on random kernels with WGMMA operations") {
  stats::StallCycles seen{};
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    RandomKernel random(seed, true);
    OneSmSetup setup = random_setup(random);
    setup.arch.sm.tensor.flops_per_cycle.fp16 = 4096;
    setup.arch.sm.wgmma = {1 + random.below(6), 13};
    setup.threads_per_cta = 128 * (1 + random.below(3));
    const std::vector<std::string> listing = random.listing();
    INFO("seed " << seed << ", " << setup.ctas << " CTAs of " << setup.threads_per_cta << " threads\n"
                 << text_of(listing));
    seen = test::sum_of(seen, test::agreed_states(setup, test::kernel_of(setup, listing)));
  }
  CHECK(seen[static_cast<std::size_t>(stats::Stall::kGmma)] > 0);
}

TEST_CASE(
    "the accountant agrees on warps that wait for the barrier of their cluster, some of which come late or leave") {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.noc.cluster_barrier_latency = 40;
  setup.threads_per_cta = 96;
  setup.ctas = 3;
  setup.cta_interval = 17;
  setup.memory_latency = 60;
  const std::vector<std::string> listing{
      "[B------:R-:W-:-:S01] UCGABAR_ARV",     "[B------:R-:W0:-:S02] LDG.E R1, [R2.64]",
      "[B0-----:R-:W-:-:S04] NANOSLEEP 0x20",  "[B------:R-:W-:-:S01] UCGABAR_WAIT",
      "[B------:R-:W-:-:S06] UCGABAR_ARV",     "[B------:R-:W-:-:S01] UCGABAR_WAIT",
      "[B------:R-:W-:-:S04] FADD R1, R2, R3", "[B------:R-:W-:-:S01] EXIT"};
  // Warp 0 neither loads nor sleeps, warp 2 leaves when it has arrived.
  setup.path = [](std::uint32_t, std::uint32_t warp) {
    return warp == 0   ? std::vector<std::uint32_t>{0, 3, 4, 5, 6, 7}
           : warp == 1 ? std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}
                       : std::vector<std::uint32_t>{0, 7};
  };
  stats::StallCycles seen{};
  seen = test::sum_of(seen, test::agreed_states(setup, test::kernel_of(setup, listing)));
  CHECK(seen[static_cast<std::size_t>(stats::Stall::kBarrier)] > 0);
}

}  // namespace accountant_test
