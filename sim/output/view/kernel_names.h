// SPDX-License-Identifier: MIT
// The kernels of a run by name: how often each was launched, and how long it took.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/output/view/view.h"

namespace gpusim::report {

struct KernelNameRow {
  std::string_view name;
  std::uint64_t instances = 0;
  double time_pct = 0;  ///< share of the time of all kernels
  double total_us = 0;
  double average_us = 0;
  double median_us = 0;
  double least_us = 0;
  double most_us = 0;
  double deviation_us = 0;  ///< standard deviation of a sample; 0 for one instance
};

/// The longest in total first, names of equal time in order of the run.
[[nodiscard]] std::vector<KernelNameRow> kernels_by_name(const View& view);

}  // namespace gpusim::report
