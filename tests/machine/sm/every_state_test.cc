// SPDX-License-Identifier: MIT
// Every state of a warp is caused by a kernel of a few lines, for as many cycles as one counts by hand, and the
// accountant that scans every cycle says the same.
#include <functional>
#include <set>

#include <catch2/catch.hpp>

#include "tests/machine/sm/agreement.h"

namespace every_state_test {

using namespace gpusim;
using stats::Stall;
using test::OneSmSetup;

namespace {

using Listing = std::vector<std::string>;
using Change = std::function<void(OneSmSetup&)>;

const std::string kGo = "[B------:R-:W-:-:S01] ";

/// One warp, unless `change` says otherwise; `cycles` are those of all warps in the state.
struct Kernel {
  Stall state;
  std::uint64_t cycles;
  Listing listing;  ///< without its EXIT
  Change change = [](OneSmSetup&) {};
};

isa::Timing& timing(OneSmSetup& setup, isa::TimingClass c) {
  return setup.arch.sm.timing[static_cast<std::size_t>(c)];
}

OneSmSetup round_numbers() {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.clocks.sm = 1'000'000'000;
  setup.arch.sm.lsu = {5, 10, 4, 32};
  setup.arch.sm.shared.latency = 30;
  setup.arch.sm.l1.hit_latency = 40;
  setup.arch.sm.barrier_latency = 22;
  setup.arch.sm.barrier_interval = 0;
  setup.arch.sm.constant.miss_latency = 79;
  setup.arch.sm.front_end.branch_latency = 10;
  setup.arch.noc.sm_to_gpc_latency = 20;
  setup.memory_latency = 100;
  setup.warm_code = true;
  timing(setup, isa::TimingClass::kMufu) = {20, {8, 1}, true};
  timing(setup, isa::TimingClass::kFence).latency = 0;
  return setup;
}

Listing repeated(std::size_t count, const std::string& line) {
  return Listing(count, kGo + line);
}

// clang-format off
const std::vector<Kernel> kKernels{
    // The store is at the unit in 10, after which it has left; EXIT issues in 1.
    {Stall::kDrain, 9, {kGo + "STG.E [R2.64], R1"}},
    // 100 ns are 100 cycles, of which the first is that of issue.
    {Stall::kSleeping, 100, {kGo + "NANOSLEEP 0x64"}},
    // Opens 22 cycles after the only arrival, at which the warp goes on.
    {Stall::kBarrier, 21, {kGo + "BAR.SYNC 0x0"}},
    // Leaves in 10, is at the router in 30 and acknowledged in 130; the fence issues in 1.
    {Stall::kMembar, 128, {kGo + "STG.E [R2.64], R1", kGo + "MEMBAR.SC.GPU"}},
    // 64 columns take 32 cycles, and their sums come 39 later; each of four warps issues the product in 0 and would its
    // wait in 1.
    {Stall::kGmma, 4 * 70, {kGo + "HGMMA.64x64x16.F32 R24, gdesc[UR4], R24, gsb0", kGo + "WARPGROUP.DEPBAR.LE gsb0, 0x0"},
     [](OneSmSetup& setup) { setup.threads_per_cta = 128; }},
    // A line that L1 has is there 20 cycles after it was asked for, and can issue 2 later.
    {Stall::kNoInstruction, 22, {kGo + "NOP"},
     [](OneSmSetup& setup) { setup.arch.sm.front_end = {arch::FrontEndModel::kCached, 10, 2, 3, 2048, 16, 131072, 8, 20, 50, 0}; }},
    // The target issues 10 cycles later than it would straight on.
    {Stall::kBranchResolving, 10, {kGo + "NOP", kGo + "NOP"},
     [](OneSmSetup& setup) { setup.path = [](std::uint32_t, std::uint32_t) { return std::vector<std::uint32_t>{0, 2}; }; }},
    // A miss of 79 cycles; the code's L1, which holds the constants too, has them.
    {Stall::kImcMiss, 79, {kGo + "FADD R1, R9, c[0x0][0x40]"},
     [](OneSmSetup& setup) { setup.arch.sm.constant.model = gpusim::arch::ConstantModel::kCached; }},
    // At the unit in 10, at the router in 30, back in 130, in the register 30 later; from 1 on that is charged
    // before the stall count.
    {Stall::kLongScoreboard, 160 - 1, {"[B------:R-:W0:-:S02] LDG.E R1, [R2.64]", "[B0-----:R-:W-:-:S01] FADD R4, R1, R3"}},
    // 20 cycles, the first that of issue.
    {Stall::kShortScoreboard, 19, {"[B------:R-:W0:-:S02] MUFU.EX2 R1, R2", "[B0-----:R-:W-:-:S01] FADD R4, R1, R3"}},
    {Stall::kWait, 3, {"[B------:R-:W-:-:S04] FADD R1, R2, R3", kGo + "FADD R4, R1, R3"}},
    // The first FFMA has the even port in 0 to 2, the second one needs 3 and 4 and its window ends with 3.
    {Stall::kDispatchStall, 1, {kGo + "FFMA R1, R2, R4, R6", kGo + "FFMA R3, R8, R10, R5"},
     [](OneSmSetup& setup) { setup.arch.sm.register_file = {arch::RegisterFileModel::kBanked, 3}; }},
    // Five places; the sixth load issues when the first one leaves, in 10 and not in 5.
    {Stall::kLgThrottle, 5, repeated(6, "LDG.E R1, [R2.64]")},
    {Stall::kMioThrottle, 5, repeated(6, "LDS R1, [R2]")},
    // 16 lanes over four sub-cores: an instruction in eight cycles.
    {Stall::kMathPipeThrottle, 7, repeated(2, "MUFU.EX2 R1, R2")},
    // Two warps of a sub-core, three lines each: the second one waits for the first.
    {Stall::kNotSelected, 3, repeated(2, "FADD R1, R2, R3"), [](OneSmSetup& setup) { setup.threads_per_cta = 160; }},
    {Stall::kSelected, 3, repeated(2, "NOP")},
};
// clang-format on

}  // namespace

TEST_CASE("every state is caused by a kernel, for the cycles that one counts by hand, and both bookkeepers agree") {
  std::set<Stall> caused;
  for (const Kernel& kernel : kKernels) {
    INFO(stats::info_of(kernel.state).key);
    OneSmSetup setup = round_numbers();
    kernel.change(setup);
    Listing listing = kernel.listing;
    listing.push_back(kGo + "EXIT");
    const stats::StallCycles seen = test::agreed_states(setup, test::kernel_of(setup, listing));
    CHECK(seen[static_cast<std::size_t>(kernel.state)] == kernel.cycles);
    CHECK(seen[static_cast<std::size_t>(Stall::kTexThrottle)] == 0);
    CHECK(seen[static_cast<std::size_t>(Stall::kMisc)] == 0);
    caused.insert(kernel.state);
  }
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    const auto state = static_cast<Stall>(s);
    INFO(stats::kStalls[s].key);
    CHECK(caused.contains(state) == (state != Stall::kTexThrottle && state != Stall::kMisc));
  }
}

}  // namespace every_state_test
