// SPDX-License-Identifier: MIT
#include "sim/output/view/roofs.h"

#include "sim/model/stats/result.h"
#include "sim/output/view/view.h"

namespace gpusim::report {
namespace {

constexpr double kHertzPerMegahertz = 1e6;

std::vector<RoofLevel> traffic_of(const stats::Result& run, const KernelView& view) {
  const stats::MachineLimits& machine = run.machine;
  const double hertz = run.sm_clock_mhz * kHertzPerMegahertz;
  const auto bytes = [&view](std::size_t level) { return view.levels[level].bytes; };
  return {{"DRAM", bytes(3), machine.dram_bytes_per_second, {}},
          {"L2", bytes(2), machine.l2_bytes_per_cycle * hertz, {}},
          {"L1", bytes(0), machine.l1_bytes_per_cycle * machine.sms * hertz, {}},
          {"Shared", bytes(1), machine.shared_bytes_per_cycle * machine.sms * hertz, {}}};
}

/// What the level allows the class to reach.
double roof_height(const RoofLevel& level) {
  return level.intensity.value_or(0) * level.peak_bytes_per_second;
}

}  // namespace

std::vector<RoofRow> make_roofs(const stats::Result& run, const stats::KernelResult& kernel, const KernelView& view) {
  std::vector<RoofRow> rows;
  const double seconds = view.time_us * 1e-6;
  for (std::size_t c = 1; c < isa::kFlopClasses; ++c) {
    const auto flops = static_cast<double>(kernel.flops[c]);
    if (flops == 0) {
      continue;
    }
    RoofRow row;
    row.flop_class = static_cast<isa::FlopClass>(c);
    row.flops_per_second = seconds > 0 ? flops / seconds : 0;
    row.peak_flops_per_second =
        run.machine.flops_per_cycle_sm[c] * run.machine.sms * run.sm_clock_mhz * kHertzPerMegahertz;
    row.levels = traffic_of(run, view);
    for (RoofLevel& level : row.levels) {
      if (level.bytes > 0) {
        level.intensity = flops / static_cast<double>(level.bytes);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

const RoofLevel* lowest_roof(const RoofRow& row) {
  const RoofLevel* lowest = nullptr;
  for (const RoofLevel& level : row.levels) {
    if (roof_height(level) > 0 && (lowest == nullptr || roof_height(level) < roof_height(*lowest))) {
      lowest = &level;
    }
  }
  return lowest;
}

double ridge_of(const RoofRow& row, const RoofLevel& level) {
  return level.peak_bytes_per_second > 0 ? row.peak_flops_per_second / level.peak_bytes_per_second : 0.0;
}

bool is_memory_side(const RoofRow& row, const RoofLevel& level) {
  return level.intensity && *level.intensity < ridge_of(row, level);
}

}  // namespace gpusim::report
