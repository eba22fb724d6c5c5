// SPDX-License-Identifier: MIT
// The ledger charges intervals when a warp issues; the accountant scans every warp in every cycle. On kernels of random
// instructions, control bits, paths and residency both must name the same state for the same number of cycles, for each
// warp and each instruction.
#include "tests/sm/accountant.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

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
  [[nodiscard]] std::string control(std::uint32_t one_in, bool raises = false) {
    std::string text = "[B";
    for (std::uint32_t i = 0; i < 6; ++i) {
      text += below(one_in) == 0 ? std::to_string(i) : "-";
    }
    text += ":" + (raises ? counter("R") : "R-") + ":" + (raises ? counter("W") : "W-");
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

  /// A product of a warpgroup, or a wait for groups of them.
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
  constexpr std::array policies{"gty", "gto", "lrr", "oldest", "two-level"};
  setup.arch.sm.scheduler = {policies[random.below(5)], 1 + random.below(3)};
  setup.arch.sm.dependence = random.below(4) == 0 ? "scoreboard" : "control_bits";
  setup.arch.sm.register_file = {random.below(4) == 0 ? "ideal" : "banked", 1 + random.below(3)};
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

std::string difference(const stats::StallCycles& ledger, const stats::StallCycles& accountant) {
  std::string text;
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    if (ledger[s] != accountant[s]) {
      text += std::string(stats::kStalls[s].key) + ": ledger " + std::to_string(ledger[s]) + ", accountant " +
              std::to_string(accountant[s]) + "; ";
    }
  }
  return text;
}

stats::StallCycles of_slot(const test::OneSmRun& run, std::uint32_t slot) {
  stats::StallCycles cycles{};
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    cycles[s] = run.cycles(slot, static_cast<stats::Stall>(s));
  }
  return cycles;
}

/// The first cycle in which a sub-core issued more than one instruction; kNever when there is none.
Cycle double_issue(const test::OneSmRun& run) {
  std::set<std::pair<std::uint32_t, Cycle>> taken;
  for (const stats::WatchInterval& interval : run.intervals) {
    const bool first =
        interval.state != stats::Stall::kSelected || taken.emplace(interval.sub_core, interval.begin).second;
    if (!first) {
      return interval.begin;
    }
  }
  return kNever;
}

void compare(OneSmSetup setup, const std::vector<std::string>& listing, stats::StallCycles& seen) {
  test::Accountant accountant(setup.arch.sm.front_end.branch_latency, listing.size());
  setup.observe = [&](const sm::Sm& sm, const lower::KernelImage& image, Cycle now) {
    accountant.observe(sm, image, now);
  };
  const auto run = run_listing(setup, listing);
  REQUIRE(run.finished);
  CHECK(double_issue(run) == kNever);
  for (std::uint32_t slot = 0; slot < setup.ctas * setup.threads_per_cta / 32; ++slot) {
    INFO("warp slot " << slot);
    CHECK(difference(of_slot(run, slot), accountant.by_slot(slot)) == "");
  }
  for (std::size_t pc = 0; pc < listing.size(); ++pc) {
    INFO(listing[pc]);
    CHECK(difference(run.profile.rows[pc].stalls, accountant.by_pc()[pc]) == "");
    for (std::size_t s = 0; s < stats::kStallCount; ++s) {
      seen[s] += accountant.by_pc()[pc][s];
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
    const std::vector<std::string> listing = random.listing();
    const auto lines = static_cast<std::uint32_t>(listing.size());
    if (random.below(2) == 0) {
      setup.path = [seed, lines](std::uint32_t cta, std::uint32_t warp) {
        return RandomKernel(seed * 1000 + cta * 64 + warp).path(lines);
      };
    }
    INFO("seed " << seed << ", " << setup.ctas << " CTAs of " << setup.threads_per_cta << " threads, policy "
                 << setup.arch.sm.scheduler.policy << ", " << setup.arch.sm.dependence << "\n"
                 << text_of(listing));
    compare(setup, listing, seen);
  }
  using stats::Stall;
  for (const Stall state :
       {Stall::kDrain, Stall::kSleeping, Stall::kBarrier, Stall::kMembar, Stall::kBranchResolving,
        Stall::kLongScoreboard, Stall::kShortScoreboard, Stall::kWait, Stall::kLgThrottle, Stall::kMioThrottle,
        Stall::kMathPipeThrottle, Stall::kDispatchStall, Stall::kNotSelected, Stall::kSelected}) {
    INFO(stats::kStalls[static_cast<std::size_t>(state)].key << " never occurred: the kernels test too little");
    CHECK(seen[static_cast<std::size_t>(state)] > 0);
  }
}

TEST_CASE("the accountant agrees on random kernels with asynchronous products of warpgroups") {
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
    compare(setup, listing, seen);
  }
  CHECK(seen[static_cast<std::size_t>(stats::Stall::kGmma)] > 0);
}
