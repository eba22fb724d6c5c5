// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace gpusim::sm {

/// When a dependence was met, and by the operation of which instruction (an index).
struct Release {
  Cycle at = 0;
  std::uint32_t producer = 0;

  void put_off(const Release& other) {
    if (other.at > at) {
      *this = other;
    }
  }
};

}  // namespace gpusim::sm
