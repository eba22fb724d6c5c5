// SPDX-License-Identifier: MIT
// What is in the caches when a kernel begins: a choice of the user who runs it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpusim {

enum class CacheState : std::uint8_t {
  kCold,          ///< nothing before the first kernel; later ones find in L2 what is left there
  kWarm,          ///< each kernel's addresses go through L2 in an untimed pass before it
  kFlushBetween,  ///< nothing, before each kernel: what Nsight Compute measures with --cache-control all
  kDirty          ///< L2 is full of lines of other addresses before the first kernel, as many modified as it may hold:
                  ///< what is left when a benchmark overwrites a buffer to clear the cache (nvbench, Triton's do_bench)
};

/// By CacheState.
inline constexpr std::array<std::string_view, 4> kCacheStates{"cold", "warm", "flush-between", "dirty"};

[[nodiscard]] constexpr std::string_view cache_state_text(CacheState state) {
  return kCacheStates[static_cast<std::size_t>(state)];
}
/// The state that `text` names; warm when it names none of kCacheStates.
[[nodiscard]] constexpr CacheState cache_state_of(std::string_view text) {
  for (std::size_t i = 0; i < kCacheStates.size(); ++i) {
    if (kCacheStates[i] == text) {
      return static_cast<CacheState>(i);
    }
  }
  return CacheState::kWarm;
}

}  // namespace gpusim
