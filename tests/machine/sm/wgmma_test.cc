// SPDX-License-Identifier: MIT
// WGMMA operations, drawn by hand: when each instruction issues while the tensor cores work.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

namespace wgmma_test {

using namespace gpusim;
using stats::Stall;
using test::OneSmSetup;
using test::run_listing;

namespace {

using Cycles = std::vector<Cycle>;
using Listing = std::vector<std::string>;

const std::string kGo = "[B------:R-:W-:-:S01] ";
const std::string kWait0 = kGo + "WARPGROUP.DEPBAR.LE gsb0, 0x0";
const std::string kWait1 = kGo + "WARPGROUP.DEPBAR.LE gsb0, 0x1";
const std::string kExit = kGo + "EXIT";

/// N columns of fp16; "gsb0" closes its group.
std::string product(unsigned n, const std::string& rest = ", gsb0", const std::string& a = "") {
  return kGo + "HGMMA.64x" + std::to_string(n) + "x16.F32 R24, " + a + "gdesc[UR4], R24" + rest;
}

/// Room for 32 operations, and accumulators that are written at once.
OneSmSetup warpgroups(std::uint32_t count = 1) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.wgmma = {32, 13, 0};
  setup.arch.sm.lsu = {5, 10, 4, 32};
  setup.arch.sm.shared.latency = 30;
  setup.threads_per_cta = 128 * count;
  return setup;
}

/// Cycles from the issue of one product until the warp that waits for it goes on.
Cycle latency_of(const std::string& line) {
  const auto run = run_listing(warpgroups(), Listing{line, kWait0, kExit});
  REQUIRE(run.finished);
  return run.issues(0).at(1) - run.issues(0).at(0);
}

}  // namespace

TEST_CASE("a WGMMA operation takes what was measured on H800, from shared memory and from registers") {
  // Luo et al., arXiv 2501.12084, m64nNk16.
  const std::vector<std::pair<unsigned, Cycle>> shared{{8, 18}, {16, 20}, {32, 24}, {64, 32}, {128, 64}, {256, 128}};
  const std::vector<std::pair<unsigned, Cycle>> registers{{8, 13}, {16, 13}, {32, 16}, {64, 32}, {128, 64}, {256, 128}};
  for (const auto& [n, cycles] : shared) {
    INFO("N = " << n << ", A in shared memory");
    CHECK(latency_of(product(n)) == cycles);
  }
  for (const auto& [n, cycles] : registers) {
    INFO("N = " << n << ", A in registers");
    CHECK(latency_of(product(n, ", gsb0", "R4, ")) == cycles);
  }
  CHECK(latency_of(product(24)) == 22);  // between them linear
  CHECK(latency_of(product(192)) == 96);
}

TEST_CASE(
    "WGMMA operations of other types take the cycles of fp16 with as many columns, sparse ones those of shared "
    "memory") {
  for (const char* opcode : {"HGMMA.64x256x8.F32.TF32", "QGMMA.64x256x32.F32.E4M3.E4M3", "IGMMA.64x256x32.S8.S8",
                             "HGMMA.64x256x16.F32.BF16", "HGMMA.64x256x16.F16"}) {
    INFO(opcode);
    CHECK(latency_of(kGo + opcode + " R24, gdesc[UR4], R24, gsb0") == 128);
  }
  CHECK(latency_of(kGo + "HGMMA.SP.64x256x32.F32 R24, gdesc[UR4], R24, R2, gsb0") == 144);
  CHECK(latency_of(kGo + "HGMMA.SP.64x256x32.F32 R24, R4, gdesc[UR4], R24, R2, gsb0") == 128);
}

