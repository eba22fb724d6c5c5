// SPDX-License-Identifier: MIT
// Occupancy of every kernel of a trace, a line each, launched as the simulator launches them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/arch/arch.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"
#include "sim/model/occupancy/what_if.h"
#include "sim/output/text/layout.h"

namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::occupancy {

struct KernelAnalysis {
  std::string name;
  std::uint64_t ctas = 0;  ///< CTAs of the grid
  double waves = 0;        ///< rounds of resident CTAs; 0 when nothing fits
  LaunchShape shape;
  Residency residency;
  std::vector<Proposal> proposals;
  std::uint64_t clusters = 0;  ///< clusters that the GPU holds at once, for a launch in clusters
};

struct TraceAnalysis {
  std::string arch_name;
  std::string arch_path;
  std::string trace_path;
  std::vector<KernelAnalysis> kernels;
};

[[nodiscard]] TraceAnalysis analyse(const arch::Arch& arch, const trace::Trace& trace);

[[nodiscard]] std::string to_text(const TraceAnalysis& analysis, const layout::Look& look);

/// Schema gpusim.occupancy-trace/1 (docs/occupancy.md).
[[nodiscard]] std::string to_json(const TraceAnalysis& analysis);

}  // namespace gpusim::occupancy
