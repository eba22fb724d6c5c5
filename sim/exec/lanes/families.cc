// SPDX-License-Identifier: MIT
#include "sim/exec/lanes/families.h"

#include "sim/exec/lanes/rows.h"

namespace gpusim::exec::GPUSIM_LANES {

std::vector<std::span<const LowerRow>> families() {
  return {integer_rows(), logic_rows(),    float_rows(),  half_rows(),
          double_rows(),  function_rows(), matrix_rows(), warpgroup_rows()};
}

}  // namespace gpusim::exec::GPUSIM_LANES
