// SPDX-License-Identifier: MIT
#include "sim/commands/occupancy/kernels.h"

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/occupancy/json_parts.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace gpusim::occupancy {
namespace {

constexpr std::size_t kWidestName = 30;

KernelAnalysis analyse_kernel(const arch::Arch& arch, const trace::Kernel& kernel) {
  const arch::SmConfig& sm = arch.sm;
  KernelAnalysis analysis{kernel.name, kernel.ctas(), 0, launch_shape(kernel), {}, {}};
  const std::uint32_t ctas = analysis.shape.ctas_per_cluster;
  analysis.residency = residency(sm, analysis.shape);
  analysis.proposals = proposals(sm, analysis.shape);
  if (ctas > 1 && ctas <= sm.limits.ctas_per_cluster) {
    analysis.clusters = resident_clusters(sm, arch.noc, analysis.shape);
  }
  const std::uint64_t at_once =
      ctas > 1 ? analysis.clusters * ctas : std::uint64_t{sm.count} * analysis.residency.occupancy.ctas_per_sm;
  if (at_once > 0) {
    analysis.waves = static_cast<double>(analysis.ctas) / static_cast<double>(at_once);
  }
  return analysis;
}

std::string limiters_text(const stats::Occupancy& occupancy) {
  std::string text;
  for (const stats::Limiter limiter : occupancy.limiters) {
    text += (text.empty() ? "" : ", ") + std::string(stats::kLimiterNames[static_cast<std::size_t>(limiter)]);
  }
  return text;
}

}  // namespace

TraceAnalysis analyse(const arch::Arch& arch, const trace::Trace& trace) {
  TraceAnalysis analysis{arch.name, arch.path, trace.path, {}};
  for (const trace::Kernel& kernel : trace.kernels) {
    analysis.kernels.push_back(analyse_kernel(arch, kernel));
  }
  return analysis;
}

std::string to_text(const TraceAnalysis& analysis, const layout::Look& look) {
  layout::Table table("lrrrrrrrl",
                      {"kernel", "CTAs", "waves", "threads", "regs", "smem B", "CTAs/SM", "%", "limited by"});
  for (const KernelAnalysis& kernel : analysis.kernels) {
    const stats::Occupancy& occupancy = kernel.residency.occupancy;
    table.add({clipped(printable(kernel.name), kWidestName), with_thousands(kernel.ctas),
               fmt::format("{:.2f}", kernel.waves), std::to_string(kernel.shape.threads_per_cta),
               std::to_string(kernel.shape.registers_per_thread), with_thousands(kernel.shape.shared_bytes()),
               std::to_string(occupancy.ctas_per_sm), fmt::format("{:.1f}", occupancy.theoretical_pct()),
               limiters_text(occupancy)});
  }
  std::string clusters;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    if (kernel.shape.ctas_per_cluster > 1) {
      clusters +=
          fmt::format("  {}: {} clusters of {} CTAs at once on the GPU\n", clipped(printable(kernel.name), kWidestName),
                      with_thousands(kernel.clusters), kernel.shape.ctas_per_cluster);
    }
  }
  return layout::paint(printable(analysis.trace_path) + " on " + printable(analysis.arch_name), layout::Style::kStrong,
                       look) +
         "\n" + table.to_text(look) + clusters;
}

std::string to_json(const TraceAnalysis& analysis) {
  Json kernels = Json::array();
  for (const KernelAnalysis& kernel : analysis.kernels) {
    Json json{
        {"name", kernel.name}, {"ctas", kernel.ctas}, {"waves", kernel.waves}, {"launch", launch_json(kernel.shape)}};
    add_residency(json, kernel.residency);
    json["proposals"] = proposals_json(kernel.proposals);
    if (kernel.shape.ctas_per_cluster > 1) {
      json["clusters"] = clusters_json(kernel.shape, kernel.clusters);
    }
    kernels.push_back(std::move(json));
  }
  const Json json{{"schema", "gpusim.occupancy-trace/1"},
                  {"arch", {{"name", analysis.arch_name}, {"path", analysis.arch_path}}},
                  {"trace", analysis.trace_path},
                  {"kernels", kernels}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::occupancy
