// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sim/machine/mem/dram/timing_table.h"

namespace gpusim::mem::dram {

/// A read whose last data has left the bus at `clock`.
struct Arrival {
  std::uint32_t token = 0;
  Clock clock = 0;
};

}  // namespace gpusim::mem::dram
