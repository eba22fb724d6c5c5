// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpusim::mem::map {
class AddressMap;
}

namespace gpusim::sm {

/// Where this SM stands in the machine.
struct SmPlace {
  std::uint16_t index = 0;
  std::uint32_t l2_half = 0;          ///< the half of L2 that is near
  std::uint32_t request_credits = 0;  ///< places in its FIFO at the GPC router; 0: no back-pressure
  const mem::map::AddressMap* map = nullptr;
};

}  // namespace gpusim::sm
