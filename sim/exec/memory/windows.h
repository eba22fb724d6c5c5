// SPDX-License-Identifier: MIT
// Where shared and local memory lie in the generic address space. A thread's own are seen there; whose they are the
// address does not say. Each window has 4 GiB, as code takes only the upper half of its address (SR_SWINHI).
#pragma once

#include <cstdint>

#include "sim/base/address_space.h"
#include "sim/base/types.h"

namespace gpusim::exec {

inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;
inline constexpr Address kLocalWindow = Address{0x7ffd} << 32;
inline constexpr Address kSharedWindow = Address{0x7ffe} << 32;
/// Constant bank 0 from its begin on: where tensor maps lie that are parameters.
inline constexpr Address kParameterWindow = Address{0x7ffc} << 32;

/// A shared address of a cluster names the rank of the CTA, and the bytes into its shared memory.
[[nodiscard]] constexpr std::uint32_t rank_in(Address shared) {
  return static_cast<std::uint32_t>(shared >> kRankBit);
}
[[nodiscard]] constexpr Address offset_in(Address shared) {
  return shared & ((Address{1} << kRankBit) - 1);
}

[[nodiscard]] constexpr bool in_window(Address address, Address window) {
  return address - window < kWindowBytes;
}

}  // namespace gpusim::exec
