// SPDX-License-Identifier: MIT
// Which of our columns and rules Nsight Compute has, too, and what it calls them.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/output/report/columns.h"

namespace gpusim::report {

struct NcuRow {
  std::string_view path;  ///< path of our column
  NcuMetric metric;
};

/// In the order of the profiler's details page; of the run, such as the number of SMs, and of kernels.
[[nodiscard]] std::span<const NcuRow> ncu_rows();

/// A rule of ours in the profiler's words.
struct NcuRule {
  std::string_view id;       ///< advice::Rule::id
  std::string_view section;  ///< section of the profiler that says such things
  std::string_view name;     ///< name of the profiler's rule; ours where it has none
};

/// One for each of advice::rules().
[[nodiscard]] std::span<const NcuRule> ncu_rules();

/// Writes the names into the columns that have one.
template <class Column>
void name_as_ncu(std::vector<Column>& columns) {
  for (const NcuRow& row : ncu_rows()) {
    for (Column& column : columns) {
      if (column.path == row.path) {
        column.ncu = row.metric;
      }
    }
  }
}

}  // namespace gpusim::report
