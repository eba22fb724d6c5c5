// SPDX-License-Identifier: MIT
// What shares of a peak are made of. Whatever divides by zero is zero: nothing happened, so nothing was used.
#pragma once

#include "sim/model/stats/result.h"

namespace gpusim::stats {

[[nodiscard]] inline double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0.0;
}

[[nodiscard]] inline double percent(double part, double whole) {
  return 100.0 * ratio(part, whole);
}

[[nodiscard]] inline double elapsed_sm_cycles(const Result& result, const KernelResult& kernel) {
  return static_cast<double>(kernel.cycles) * result.machine.sms;
}

/// Sub-core cycles of the whole run: what a pipe of every sub-core could have worked.
[[nodiscard]] inline double elapsed_sub_core_cycles(const Result& result, const KernelResult& kernel) {
  return elapsed_sm_cycles(result, kernel) * result.machine.sub_cores_per_sm;
}

[[nodiscard]] inline double elapsed_slice_cycles(const Result& result, const KernelResult& kernel) {
  return static_cast<double>(kernel.cycles) * result.machine.l2_slices;
}

}  // namespace gpusim::stats
