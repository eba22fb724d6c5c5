// SPDX-License-Identifier: MIT
// The tables behind the pictures of handouts hold what the simulator says.
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/cache_state.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/run/job.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/stats/metrics.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/trace.h"

using namespace gpusim;

namespace {

const std::filesystem::path kLab = std::filesystem::path(GPUSIM_SOURCE_DIR) / "docs/labs/thread-hierarchy";

using Row = std::vector<double>;

/// The numbers in front of each line of the table that the picture is drawn from.
std::vector<Row> table_of(const std::string& picture, std::size_t columns) {
  const std::string handout = lab::text_of(kLab / "handout.md");
  const std::size_t begin = handout.find("```picture " + picture);
  REQUIRE(begin != std::string::npos);
  std::istringstream lines(handout.substr(begin, handout.find("\n```", begin) - begin));
  std::vector<Row> rows;
  for (std::string line; std::getline(lines, line);) {
    std::erase(line, ',');
    std::istringstream words(line);
    Row row;
    for (double number = 0; row.size() < columns && words >> number;) {
      row.push_back(number);
    }
    if (row.size() == columns) {
      rows.push_back(row);
    }
  }
  return rows;
}

stats::Result simulated(double ctas, double threads, const gpu::SimulateOptions& more = {}) {
  lab::Job job;
  job.trace = (kLab / "start/chain.trace").string();
  job.arch = std::string(GPUSIM_SOURCE_DIR) + "/configs/t4.yaml";
  job.params = {"length=2048", "ctas=" + std::to_string(static_cast<int>(ctas)),
                "threads=" + std::to_string(static_cast<int>(threads))};
  gpu::SimulateOptions options = more;
  options.cache = cache_state_of("cold");
  return gpu::simulate(lab::arch_of(job).arch, lab::load_trace_of(job), options);
}

}  // namespace

TEST_CASE("the race of a core and a GPU has the simulated times, and those of a core that is never idle") {
  const std::vector<Row> rows = table_of("race sms=40 atonce=64", 6);
  REQUIRE(rows.size() == 7);
  double one_thread = 0;
  for (const Row& row : rows) {
    const stats::Result result = simulated(row[0], row[1]);
    const double us = stats::time_us(result, result.kernels.front());
    one_thread = one_thread == 0 ? us : one_thread;
    INFO("CTAs " << row[0] << ", threads " << row[1]);
    CHECK(row[2] == row[0] * row[1]);
    CHECK(row[3] == Approx(us).margin(0.051));
    CHECK(row[4] == Approx(std::ceil(row[2] / 64) * 2048 * 4 / 4000).margin(0.051));
    CHECK(row[5] == Approx(us / one_thread).margin(0.051));
  }
}

TEST_CASE("the hierarchy places each CTA on the SM of the simulation, and its warps on the sub-cores in turn") {
  const std::vector<Row> rows = table_of("hierarchy threads=80 subcores=4", 4);
  REQUIRE(rows.size() == 6);
  gpu::SimulateOptions options;
  options.record_series = true;
  for (std::uint32_t sm = 0; sm < rows.size(); ++sm) {
    options.watch.push_back({.sm = sm, .begin = 0, .end = 400});
  }
  const stats::Result result = simulated(static_cast<double>(rows.size()), 80, options);
  const std::vector<stats::CtaSpan>& spans = result.kernels.front().record->ctas;
  REQUIRE(spans.size() == rows.size());
  for (const stats::CtaSpan& span : spans) {
    const Row& row = rows[span.cta];
    CHECK(row == Row{static_cast<double>(span.cta), static_cast<double>(span.sm), static_cast<double>(span.begin),
                     static_cast<double>(span.end)});
  }
  REQUIRE_FALSE(result.watch.empty());
  for (const stats::WatchInterval& interval : result.watch) {
    CHECK(interval.sub_core == interval.warp % 4);
  }
}