TEST_CASE("WGMMA operations follow each other without a gap, and the warp goes on meanwhile", "[hand-checked][wgmma]") {
  // cycle      0    1    2    3    4    5 ...                    256
  // issues     P0   P1   P2   P3   NOP  (DEPBAR waits)           DEPBAR
  // tensor     P0 0-63, P1 64-127, P2 128-191, P3 192-255
  const auto run = run_listing(warpgroups(), Listing{product(128, ""), product(128, ""), product(128, ""), product(128),
                                                     kGo + "NOP", kWait0, kExit});
  for (std::uint32_t warp = 0; warp < 4; ++warp) {
    CHECK(run.issues(warp) == Cycles{0, 1, 2, 3, 4, 256, 257});
    CHECK(run.cycles(warp, Stall::kGmma) == 256 - 5);
  }
}

TEST_CASE("WARPGROUP.DEPBAR.LE lets a group be under way while the one before it has ended", "[hand-checked][wgmma]") {
  // cycle      0    1    2    3 ...      64      65   66 ...     96      97
  // issues     P0   P1g  P2g  (DEPBAR 1) DEPBAR  NOP  (DEPBAR 0) DEPBAR  EXIT
  // tensor     P0 0-31, P1 32-63 (group 1), P2 64-95 (group 2)
  const auto run =
      run_listing(warpgroups(), Listing{product(64, ""), product(64), product(64), kWait1, kGo + "NOP", kWait0, kExit});
  CHECK(run.issues(0) == Cycles{0, 1, 2, 64, 65, 96, 97});
  CHECK(run.cycles(0, Stall::kGmma) == (64 - 3) + (96 - 66));
}

TEST_CASE("a WGMMA operation that closes no group is not waited for") {
  const auto run = run_listing(warpgroups(), Listing{product(128, ""), kWait0, kExit});
  CHECK(run.issues(0) == Cycles{0, 1, 2});
  CHECK(run.cycles(0, Stall::kDrain) == 64 - 3);  // but the warp stays until it has ended
}

TEST_CASE("two warpgroups take turns on the tensor cores, in the order in which their operations are complete") {
  // Warps 0 to 3 issue in cycle 0 and then wait; 4 to 7 issue in cycle 1.
  // cycle      0        1                          64               128
  // warps 0-3  P  (DEPBAR waits)                   DEPBAR
  // warps 4-7           P  (DEPBAR waits)                           DEPBAR
  const auto run = run_listing(warpgroups(2), Listing{product(128), kWait0, kExit});
  CHECK(run.issues(0) == Cycles{0, 64, 65});
  CHECK(run.issues(4) == Cycles{1, 128, 129});
}

TEST_CASE("a WGMMA operation begins when the last of its four warps has issued it") {
  // Warp 3 runs a NOP of 15 cycles first: the product takes 15 to 78.
  OneSmSetup setup = warpgroups();
  setup.path = [](std::uint32_t, std::uint32_t warp) {
    return warp == 3 ? std::vector<std::uint32_t>{0, 1, 2, 3} : std::vector<std::uint32_t>{1, 2, 3};
  };
  const auto run = run_listing(setup, Listing{"[B------:R-:W-:-:S15] NOP", product(128), kWait0, kExit});
  CHECK(run.issues(0) == Cycles{0, 15 + 64, 15 + 65});
  CHECK(run.issues(3) == Cycles{0, 15, 15 + 64, 15 + 65});
}

TEST_CASE("a warp waits for room when it has as many operations under way as the queue takes") {
  // Two places: the third product issues when the first has ended.
  OneSmSetup setup = warpgroups();
  setup.arch.sm.wgmma.queue_entries = 2;
  const auto run = run_listing(setup, Listing{product(64, ""), product(64, ""), product(64), kWait0, kExit});
  CHECK(run.issues(0) == Cycles{0, 1, 32, 96, 97});
  CHECK(run.cycles(0, Stall::kGmma) == (32 - 2) + (96 - 33));
}

