// SPDX-License-Identifier: MIT
// Values of a warp's lanes: a register is a row of 32 words, and a wide one is consecutive rows.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sim/base/types.h"

namespace gpusim::exec {

/// Words from one row to the next.
inline constexpr unsigned kRow = kWarpLanes;
inline constexpr std::size_t kRowAlignment = 64;

/// An address for each lane. Lanes that take no part have the address of the lowest one that does, so that loops over
/// all lanes need no mask.
struct alignas(kRowAlignment) AddressRow {
  std::array<Address, kWarpLanes> of{};
};

/// Calls `action(lane)` for each lane of the mask, the lowest first.
template <class Action>
void for_each_lane(LaneMask mask, const Action& action) {
  for (; mask != 0; mask &= mask - 1) {
    action(static_cast<unsigned>(std::countr_zero(mask)));
  }
}

/// The lowest lane of a mask that is not empty.
[[nodiscard]] inline unsigned lowest_lane(LaneMask mask) {
  return static_cast<unsigned>(std::countr_zero(mask));
}

}  // namespace gpusim::exec
