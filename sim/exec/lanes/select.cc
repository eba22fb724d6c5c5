// SPDX-License-Identifier: MIT
#include "sim/exec/lanes/families.h"

namespace gpusim::exec {

std::vector<std::span<const LowerRow>> lane_families() {
#ifdef GPUSIM_WIDE_LANES
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
      __builtin_cpu_supports("bmi2") != 0) {
    return wide::families();
  }
#endif
  return baseline::families();
}

}  // namespace gpusim::exec
