// SPDX-License-Identifier: MIT
// What the way of an access through the load/store unit depends on: registers of its address, lanes of the unit, lanes
// on one word. The measured tables are cases of tests/validation/micro.
#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

namespace lsu_test {

using namespace gpusim;
using test::OneSmSetup;
using test::run_listing;

namespace {

/// 11 cycles to the unit with two registers of address, 2 less for one; data 30 cycles after issue.
OneSmSetup setup_of(std::uint32_t lanes, std::uint32_t stride_bytes) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("a6000");
  setup.arch.sm.lsu = {5, 11, 4, lanes, 2, 1, 5};
  setup.arch.sm.shared.latency = 30;
  setup.stride_bytes = stride_bytes;
  return setup;
}

/// Cycles from the issue of an access that increments SB0 to that of what waits for it.
Cycle waited(const OneSmSetup& setup, const std::string& access) {
  const auto run = run_listing(setup, {access, "[B0-----:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] EXIT"});
  return run.issues(0).at(1);
}

}  // namespace

TEST_CASE("an address in fewer registers is there earlier, and a uniform one skips the stage for lanes") {
  const OneSmSetup setup = setup_of(16, 4);
  CHECK(waited(setup, "[B------:R0:W-:-:S02] LDG.E R8, [R4.64]") == 11);
  CHECK(waited(setup, "[B------:R0:W-:-:S02] LDG.E R8, [UR4]") == 9);
  CHECK(waited(setup, "[B------:R0:W-:-:S02] LDS R8, [R4]") == 9);
  CHECK(waited(setup, "[B------:R-:W0:-:S02] LDS R8, [R4]") == 30);
  CHECK(waited(setup, "[B------:R-:W0:-:S02] LDS R8, [UR4]") == 29);
}

TEST_CASE("a store's sources are its address and then its data, two cycles each") {
  const OneSmSetup setup = setup_of(16, 16);
  CHECK(waited(setup, "[B------:R0:W-:-:S02] STS [UR4], R8") == 8 + 2);
  CHECK(waited(setup, "[B------:R0:W-:-:S02] STS [R4], R8") == 8 + 4);
  CHECK(waited(setup, "[B------:R0:W-:-:S02] STS.128 [R4], R8") == 8 + 10);
  CHECK(waited(setup, "[B------:R0:W-:-:S02] STG.E.64 [R4.64], R8") == 8 + 8);
}

TEST_CASE("each way of a bank conflict takes as long as its lanes take to get to the unit") {
  // Words 8 bytes apart share 16 banks in pairs: two ways.
  CHECK(waited(setup_of(16, 8), "[B------:R-:W0:-:S02] LDS R8, [R4]") == 30 + 2);
  CHECK(waited(setup_of(32, 8), "[B------:R-:W0:-:S02] LDS R8, [R4]") == 30 + 1);
  // A wide access has as many passes without a conflict, of few lanes each.
  CHECK(waited(setup_of(16, 8), "[B------:R-:W0:-:S02] LDS.64 R8, [R4]") == 30);
  CHECK(waited(setup_of(16, 16), "[B------:R-:W0:-:S02] LDS.128 R8, [R4]") == 30 + 2);
}

TEST_CASE("lanes of an atomic on one word follow each other, unless the warp's lanes are added up first") {
  const OneSmSetup setup = setup_of(32, 0);
  CHECK(waited(setup, "[B------:R-:W0:-:S02] LDS R8, [R4]") == 30);
  CHECK(waited(setup, "[B------:R-:W0:-:S02] ATOMS.ADD R8, [R4], R9") == 30 + 31);
  CHECK(waited(setup, "[B------:R-:W0:-:S02] ATOMS.POPC.INC.32 R8, [R4]") == 30);
}

TEST_CASE("a shuffle holds the unit for one cycle, however few lanes of addresses it takes") {
  OneSmSetup setup = setup_of(16, 4);
  setup.threads_per_cta = 128;
  std::vector<std::string> listing(6, "[B------:R-:W0:-:S01] SHFL.BFLY PT, R8, R9, 0x1, 0x1f");
  listing.emplace_back("[B------:R-:W-:-:S01] EXIT");
  const auto run = run_listing(setup, listing);
  for (std::uint32_t warp = 0; warp < 4; ++warp) {
    CHECK(run.issues(warp).at(5) == 11 + warp);
  }
}

}  // namespace lsu_test
