// SPDX-License-Identifier: MIT
#include "sim/output/timeline/recording.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/output/timeline/sample.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

stats::Result kept(const timeline::Watched& wanted) {
  stats::Result result = timeline::recorded_result();
  for (stats::KernelResult& kernel : result.kernels) {
    kernel.occupancy.max_warps_per_sm = 64;
  }
  timeline::keep_watched(wanted, result);
  return result;
}

}  // namespace

TEST_CASE("of a recording what is watched is kept, cut to its cycles") {
  const stats::Result one = kept({.kernel = 1, .sm = 2, .warp_slot = 7, .begin = 200, .end = 704});
  REQUIRE(one.watch.size() == 2);
  CHECK((one.watch[0].begin == 200 && one.watch[0].end == 703));
  CHECK((one.watch[1].begin == 703 && one.watch[1].end == 704));
  const stats::Result both = kept({.kernel = 1, .sm = 2, .begin = 703, .end = 704});
  REQUIRE(both.watch.size() == 2);
  CHECK((both.watch[0].warp_slot == 3 && both.watch[1].warp_slot == 7));
}

TEST_CASE("what is watched and not recorded is refused, with what is recorded") {
  CHECK_THROWS_WITH(kept({.kernel = 1, .sm = 2, .begin = 0, .end = 100}),
                    "--watch: no warp of SM 2 is recorded in cycles 0 to 99 (recorded: SM 2, cycles 100 to 759)");
  CHECK_THROWS_WITH(kept({.kernel = 1, .sm = 1, .warp_slot = 3, .begin = 100, .end = 200}),
                    Contains("no warp in slot 3 of SM 1 is recorded in cycles 100 to 199"));
  CHECK_THROWS_WITH(kept({.kernel = 0, .sm = 2, .begin = 0, .end = 100}), Contains("record them with --record"));
  CHECK_THROWS_WITH(kept({.kernel = 2}), Contains("kernel=2: there is no such kernel in the run (allowed: 0 to 1)"));
  CHECK_THROWS_WITH(kept({.kernel = 1, .sm = 4}), Contains("sm=4: there is no such sm in Toy GPU"));
  CHECK_THROWS_WITH(kept({.kernel = 1, .sm = 2, .begin = 800}), Contains("cycle=800: there is no such cycle"));
}
