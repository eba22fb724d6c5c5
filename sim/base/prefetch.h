// SPDX-License-Identifier: MIT
// Hints for the host's caches, which the simulated machine is larger than. They change no result.
#pragma once

#include <cstddef>

namespace gpusim::base {

/// Of the machine that simulates: x86-64 and most of Arm.
inline constexpr std::size_t kHostLineBytes = 64;

/// `bytes` from `address` on will be used soon, some of them written.
inline void prefetch(const void* address, std::size_t bytes) {
  const char* const first = static_cast<const char*>(address);
  for (std::size_t offset = 0; offset < bytes; offset += kHostLineBytes) {
    __builtin_prefetch(first + offset, 1);
  }
}

}  // namespace gpusim::base
