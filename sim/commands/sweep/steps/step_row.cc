// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/steps/step_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sim/commands/app/report.h"

namespace gpusim::sweep {
namespace {

constexpr double kPercent = 100;
constexpr std::array kUseMetrics{"gpu_busy_pct", "sm_active_pct", "tensor_active_pct", "dram_active_pct", "mfu_pct"};
constexpr std::array kMemoryMetrics{"peak_allocated_bytes", "peak_reserved_bytes"};

/// "launch_gaps" of the cause whose key in JSON is "launch_gaps_us".
std::string name_of_cause(std::size_t cause) {
  const std::string_view key = run::kCauses[cause].key;
  return std::string(key.substr(0, key.rfind('_')));
}

}  // namespace

void summarize_step(const app::Report& report, PointRow& row) {
  const double step = report.timeline.step_ns();
  row.status = kDone;
  row.cycles = static_cast<std::uint64_t>(std::llround(step));
  row.time_us = step / app::kNsPerUs;
  const auto most = std::ranges::max_element(report.causes);
  row.bound = name_of_cause(static_cast<std::size_t>(most - report.causes.begin()));
  for (std::size_t i = 0; i < report.causes.size(); ++i) {
    row.metrics[name_of_cause(i) + "_pct"] = kPercent * report.causes[i] / step;
  }
  const run::Usage& use = report.timeline.gpus.front().usage;
  const double all = report.timeline.end - report.timeline.begin;
  const double peak = report.times.peaks[report.times.gpus.front().cost_row].flops_per_ns;
  const std::array shares{use.busy, use.sms, use.tensor, use.dram, peak > 0 ? use.flops / peak : 0};
  for (std::size_t i = 0; i < kUseMetrics.size(); ++i) {
    row.metrics[kUseMetrics[i]] = kPercent * shares[i] / all;
  }
  std::uint64_t allocated = 0;
  std::uint64_t reserved = 0;
  for (const run::GpuUse& gpu : report.timeline.gpus) {
    allocated = std::max(allocated, gpu.memory.peak_allocated);
    reserved = std::max(reserved, gpu.memory.peak_reserved);
  }
  row.metrics[kMemoryMetrics[0]] = static_cast<double>(allocated);
  row.metrics[kMemoryMetrics[1]] = static_cast<double>(reserved);
}

void pretend_step(PointRow& row) {
  row.status = kDone;
  for (std::size_t i = 0; i < run::kCauses.size(); ++i) {
    row.metrics[name_of_cause(i) + "_pct"] = 0;
  }
  for (const char* const name : kUseMetrics) {
    row.metrics[name] = 0;
  }
  for (const char* const name : kMemoryMetrics) {
    row.metrics[name] = 0;
  }
}

}  // namespace gpusim::sweep
