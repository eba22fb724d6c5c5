// SPDX-License-Identifier: MIT
// Launches added up: a sum is a kernel of its own, so that every formula of docs/metrics.md holds for it, too.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "sim/model/stats/result.h"
#include "sim/output/report/columns.h"
#include "sim/output/view/instruction.h"
#include "sim/output/view/line_counts.h"

namespace gpusim::compare {

using LineSums = std::map<report::LineKey, report::LineCounts>;

/// One name's launches, and its lines.
struct Group {
  std::string_view name;
  std::size_t launches = 0;
  LineSums lines{};
};

/// A result by the names of its kernels. The Result that it was made of has to outlive it.
struct Grouped {
  stats::Result by_name;      ///< one kernel per group: the sum of its launches, without instructions
  stats::Result total;        ///< one kernel: the sum of all
  std::vector<Group> groups;  ///< groups of by_name.kernels, in the order of their first launch
};

[[nodiscard]] Grouped group(const stats::Result& result);

/// The value that all kernels of a result have, nothing when they differ; of what a launch has and a sum has not.
[[nodiscard]] report::Value common_value(const stats::Result& result, const report::KernelColumn& column);
/// Whether a column says something of a launch that does not add up, such as its registers.
[[nodiscard]] bool is_of_launch(const report::KernelColumn& column);

}  // namespace gpusim::compare
