// SPDX-License-Identifier: MIT
// Constant operands and loads: timelines drawn by hand, with fetch ideal, so that nothing else is waited for.
#include <catch2/catch.hpp>

#include "sim/machine/lower/constant_operand.h"
#include "sim/machine/sm/warps/sub_core.h"
#include "sim/model/arch/schema.h"

#include "tests/support/one_sm.h"

namespace constant_cache_test {

using namespace gpusim;
using lower::constant_operand;
using lower::ConstantPlace;
using stats::Stall;
using test::OneSmSetup;
using test::run_listing;

namespace {

constexpr Cycle kMiss = 79;
constexpr Cycle kHold = 4;

OneSmSetup with_constants(std::uint32_t warps = 1) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("rtx3090");
  setup.arch.sm.constant.model = gpusim::arch::ConstantModel::kCached;
  setup.arch.sm.front_end.branch_latency = 0;
  setup.threads_per_cta = 32 * warps;
  setup.warm_code = true;
  return setup;
}

using Cycles = std::vector<Cycle>;
using Listing = std::vector<std::string>;

}  // namespace

TEST_CASE("a constant operand is bank and offset, or its bank when the offset is in a register") {
  CHECK(constant_operand("MOV R1, c[0x0][0x28]") == ConstantPlace{0, 0x28});
  CHECK(constant_operand("@P0 FFMA R1, R2, -c[0x3][0x1c], R4") == ConstantPlace{3, 0x1c});
  CHECK(constant_operand("LDC R1, c[0x2][R4+0x10]") == ConstantPlace{2, 0});
  CHECK(constant_operand("LDC R1, c[1][160]") == ConstantPlace{1, 160});
  CHECK_FALSE(constant_operand("LDG.E R1, desc[UR4][R2.64]"));
  CHECK_FALSE(constant_operand("MOV R1, c[0x99][0x0]"));
  CHECK_FALSE(constant_operand("MOV R1, c[0x0][0xfffff]"));
  CHECK_FALSE(constant_operand("FADD R1, R2, R3"));
}

TEST_CASE("an instruction whose constant is missing issues 79 cycles later, its neighbours on the line at once") {
  const auto run = run_listing(
      with_constants(),
      Listing{"[B------:R-:W-:-:S01] FADD R1, R9, c[0x0][0x40]", "[B------:R-:W-:-:S01] MOV R2, c[0x0][0x7c]",
              "[B------:R-:W-:-:S01] FADD R3, R9, c[0x0][0x80]", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{kMiss, kMiss + 1, 2 * kMiss + 2, 2 * kMiss + 3});
  CHECK(run.cycles(0, Stall::kImcMiss) == 2 * kMiss);
  CHECK(run.counted.constant.operand_hits == 1);
  CHECK(run.counted.constant.operand_misses == 2);
}

TEST_CASE("a constant that nobody has had comes from behind the L1 that it shares with instructions") {
  OneSmSetup setup = with_constants();
  setup.warm_code = false;
  setup.arch.sm.front_end.l1_miss_latency = 100;
  const auto run =
      run_listing(setup, Listing{"[B------:R-:W-:-:S01] FADD R1, R9, c[0x0][0x0]",
                                 "[B------:R-:W-:-:S01] FADD R1, R9, c[0x0][0x40]", "[B------:R-:W-:-:S01] EXIT"});
  // Both lines are one of the L1's.
  CHECK(run.issues(0) == Cycles{kMiss + 100, 2 * kMiss + 101, 2 * kMiss + 102});
}

TEST_CASE("a sub-core waits four cycles for a missing constant and then turns to another warp",
          "[hand-checked][constants]") {
  // Slot 0 issues at 0 and, greedily, is chosen again at 1, where its constant is missing: nobody issues before 5. It
  // is back at 80.
  OneSmSetup setup = with_constants(5);
  setup.path = [](std::uint32_t, std::uint32_t warp) {
    return warp == 4 ? std::vector<std::uint32_t>{0, 2, 3} : std::vector<std::uint32_t>{0, 1, 3};
  };
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] MOV R1, c[0x0][0x28]",
                                              "[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 1 + kMiss, 2 + kMiss});
  CHECK(run.issues(4) == Cycles{1 + kHold, 2 + kHold, 3 + kHold});
  CHECK(run.cycles(0, Stall::kImcMiss) == kMiss);
  CHECK(run.cycles(4, Stall::kNotSelected) == 1 + kHold);
}

TEST_CASE("no architecture can have a sub-core wait for a constant beyond its ring of wake-ups") {
  CHECK(arch::schema()[arch::find_key("sm.constant.hold_cycles").value()].max < sm::SubCore::kRing);
}

TEST_CASE("a constant load that misses takes longer by the miss, one that hits does not") {
  OneSmSetup setup = with_constants();
  setup.arch.sm.constant.l1_miss_latency = 50;
  const Listing listing{"[B------:R-:W0:-:S02] LDC R1, c[0x0][0x28]", "[B0-----:R-:W-:-:S01] NOP",
                        "[B------:R-:W0:-:S02] LDC R1, c[0x0][0x2c]", "[B0-----:R-:W-:-:S01] NOP",
                        "[B------:R-:W-:-:S01] EXIT"};
  const auto run = run_listing(setup, listing);
  const Cycle hit = run.issues(0)[3] - run.issues(0)[2];
  CHECK(run.issues(0)[1] == hit + 50);
  CHECK(run.counted.constant.load_hits == 1);
  CHECK(run.counted.constant.load_misses == 1);
  CHECK(run.cycles(0, Stall::kImcMiss) == 0);
}

TEST_CASE("a kernel of more constants than the cache holds misses in every turn, one of fewer in its first") {
  // Eight lines of 64 bytes in four sets of two; lines a kilobyte apart are of one set.
  for (const std::uint32_t lines : {2U, 3U}) {
    OneSmSetup setup = with_constants();
    Listing listing;
    for (std::uint32_t i = 0; i < lines; ++i) {
      listing.push_back("[B------:R-:W-:-:S01] MOV R1, c[0x0][" + std::to_string(1024 * i) + "]");
    }
    listing.emplace_back("[B------:R-:W-:-:S01] EXIT");
    setup.path = [lines](std::uint32_t, std::uint32_t) {
      std::vector<std::uint32_t> path;
      for (std::uint32_t i = 0; i < 4 * lines; ++i) {
        path.push_back(i % lines);
      }
      path.push_back(lines);
      return path;
    };
    const auto run = run_listing(setup, listing);
    CHECK(run.counted.constant.operand_misses == (lines == 2 ? 2 : 12));
  }
}

}  // namespace constant_cache_test
