// SPDX-License-Identifier: MIT
// Where shared and local memory lie in the generic address space. A thread's own are seen there; whose they are the
// address does not say. Each window has 4 GiB, as code takes only the upper half of its address (SR_SWINHI).
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace gpusim::exec {

inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;
inline constexpr Address kLocalWindow = Address{0x7ffd} << 32;
inline constexpr Address kSharedWindow = Address{0x7ffe} << 32;
/// Constant bank 0 from its begin on: where tensor maps lie that are parameters.
inline constexpr Address kParameterWindow = Address{0x7ffc} << 32;

/// In shared addresses of a cluster: the bits from here on are the rank of the CTA (measured on code of ptxas 13.0).
inline constexpr unsigned kRankShift = 24;
[[nodiscard]] constexpr std::uint32_t rank_in(Address shared) {
  return static_cast<std::uint32_t>(shared >> kRankShift);
}
[[nodiscard]] constexpr Address offset_in(Address shared) {
  return shared & ((Address{1} << kRankShift) - 1);
}

[[nodiscard]] constexpr bool in_window(Address address, Address window) {
  return address - window < kWindowBytes;
}

}  // namespace gpusim::exec
