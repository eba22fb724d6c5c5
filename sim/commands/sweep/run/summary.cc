// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/run/summary.h"

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "sim/commands/sweep/store/point.h"
#include "sim/model/stats/metrics.h"
#include "sim/model/stats/result.h"

namespace gpusim::sweep {
namespace {

using stats::KernelResult;
using stats::Result;

using stats::Throughput;

/// Ratios of a kernel; of the whole run they are weighted by the kernels' times.
struct ThroughputField {
  std::string_view name;
  double Throughput::*member;
};
constexpr std::array<ThroughputField, 14> kRatios{{{"tflops", &Throughput::tflops},
                                                   {"dram_gbs", &Throughput::dram_gbs},
                                                   {"sm_pct", &Throughput::sm_pct},
                                                   {"pipes_pct", &Throughput::pipes_pct},
                                                   {"memory_pct", &Throughput::memory_pct},
                                                   {"l1_pct", &Throughput::l1_pct},
                                                   {"shared_pct", &Throughput::shared_pct},
                                                   {"l2_pct", &Throughput::l2_pct},
                                                   {"noc_pct", &Throughput::noc_pct},
                                                   {"dram_pct", &Throughput::dram_pct},
                                                   {"dram_rows_pct", &Throughput::dram_rows_pct},
                                                   {"tensor_pct", &Throughput::tensor_pct},
                                                   {"issue_pct", &Throughput::issue_pct},
                                                   {"fp_pct", &Throughput::fp_pct}}};

std::map<std::string, double> ratios_of(const Result& result, const KernelResult& kernel) {
  std::map<std::string, double> out;
  const Throughput throughput = stats::throughput(result, kernel);
  for (const ThroughputField& ratio : kRatios) {
    out[std::string(ratio.name)] = throughput.*ratio.member;
  }
  out["tensor_share_pct"] = stats::tensor_share_pct(result, kernel);
  out["occupancy_pct"] = stats::achieved_occupancy_pct(kernel);
  out["ipc_active"] = stats::ipc_active(kernel);
  out["power_w"] = kernel.power.watts();
  return out;
}

std::map<std::string, double> sums_of(const Result& result, const KernelResult& kernel) {
  return {{"launch_us", kernel.launch_us},
          {"energy_mj", stats::energy_mj(result, kernel)},
          {"warp_instructions", static_cast<double>(kernel.sm.warp_instructions)},
          {"dram_read_bytes", static_cast<double>(kernel.dram.read_bytes)},
          {"dram_write_bytes", static_cast<double>(kernel.dram.write_bytes)}};
}

}  // namespace

void summarize(const Result& result, PointRow& row) {
  row.status = kDone;
  row.host_seconds = result.host.seconds;
  std::map<std::string, double> ratio_times_us;
  double longest = -1;
  for (const KernelResult& kernel : result.kernels) {
    const double time = stats::time_us(result, kernel);
    row.cycles += kernel.cycles;
    row.time_us += time;
    if (time > longest) {
      longest = time;
      row.bound = stats::name_of(stats::bound(result, kernel));
    }
    for (const auto& [name, value] : ratios_of(result, kernel)) {
      ratio_times_us[name] += value * time;
    }
    for (const auto& [name, value] : sums_of(result, kernel)) {
      row.metrics[name] += value;
    }
  }
  for (const auto& [name, value] : ratio_times_us) {
    row.metrics[name] = row.time_us > 0 ? value / row.time_us : 0;
  }
}

void pretend_done(PointRow& row) {
  Result result;
  result.kernels.emplace_back();
  summarize(result, row);
}

}  // namespace gpusim::sweep
