// SPDX-License-Identifier: MIT
#include "sim/output/compare/sums.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "sim/output/view/view.h"

namespace gpusim::compare {
namespace {

using stats::KernelCounts;
using stats::KernelResult;

template <class Array>
void add_array(Array& to, const Array& from) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] += from[i];
  }
}

/// What a launch has and a sum has not is of the first one; but a sum has clusters and local memory when one of its
/// launches has them, so that their counters are shown.
void add_launch(KernelCounts& to, const KernelCounts& from) {
  to.simulated_ctas += from.simulated_ctas;
  to.cycles += from.cycles;
  to.launch_us += from.launch_us;
  to.begin_end_us += from.begin_end_us;
  to.local_bytes_per_thread = std::max(to.local_bytes_per_thread, from.local_bytes_per_thread);
  if (to.cluster.volume() <= 1) {
    to.cluster = from.cluster;
  }
  add_array(to.stalls, from.stalls);
  stats::add(static_cast<stats::CounterBlocks&>(to), from);
  add_array(to.pipe_instructions, from.pipe_instructions);
  add_array(to.pipe_busy_cycles, from.pipe_busy_cycles);
  add_array(to.flops, from.flops);
  to.sm_active_cycles.resize(std::max(to.sm_active_cycles.size(), from.sm_active_cycles.size()));
  for (std::size_t i = 0; i < from.sm_active_cycles.size(); ++i) {
    to.sm_active_cycles[i] += from.sm_active_cycles[i];
  }
}

KernelResult without_instructions(const KernelCounts& counts) {
  KernelResult out;
  static_cast<KernelCounts&>(out) = counts;
  return out;
}

void add_lines(LineSums& lines, const std::vector<stats::PcResult>& pcs) {
  for (const stats::PcResult& pc : pcs) {
    lines[report::line_key(pc)].add(pc);
  }
}

}  // namespace

Grouped group(const stats::Result& result) {
  Grouped out;
  static_cast<stats::RunFacts&>(out.by_name) = result;
  static_cast<stats::RunFacts&>(out.total) = result;
  std::unordered_map<std::string_view, std::size_t> index;  // only looked up: the order is that of the launches
  for (const KernelResult& kernel : result.kernels) {
    const auto [at, is_new] = index.try_emplace(kernel.name, out.groups.size());
    if (is_new) {
      out.groups.push_back({kernel.name});
      out.by_name.kernels.push_back(without_instructions(kernel));
    } else {
      add_launch(out.by_name.kernels[at->second], kernel);
    }
    Group& group = out.groups[at->second];
    ++group.launches;
    add_lines(group.lines, kernel.pcs);
  }
  out.total.kernels.emplace_back();
  for (std::size_t i = 0; i < out.by_name.kernels.size(); ++i) {
    KernelResult& total = out.total.kernels.front();
    const KernelResult& one = out.by_name.kernels[i];
    if (i == 0) {
      total = one;
    } else {
      add_launch(total, one);
    }
  }
  return out;
}

bool is_of_launch(const report::KernelColumn& column) {
  static constexpr std::array<std::string_view, 4> kOthers{"registers_per_thread", "shared_bytes_per_cta",
                                                           "local_bytes_per_thread", "waves"};
  return (column.path.starts_with("occupancy.") && column.path != "occupancy.achieved_pct") ||
         std::ranges::find(kOthers, column.path) != kOthers.end();
}

report::Value common_value(const stats::Result& result, const report::KernelColumn& column) {
  // Rounds of CTAs follow from the GPU, which the counts alone do not know.
  if (result.kernels.empty() || column.path == "waves") {
    return {};
  }
  const auto value_of = [&column](const KernelResult& kernel) { return column.get(report::KernelView(kernel, {})); };
  const report::Value first = value_of(result.kernels.front());
  const bool is_common =
      std::ranges::all_of(result.kernels, [&](const KernelResult& kernel) { return value_of(kernel) == first; });
  return is_common ? first : report::Value();
}

}  // namespace gpusim::compare
