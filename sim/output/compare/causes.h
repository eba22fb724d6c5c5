// SPDX-License-Identifier: MIT
// Why a result is faster or slower than another: numbers that have to do with time, and changed.
#pragma once

#include <vector>

#include "sim/output/view/view.h"

namespace gpusim::compare {

struct Cause;

/// A result as its causes are found: all its kernels together.
struct Summed {
  const report::View& view;  ///< view of one kernel, the sum of all
  stats::PcCounters code;    ///< summed over all instructions

  [[nodiscard]] const report::KernelView& kernel() const { return view.kernels.front(); }
};

/// Most weight first.
[[nodiscard]] std::vector<Cause> causes_of(const Summed& first, const Summed& second);

}  // namespace gpusim::compare
