// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/text.h"

#include <catch2/catch.hpp>

#include "sim/commands/sweep/run/prepare.h"
#include "sim/commands/sweep/run/run.h"
#include "sim/commands/sweep/store/point.h"
#include "sim/commands/sweep/study/study.h"

using Catch::Matchers::Contains;

namespace gpusim::commands {

TEST_CASE("the progress of a sweep says what ended, failed and runs, how fast, and how long it will take") {
  sweep::Tally tally;
  tally.points = 200;
  tally.known = 40;
  tally.done = 39;
  tally.failed = 1;
  tally.running = 2;
  tally.work_left = 0.75;
  CHECK(sweep_progress_text(tally, 80) ==
        "[#####...............] 80 of 200 points, 1 failed, 2 running  30.0 a minute  4 min left");
}

TEST_CASE("before the first point has ended, nothing is said of the time left") {
  sweep::Tally tally;
  tally.points = 3;
  tally.running = 2;
  tally.work_left = 1;
  CHECK(sweep_progress_text(tally, 5) == "[....................] 0 of 3 points, 2 running");
}

TEST_CASE("what follows from the values is said once of each combination") {
  sweep::Study study;
  study.archs = {"h100"};
  study.traces = {"saxpy"};
  std::vector<sweep::Candidate> points(4);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].row.parameters = {{"sm.count", std::to_string(i)}};
    points[i].row.derived = {{"noc.gpcs", i < 2 ? "7" : "8"}};
  }
  CHECK(derived_text(points, study, 2) == "sm.count=0: noc.gpcs=7\nsm.count=2: noc.gpcs=8\n");
  CHECK_THAT(derived_text(points, study, 1), Contains("and 1 combination more"));
}

TEST_CASE("a page of points ends with how many more there are") {
  sweep::Study study;
  study.archs = {"h100"};
  study.traces = {"saxpy"};
  study.axes = {{"sm.count", {}}};
  std::vector<sweep::PointRow> rows(5);
  for (sweep::PointRow& row : rows) {
    row.status = sweep::kDone;
    row.parameters = {{"sm.count", "66"}};
  }
  CHECK_THAT(points_text(rows, study, {}, 3), Contains("and 2 points more"));
  CHECK_THAT(points_text(rows, study, {}, 5), !Contains("more"));
}

}  // namespace gpusim::commands
