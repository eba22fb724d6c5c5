// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "sim/output/report/ncu_metrics.h"
#include "sim/output/report/report.h"

#include "tests/output/report/sample.h"

using namespace gpusim;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("the ncu CSV has the profiler's header and a quoted row for each metric") {
  const std::string text = report::to_ncu_csv(report::sample_result());
  CHECK_THAT(text, StartsWith("\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","
                              "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\","
                              "\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"));
  const std::string launch =
      "\"0\",\"1\",\"gpusim\",\"127.0.0.1\",\"axpy\",\"1\",\"7\",\"(256, 1, 1)\",\"(16, 1, 1)\",\"0\",\"n/a\",";
  const std::string speed_of_light = launch + "\"GPU Speed Of Light Throughput\",";
  CHECK_THAT(text, Contains(speed_of_light + "\"SM Frequency\",\"Ghz\",\"1.00\"\n"));
  CHECK_THAT(text, Contains(speed_of_light + "\"Elapsed Cycles\",\"cycle\",\"8,000\"\n"));
  CHECK_THAT(text, Contains(speed_of_light + "\"Duration\",\"us\",\"8.00\"\n"));
  CHECK_THAT(text, Contains(speed_of_light + "\"SM Active Cycles\",\"cycle\",\"7,500.00\"\n"));
  CHECK_THAT(text, Contains("\"L1/TEX Hit Rate\",\"%\",\"25.00\"\n"));
  CHECK_THAT(text, Contains("\"Grid Size\",\"\",\"16\"\n"));
  CHECK_THAT(text, Contains("\"# SMs\",\"SM\",\"4\"\n"));
}

TEST_CASE("metrics without a value are left out, and quotes in names are doubled") {
  stats::Result result = report::sample_result();
  result.kernels[0].name = "f<\"x\", 2>";
  result.kernels[0].l1.load_sectors = 0;
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

TEST_CASE("the ncu CSV has the compute capability, and the scheduler statistics") {
  stats::Result result = report::sample_result();
  result.compute_capability = "9.0";
  const std::string text = report::to_ncu_csv(result);
  CHECK_THAT(text, Contains("\"(16, 1, 1)\",\"0\",\"9.0\",") && !Contains("\"n/a\""));
  // 20,000 instructions and 100,000 warp-cycles in 30,000 active cycles of SMs with four schedulers, 8,000 cycles of 4.
  const std::string schedulers = "\"Scheduler Statistics\",";
  CHECK_THAT(text, Contains(schedulers + "\"One or More Eligible\",\"%\",\"16.67\"\n"));
  CHECK_THAT(text, Contains(schedulers + "\"Issued Warp Per Scheduler\",\"\",\"0.17\"\n"));
  CHECK_THAT(text, Contains(schedulers + "\"No Eligible\",\"%\",\"83.33\"\n"));
  CHECK_THAT(text, Contains(schedulers + "\"Active Warps Per Scheduler\",\"warp\",\"0.83\"\n"));
  CHECK_THAT(text, Contains(schedulers + "\"Eligible Warps Per Scheduler\",\"warp\",\"0.17\"\n"));
  CHECK_THAT(text, Contains("\"Issue Slots Busy\",\"%\",\"16.67\"\n"));
  CHECK_THAT(text, Contains("\"Executed Ipc Elapsed\",\"inst/cycle\",\"0.62\"\n"));
  CHECK_THAT(text, Contains("\"SM Busy\",\"%\","));
  CHECK_THAT(text, Contains("\"Threads\",\"thread\",\"4,096\"\n"));
  CHECK_THAT(text, Contains("\"Achieved Active Warps Per SM\",\"warp\",\"3.33\"\n"));
}
