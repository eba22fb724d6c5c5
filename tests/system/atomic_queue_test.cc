// SPDX-License-Identifier: MIT
// What warps notice of the units for atomics at L2, and of lines that are to leave a cache soon or late.
#include <string>

#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"

#include "tests/system/support.h"

namespace atomic_queue_test {

using namespace gpusim;

namespace {

stats::KernelResult run(const arch::Arch& arch, const std::string& head, const std::string& body) {
  return gpu::simulate(arch, test::program(head, body), {}).kernels.at(0);
}

/// Sectors of a table that hit in L1. A warp reads its 16 KiB twice, each time with another megabyte by `stream` behind
/// it.
std::uint64_t hits_of_table(const std::string& table, const std::string& stream) {
  const std::string head = "grid (1)\nblock (32)\nbuffer t f32[4096]\nbuffer s f32[524288]";
  const std::string body = "loop pass = 0..2\n  loop i = 0..128\n    " + table + " R4, [R2.64] @ t[32*i + tid.x]\n" +
                           "    FADD R6, R4, R4\n  end\n  loop i = 0..8192\n    " + stream +
                           " R5, [R2.64] @ s[262144*pass + 32*i + tid.x]\n    FADD R7, R5, R5\n  end\nend\nEXIT";
  return run(test::shipped("a100", {{"dram.model", "ideal"}}), head, body).l1.load_hits;
}

}  // namespace

TEST_CASE("warps wait when the slice of the word they add to has no room for more") {
  const auto share_of_time = [](const char* entries) {
    const auto arch = test::shipped("v100", {{"sm.count", "8"}, {"l2.atomic_entries", entries}});
    const auto kernel = run(arch, "grid (8)\nblock (1024)\nbuffer x u32[1]",
                            "loop i = 0..64\n  RED.E.ADD.STRONG.GPU [R2.64], R4 @ x[0]\nend\nEXIT");
    CHECK(kernel.cycles > 8 * 1024 * 64);
    return static_cast<double>(kernel.sm.active_cycles) / 8 / static_cast<double>(kernel.cycles);
  };
  CHECK(share_of_time("32") > 0.5);
  CHECK(share_of_time("65536") < 0.1);
}

TEST_CASE("adds of floats to one word take longer than those of integers") {
  const auto cycles = [](const std::string& type) {
    return run(test::shipped("a100"), "grid (16)\nblock (256)\nbuffer x f32[1]",
               "RED.E.ADD" + type + ".STRONG.GPU [R2.64], R4 @ x[0]\nEXIT")
        .cycles;
  };
  constexpr Cycle kLanes = 16 * 256;
  const Cycle rest = cycles("") - kLanes;
  CHECK(cycles(".F32.FTZ.RN") == Approx(3 * kLanes + rest).epsilon(0.05));
  CHECK(cycles(".F16x2.RN") == Approx(12 * kLanes + rest).epsilon(0.05));
}

TEST_CASE("a stream that is to leave first leaves a table in L1, and so does one that is not to be kept") {
  constexpr std::uint64_t kTable = 128 * 4;
  CHECK(hits_of_table("LDG.E", "LDG.E") == 0);
  CHECK(hits_of_table("LDG.E", "LDG.E.EF") == kTable);
  CHECK(hits_of_table("LDG.E", "LDG.E.NA") == kTable);
  CHECK(hits_of_table("LDG.E.EL", "LDG.E") == kTable);
}

TEST_CASE("a miss that is not to be kept leaves no line in L1") {
  const auto hits = [](const std::string& load) {
    return run(test::shipped("h100"), "grid (1)\nblock (32)\nbuffer x f32[1024]",
               load + " R4, [R2.64] @ x[tid.x]\nFADD R5, R4, R4\nLDG.E R6, [R2.64] @ x[tid.x]\nEXIT")
        .l1.load_hits;
  };
  CHECK(hits("LDG.E") == 4);
  CHECK(hits("LDG.E.NA") == 0);
}

TEST_CASE("what is written to leave first does not push a table out of L2") {
  const auto misses = [](const std::string& store) {
    const auto arch = test::shipped("a40", {{"l2.bytes", "768 KiB"}});
    const trace::Trace trace =
        test::program("grid (1)\nblock (1024)\nbuffer t f32[65536]\nbuffer s f32[1048576]",
                      "loop pass = 0..2\n  loop i = 0..64\n    LDG.E.STRONG.GPU R4, [R2.64] @ t[1024*i + tid.x]\n" +
                          std::string("    FADD R6, R4, R4\n  end\n  BAR.SYNC 0x0\n  loop i = 0..1024\n    ") + store +
                          " [R2.64], R5 @ s[1024*i + tid.x]\n  end\n  MEMBAR.SC.GPU\n  BAR.SYNC 0x0\nend\nEXIT");
    gpu::SimulateOptions cold;
    cold.cache = CacheState::kCold;
    return gpu::simulate(arch, trace, cold).kernels.at(0).l2.read_misses;
  };
  constexpr std::uint64_t kTable = 65536 * 4 / 32;
  CHECK(misses("STG.E") == 2 * kTable);
  CHECK(misses("STG.E.EF") < kTable * 5 / 4);
}

}  // namespace atomic_queue_test
