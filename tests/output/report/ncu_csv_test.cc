// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/output/advice/rules.h"
#include "sim/output/report/ncu_metrics.h"
#include "sim/output/report/report.h"
#include "sim/output/report/writers.h"

#include "tests/output/report/sample.h"

namespace ncu_csv_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("the ncu CSV has the profiler's header and a quoted row for each metric") {
  const std::string text = report::to_ncu_csv(report::sample_result());
  CHECK_THAT(text, StartsWith("\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","
                              "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\","
                              "\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\",\"Rule Type\","
                              "\"Rule Description\",\"Estimated Speedup Type\",\"Estimated Speedup\"\n"));
  const std::string no_rule = ",\"\",\"\",\"\",\"\",\"\"\n";
  const std::string launch =
      "\"0\",\"1\",\"gpusim\",\"127.0.0.1\",\"axpy\",\"1\",\"7\",\"(256, 1, 1)\",\"(16, 1, 1)\",\"0\",\"n/a\",";
  const std::string speed_of_light = launch + "\"GPU Speed Of Light Throughput\",";
  CHECK_THAT(text, Contains(speed_of_light + "\"SM Frequency\",\"Ghz\",\"1.00\"" + no_rule));
  CHECK_THAT(text, Contains(speed_of_light + "\"Elapsed Cycles\",\"cycle\",\"8,000\"" + no_rule));
  CHECK_THAT(text, Contains(speed_of_light + "\"Duration\",\"us\",\"8.00\"" + no_rule));
  CHECK_THAT(text, Contains(speed_of_light + "\"SM Active Cycles\",\"cycle\",\"7,500.00\"" + no_rule));
  CHECK_THAT(text, Contains("\"L1/TEX Hit Rate\",\"%\",\"18.94\"" + no_rule));
  CHECK_THAT(text, Contains("\"Grid Size\",\"\",\"16\"" + no_rule));
  CHECK_THAT(text, Contains("\"# SMs\",\"SM\",\"4\"" + no_rule));
}

TEST_CASE("metrics without a value are left out, and quotes in names are doubled") {
  stats::Result result = report::sample_result();
  result.kernels[0].name = "f<\"x\", 2>";
  result.kernels[0].l1 = {};
  const std::string text = report::to_ncu_csv(result);
  CHECK_THAT(text,
             Contains("\"f<\"\"x\"\", 2>\"") && !Contains("L1/TEX Hit Rate") && !Contains("Block Limit Barriers"));
}

TEST_CASE("every name of the profiler belongs to one column") {
  std::set<std::string_view> named;
  for (const report::RunColumn& column : report::run_columns()) {
    named.insert(column.ncu.label.empty() ? "" : std::string_view(column.path));
  }
  for (const report::KernelColumn& column : report::kernel_columns()) {
    named.insert(column.ncu.label.empty() ? "" : std::string_view(column.path));
  }
  for (const report::NcuRow& row : report::ncu_rows()) {
    INFO(row.path);
    CHECK(named.contains(row.path));
  }
  CHECK(named.size() == report::ncu_rows().size() + 1);
}

TEST_CASE("a finding is a row of a rule, without a metric") {
  stats::Result result = report::sample_result();
  result.kernels[0].name = "a \"b\"";
  const report::View view = report::explained_view(result);
  const std::vector<report::Finding>& findings = view.kernels[0].findings;
  REQUIRE(findings.size() > 2);
  const std::string text = report::to_ncu_csv(result);
  std::size_t rows = 0;
  for (std::size_t at = text.find(",\"OPT\","); at != std::string::npos; at = text.find(",\"OPT\",", at + 1)) {
    ++rows;
  }
  CHECK(rows == findings.size());
  const auto tail = std::ranges::find(findings, "bank_conflicts", &report::Finding::id);
  REQUIRE(tail != findings.end());
  CHECK_THAT(text,
             Contains("\"a \"\"b\"\"\",\"1\",\"7\",\"(256, 1, 1)\",\"(16, 1, 1)\",\"0\",\"n/a\",\"Memory Workload "
                      "Analysis Tables\",\"\",\"\",\"\",\"SharedMemoryConflicts\",\"OPT\",\"Bank conflicts in "
                      "shared memory: " +
                      tail->evidence + " -> " + tail->change + "\",\"global\",\""));
}

TEST_CASE("all rows of the ncu CSV have as many cells") {
  const std::string text = report::to_ncu_csv(report::sample_result());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    std::size_t cells = 1;
    for (std::size_t at = line.find("\",\""); at != std::string::npos; at = line.find("\",\"", at + 2)) {
      ++cells;
    }
    CHECK(cells == 20);
  }
}

TEST_CASE("every rule has a place in the profiler's report") {
  const std::span<const advice::Rule> rules = advice::rules();
  CHECK(std::ranges::equal(report::ncu_rules(), rules, {}, &report::NcuRule::id, &advice::Rule::id));
}

TEST_CASE("the ncu CSV has the compute capability, and the scheduler statistics") {
  stats::Result result = report::sample_result();
  result.compute_capability = "9.0";
  const std::string text = report::to_ncu_csv(result);
  CHECK_THAT(text, Contains("\"(16, 1, 1)\",\"0\",\"9.0\",") && !Contains("\"n/a\""));
  // 20,000 instructions and 100,000 warp-cycles in 30,000 active cycles of SMs with four schedulers, 8,000 cycles of 4.
  const std::string schedulers = "\"Scheduler Statistics\",";
  CHECK_THAT(text, Contains(schedulers + "\"One or More Eligible\",\"%\",\"16.67\""));
  CHECK_THAT(text, Contains(schedulers + "\"Issued Warp Per Scheduler\",\"\",\"0.17\""));
  CHECK_THAT(text, Contains(schedulers + "\"No Eligible\",\"%\",\"83.33\""));
  CHECK_THAT(text, Contains(schedulers + "\"Active Warps Per Scheduler\",\"warp\",\"0.83\""));
  CHECK_THAT(text, Contains(schedulers + "\"Eligible Warps Per Scheduler\",\"warp\",\"0.17\""));
  CHECK_THAT(text, Contains("\"Issue Slots Busy\",\"%\",\"16.67\""));
  CHECK_THAT(text, Contains("\"Executed Ipc Elapsed\",\"inst/cycle\",\"0.62\""));
  CHECK_THAT(text, Contains("\"SM Busy\",\"%\","));
  CHECK_THAT(text, Contains("\"Threads\",\"thread\",\"4,096\""));
  CHECK_THAT(text, Contains("\"Achieved Active Warps Per SM\",\"warp\",\"3.33\""));
}

}  // namespace ncu_csv_test
