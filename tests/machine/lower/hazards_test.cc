// SPDX-License-Identifier: MIT
// What nobody waits for: WGMMA operations whose registers are touched too early, and waits and barriers that are not
// there.
#include "sim/machine/lower/hazards.h"

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"

using namespace gpusim;
using Catch::Matchers::Contains;
using Warnings = std::vector<std::string>;

namespace {

/// The first line of `body` is line 7.
Warnings hazards(const std::string& body, const std::string& head = "barriers 2\n") {
  const std::string text = "gpusim trace 1\nkernel k\ngrid (1)\nblock (128)\n" + head + "code\n" + body + "EXIT\nend\n";
  return lower::hazards_of(frontend::load_trace_text(text, "inline.trace", {}).kernels.at(0));
}

const std::string kProduct = "HGMMA.64x64x16.F32 R24, gdesc[UR4], R24, gsb0\n";
const std::string kFromRegisters = "HGMMA.64x64x16.F32 R24, R4, gdesc[UR4], R24, gsb0\n";
const std::string kWait0 = "WARPGROUP.DEPBAR.LE gsb0, 0x0\n";
const std::string kWait1 = "WARPGROUP.DEPBAR.LE gsb0, 0x1\n";

}  // namespace

TEST_CASE("accumulators that are read before their group was waited for are warned of, with both lines") {
  CHECK(hazards(kProduct + kWait0 + "FADD R1, R24, R2\n").empty());
  const Warnings found = hazards(kProduct + "FADD R1, R24, R2\n" + kWait0);
  REQUIRE(found.size() == 1);
  CHECK(found[0] ==
        "kernel 'k': line 8: 'FADD R1, R24, R2' reads R24, which HGMMA.64x64x16.F32 of line 7 may still be adding to: "
        "no WARPGROUP.DEPBAR before it waits for that WGMMA operation's group");
}

TEST_CASE("so is what is written over accumulators, and over fragments of A in registers") {
  CHECK_THAT(hazards(kProduct + "MOV R30, RZ\n" + kWait0).at(0), Contains("overwrites R30, which"));
  CHECK_THAT(hazards(kFromRegisters + "MOV R5, RZ\n" + kWait0).at(0), Contains("may still be reading"));
  CHECK(hazards(kFromRegisters + "FADD R1, R5, R2\n" + kWait0).empty());  // two may read
  CHECK(hazards(kFromRegisters + "MOV R8, RZ\n" + kWait0).empty());       // its fragments are four registers
}

TEST_CASE("a wait leaves the youngest groups under way, as many as it says") {
  const std::string other = "HGMMA.64x64x16.F32 R88, gdesc[UR4], R88, gsb0\n";
  CHECK(hazards(kProduct + other + kWait1 + "FADD R1, R24, R2\n").empty());
  CHECK_THAT(hazards(kProduct + other + kWait1 + "FADD R1, R88, R2\n").at(0), Contains("reads R88"));
  // A group that is still open is waited for by nobody.
  CHECK(hazards("HGMMA.64x64x16.F32 R24, gdesc[UR4], R24\n" + kWait0 + "FADD R1, R24, R2\n").size() == 1);
}

TEST_CASE("WGMMA operations may follow one another in the same accumulators") {
  CHECK(hazards(kProduct + kProduct + kFromRegisters + kWait0 + "FADD R1, R24, R2\n").empty());
}

TEST_CASE("a warp that has not come by the wait is a hazard, and so is one around a loop") {
  CHECK(hazards(kProduct + "if P1: warp == 0\n" + kWait0 + "end\nFADD R1, R24, R2\n" + kWait0).size() == 1);
  const std::string loop = "loop i = 0..4\nFADD R1, R24, R2\n" + kProduct;
  CHECK(hazards(loop + "end\n" + kWait0).size() == 1);
  CHECK(hazards(loop + kWait0 + "end\n").empty());
}

TEST_CASE("a wait under the condition of the WGMMA operation is enough") {
  const std::string when = "if P1: i > 0\n";
  CHECK(
      hazards("loop i = 0..4\n" + when + kProduct + "end\n" + when + kWait0 + "FADD R1, R24, R2\nend\nend\n").empty());
}

TEST_CASE("a WGMMA operation or a wait whose guard is false does nothing") {
  const std::string never = " when lane > 40\n";
  const std::string product = "@P1 HGMMA.64x64x16.F32 R24, gdesc[UR4], R24, gsb0" + never;
  CHECK(hazards(product + "FADD R1, R24, R2\n" + kWait0).empty());
  CHECK(hazards(kProduct + "@P1 WARPGROUP.DEPBAR.LE gsb0, 0x0" + never + "FADD R1, R24, R2\n").size() == 1);
}

TEST_CASE("the kernels of the library do without") {
  for (const char* const name : {"flash-attention-3", "gemm-fp8", "gemm-wgmma", "tma-copy", "dsmem-reduce"}) {
    const std::string path = std::string(GPUSIM_SOURCE_DIR) + "/traces/library/" + name + ".trace";
    INFO(name);
    CHECK(lower::hazards_of(frontend::load_trace_text(path, {{}, true}).kernels.at(0)).empty());
  }
}

TEST_CASE("a line is told once, and of many lines the first three") {
  CHECK(hazards(kProduct + "unroll i = 0..8\nFADD R1, R{24+i}, R2\nend\n" + kWait0).size() == 1);
  std::string many;
  for (int i = 0; i < 5; ++i) {
    many += "FADD R1, R24, R2\n";
  }
  const Warnings found = hazards(kProduct + many + kWait0);
  REQUIRE(found.size() == 4);
  CHECK(found[3] == "kernel 'k': and 2 more lines of that kind");
}

TEST_CASE("a DEPBAR on a counter that nothing increments waits for nothing") {
  CHECK(hazards("DEPBAR.LE SB3, 0x0\n").at(0) ==
        "kernel 'k': line 7: 'DEPBAR.LE SB3, 0x0' waits for nothing: no instruction increments SB3");
  const std::string exit = "[B------:R-:W-:-:S01] EXIT\n";
  const std::string depbar = "[B------:R-:W-:-:S04] DEPBAR.LE SB3, 0x0\n" + exit;
  const auto recorded = [&depbar](const std::string& line) {
    const std::string text = "gpusim trace 1\nkernel k\ngrid (1)\nblock (32)\ncode\n" + line + depbar + "end\n";
    return lower::hazards_of(frontend::load_trace_text(text, "inline.trace", {}).kernels.at(0));
  };
  CHECK(recorded("[B------:R-:W3:-:S02] MUFU.EX2 R4, R5\n").empty());
  CHECK(recorded("[B------:R-:W2:-:S02] MUFU.EX2 R4, R5\n").size() == 1);
}

TEST_CASE("a barrier beyond those that the kernel says it has") {
  CHECK(hazards("BAR.SYNC 0x1\n").empty());
  CHECK(hazards("BAR.SYNC 0x2\n").at(0) ==
        "kernel 'k': line 7: 'BAR.SYNC 0x2' uses barrier 2, and the kernel says that it has 2 barriers: occupancy is "
        "computed with that");
}
