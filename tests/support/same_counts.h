// SPDX-License-Identifier: MIT
// Whether two runs of a kernel issued the same instructions for the same lanes, with the same waits.
#pragma once

#include <string>

#include "sim/model/stats/result.h"

namespace gpusim::testing {

/// Which count differs first: the cycles, those of the SMs and of their fetch, or one of an instruction; "" when none
/// does.
[[nodiscard]] std::string count_difference(const stats::KernelResult& a, const stats::KernelResult& b);

}  // namespace gpusim::testing