TEST_CASE("a warp waits until the accumulators are written, and has room for another operation before that") {
  // cycle      0    32   64        64 + 10
  // issues     P0   P1   (DEPBAR)  DEPBAR
  // tensor     P0 0-31, P1 32-63; written at 42 and 74
  OneSmSetup setup = warpgroups();
  setup.arch.sm.wgmma = {1, 13, 10};
  const auto run = run_listing(setup, Listing{product(64, ""), product(64), kWait0, kExit});
  CHECK(run.issues(0) == Cycles{0, 32, 74, 75});
}

TEST_CASE("while the tensor cores write accumulators, registers are read in every second cycle") {
  // Warps 0 to 3 issue a product of 64 columns in cycle 0, which is written from 40 to 72; the others then have FFMAs
  // that read a register of each bank.
  OneSmSetup setup = warpgroups(2);
  setup.arch.sm.wgmma = {7, 13, 40};
  setup.arch.sm.register_file = {arch::RegisterFileModel::kBanked, 3};
  Listing listing{product(64), kWait0, kExit};
  std::vector<std::uint32_t> others;
  for (std::uint32_t i = 0; i < 100; ++i) {
    others.push_back(static_cast<std::uint32_t>(listing.size()));
    listing.push_back(kGo + "FFMA R1, R2, R3, RZ");
  }
  others.push_back(static_cast<std::uint32_t>(listing.size()));
  listing.push_back(kExit);
  setup.path = [&](std::uint32_t, std::uint32_t warp) {
    return warp < 4 ? std::vector<std::uint32_t>{0, 1, 2} : others;
  };
  const auto run = run_listing(setup, listing);
  const Cycles issues = run.issues(4);
  const auto between = [&](Cycle from, Cycle to) {
    return std::count_if(issues.begin(), issues.end(), [&](Cycle at) { return at >= from && at < to; });
  };
  CHECK(between(10, 40) == 30);
  CHECK(between(46, 70) == 12);
  CHECK(between(80, 110) == 30);
}

TEST_CASE(
    "loads from shared memory go before a WGMMA operation's operands, which are late where shared memory is the "
    "limit") {
  // 18 wavefronts of operands from cycle 0 on. The loads issue at 1 and reach shared memory at 11, 12, 13 and 14: four
  // wavefronts more, so that the product ends at 22.
  const Listing listing{product(8), kGo + "LDS R1, [R2]", kWait0, kExit};
  const auto run = run_listing(warpgroups(), listing);
  CHECK(run.issues(0) == Cycles{0, 1, 22, 23});
  // With 128 columns the tensor cores are the limit: 48 + 4 wavefronts fit into 64 cycles.
  const auto large = run_listing(warpgroups(), Listing{product(128), kGo + "LDS R1, [R2]", kWait0, kExit});
  CHECK(large.issues(0) == Cycles{0, 1, 64, 65});
}

TEST_CASE("what a WGMMA operation reads in shared memory is counted, once for its four warps") {
  const auto run = run_listing(warpgroups(), Listing{product(256, ""), product(256, ", gsb0", "R4, "), kWait0, kExit});
  CHECK(run.counted.sm.shared_requests == 2);
  CHECK(run.counted.sm.shared_read_bytes == (256 + 64) * 32 + 256 * 32);
  CHECK(run.counted.sm.shared_wavefronts == 80 + 64);
}

TEST_CASE("assigned control bits let WGMMA operations into the same accumulators follow each other") {
  const auto run = run_listing(
      warpgroups(), Listing{"WARPGROUP.ARRIVE", "HGMMA.64x64x16.F32 R24, gdesc[UR4], RZ, !UPT",
                            "HGMMA.64x64x16.F32 R24, gdesc[UR8], R24", "HGMMA.64x64x16.F32 R24, gdesc[UR12], R24, gsb0",
                            "WARPGROUP.DEPBAR.LE gsb0, 0x0", "FADD R1, R24, R25", "EXIT"});
  CHECK(run.issues(0) == Cycles{0, 1, 2, 3, 1 + 96, 1 + 97, 1 + 98});
}

}  // namespace wgmma_test
