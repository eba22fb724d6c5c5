// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/frontend_text/support.h"

using namespace gpusim;
using namespace gpusim::test;

TEST_CASE("straight code issues once for all lanes of the warp") {
  const trace::Trace trace = load(kernel_text("grid (2)\nblock (40)\n", "FADD R1, R2, R3\nEXIT\n"));
  const trace::Kernel& kernel = trace.kernels.at(0);
  CHECK(opcodes(walk(kernel)) == "FADD EXIT");
  CHECK(walk(kernel).at(0).active == kAllLanes);
  CHECK(walk(kernel, {1, 0, 0}, 1).at(0).active == 0xffU);
}

TEST_CASE("a loop issues its body and one closing branch an iteration") {
  const auto events = walk(one_warp("loop i = 0..3\nFADD R1, R1, R2\nend\nEXIT\n").kernels.at(0));
  CHECK(opcodes(events) == "FADD BRA FADD BRA FADD BRA EXIT");
  CHECK(events[1].mask == kAllLanes);
  CHECK(events[3].mask == kAllLanes);
  CHECK(events[5].mask == 0);
}

TEST_CASE("a loop whose trips are known to be zero leaves no instruction") {
  CHECK(opcodes(walk(one_warp("loop i = 3..3\nFADD R1, R1, R2\nend\nEXIT\n").kernels.at(0))) == "EXIT");
}

TEST_CASE("addresses are base, CTA part, iteration part and lane part") {
  const trace::Trace trace = load(kernel_text("grid (4)\nblock (64)\nbuffer x f32[100000]\n",
                                              "loop i = 0..2\nLDG.E R4, [R2.64] @ x[(ctaid.x*64 + tid.x)*2 + i*1000]\n"
                                              "end\nEXIT\n"));
  const auto got = addresses(trace.kernels.at(0), {3, 0, 0}, 1);
  REQUIRE(got.size() == 2);
  for (unsigned i = 0; i < 2; ++i) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      CHECK(got[i][lane] == 0x7f0000000000ULL + 4 * ((3 * 64 + 32 + lane) * 2 + i * 1000));
    }
  }
}
