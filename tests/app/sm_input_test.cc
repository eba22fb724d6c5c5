// SPDX-License-Identifier: MIT
// Kernels that ask a SM for what it has not, or for what never comes, as their author meets it: where, what, and what
// would be allowed.
#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace sm_input_test {

using namespace gpusim;
using app::Workshop;
using Catch::Matchers::Contains;

namespace {

/// bad.trace: a kernel of two or, with products, four warps. The first line of `head` is line 3.
std::string kernel(const std::string& head, const std::string& body) {
  return "gpusim trace 1\nkernel k\n" + head + "code\n" + body + "EXIT\nend\n";
}

Workshop::Said simulated(const std::string& arch, const std::string& trace) {
  const Workshop shop;
  shop.write("bad.trace", trace);
  return shop.run("--quiet --arch " + arch + " --trace bad.trace");
}

void is_refused(const std::string& arch, const std::string& trace, const std::string& message) {
  const auto said = simulated(arch, trace);
  CHECK(said.code == 2);
  CHECK(said.out.empty());
  CHECK_THAT(said.err, Contains("gpusim: error: " + message));
}

const std::string kProduct =
    kernel("grid (1)\nblock (128)\n",
           "HGMMA.64x64x16.F32 R24, gdesc[UR4], R24, gsb0\nFADD R1, R24, R2\nWARPGROUP.DEPBAR.LE gsb0, 0x0\n");

}  // namespace

TEST_CASE("a WGMMA operation on a GPU without them is refused with its line") {
  is_refused("a100", kProduct, "bad.trace:6: kernel 'k': HGMMA.64x64x16.F32 does not exist on A100 SXM4 80GB");
  CHECK(simulated("h100", kProduct).code == 0);
}

TEST_CASE("a cluster beyond the GPU's largest, and one on a GPU without clusters, are refused") {
  is_refused("h100", kernel("grid (32)\ncluster (32)\nblock (64)\n", ""),
             "bad.trace:2:8: kernel 'k': a cluster of 32 CTAs does not fit H100 SXM5 80GB (at most 16 CTAs a cluster)");
  is_refused("a100", kernel("grid (4)\ncluster (2)\nblock (64)\n", ""),
             "bad.trace:2:8: kernel 'k' is launched in clusters: A100 SXM4 80GB has no clusters");
  is_refused("h100", kernel("grid (5)\ncluster (2)\nblock (64)\n", ""),
             "bad.trace:4:10: cluster.x is 2, grid.x is 5 (the grid is made of whole clusters");
}

TEST_CASE("more named barriers than there are are refused, and one beyond the kernel's own is warned of") {
  is_refused("h100", kernel("grid (1)\nblock (64)\n", "BAR.SYNC 0x10\n"),
             "bad.trace:6:1: barrier 16 does not exist: expected 0 to 15");
  is_refused("h100", kernel("grid (1)\nblock (64)\nbarriers 17\n", ""),
             "bad.trace:5:10: barriers is 17 (allowed: 0 to 16)");
  CHECK_THAT(simulated("h100", kernel("grid (1)\nblock (64)\nbarriers 2\n", "BAR.SYNC 0x2\n")).out,
             Contains("uses barrier 2, and the kernel says that it has 2"));
}

TEST_CASE("a DEPBAR on a counter that does not exist is refused, and one that waits for nothing is warned of") {
  is_refused("h100", kernel("grid (1)\nblock (64)\n", "DEPBAR.LE SB7, 0x0\n"),
             "bad.trace:6:1: operand 'SB7' is not a dependence counter: expected SB0 to SB5");
  is_refused("h100", kernel("grid (1)\nblock (64)\n", "DEPBAR.LE SB0, 0x41\n"),
             "bad.trace:6:1: DEPBAR's second operand must be a number from 0 to 63");
  CHECK_THAT(simulated("h100", kernel("grid (1)\nblock (64)\n", "DEPBAR.LE SB3, 0x0\n")).out,
             Contains("'DEPBAR.LE SB3, 0x0' waits for nothing: no"));
}

TEST_CASE("an mbarrier that can never complete ends the run and says which warps wait for what") {
  const auto said = simulated(
      "h100",
      kernel("grid (1)\nblock (64)\nshared dynamic 4096\nmbarrier done at 64\n",
             "if P1: warp == 0 && lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ done init 2\nend\n"
             "NANOSLEEP 0x10\nBAR.SYNC 0x0\n@P2 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ done when tid.x == 0\n"
             "again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ done parity 0\n"
             "@!P0 BRA again when !live\n"));
  CHECK(said.code == 3);
  CHECK(said.out.empty());
  CHECK_THAT(said.err, Contains("kernel 'k' cannot finish: at cycle "));
  CHECK_THAT(said.err, Contains("warp 0 of CTA 0 at 'SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2' (bad.trace:15), "
                                "waits for mbarrier 'done', parity 0: "
                                "phase 0 has 1 of 2 arrivals made, 0 bytes outstanding"));
}

TEST_CASE("accumulators that are read too early are warned of, in the report and by trace check") {
  const std::string warning = "line 7: 'FADD R1, R24, R2' reads R24, which HGMMA.64x64x16.F32 of line 6";
  CHECK_THAT(simulated("h100", kProduct).out, Contains("warning: kernel 'k': " + warning));
  const Workshop shop;
  shop.write("bad.trace", kProduct);
  const auto checked = shop.run("trace check bad.trace");
  CHECK(checked.code == 0);
  CHECK_THAT(checked.err, Contains("gpusim: warning: kernel 'k': " + warning));
}

}  // namespace sm_input_test
