// SPDX-License-Identifier: MIT
// What `gpusim trace info` and `gpusim trace make --list` say, as text for people and JSON for programs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/text/library_kernel.h"
#include "sim/model/trace/footprint.h"
#include "sim/model/trace/summary.h"
#include "sim/output/text/layout.h"

namespace gpusim::trace {
struct Kernel;
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::trace_summary {

/// A heading a family, and for each kernel what it is and its parameters with ranges and defaults.
[[nodiscard]] std::string library_text(std::span<const frontend::LibraryKernel> kernels, const layout::Look& look);
/// Schema gpusim.library/1.
[[nodiscard]] std::string library_json(std::span<const frontend::LibraryKernel> kernels);

/// Why no GPU can launch the trace: registers or shared memory of a CTA beyond what any GPU has. Empty when some can.
[[nodiscard]] std::vector<Problem> launch_problems(const trace::Trace& trace);

/// A kernel as it was walked.
struct KernelInfo {
  const trace::Kernel* kernel = nullptr;
  trace::KernelSummary summary;
  std::vector<trace::Touched> footprint;  ///< memory that the walked CTAs touch

  /// Scales a count of the walked CTAs to the whole launch. The result is exact when all CTAs were walked.
  [[nodiscard]] std::uint64_t scaled(std::uint64_t count) const;
};

/// Warp instructions that a kernel is walked for; beyond, only some of its CTAs are.
inline constexpr std::uint64_t kStepsWalked = 64'000'000;

/// Walks all CTAs where `most_steps` allow it, else as many as fit, evenly spread over the grid.
[[nodiscard]] KernelInfo summarize_kernel(const trace::Kernel& kernel, std::uint64_t most_steps = kStepsWalked);

struct TraceInfo {
  const trace::Trace* trace = nullptr;
  std::uint64_t file_bytes = 0;  ///< on disk
  std::vector<KernelInfo> kernels;
};

[[nodiscard]] std::string info_text(const TraceInfo& info, const layout::Look& look);
/// Schema gpusim.trace-info/1.
[[nodiscard]] std::string info_json(const TraceInfo& info);

}  // namespace gpusim::trace_summary
