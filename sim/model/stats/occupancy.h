// SPDX-License-Identifier: MIT
// How many CTAs of a launch an SM holds, and what limits them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gpusim::stats {

enum class Limiter : std::uint8_t { kWarps, kRegisters, kSharedMem, kBlocks, kBarriers };
inline constexpr std::array<std::string_view, 5> kLimiterNames{"warps", "registers", "shared_mem", "blocks",
                                                               "barriers"};

/// What a kernel's author can turn: threads a CTA, registers a thread, bytes of shared memory a CTA, barriers a CTA.
enum class Knob : std::uint8_t { kBlock, kRegisters, kSharedMem, kBarriers };
inline constexpr std::array<std::string_view, 4> kKnobNames{"block", "registers", "shared_mem", "barriers"};

struct Occupancy {
  std::uint32_t ctas_per_sm = 0;
  std::uint32_t warps_per_cta = 0;
  std::uint32_t max_warps_per_sm = 0;
  std::array<std::uint32_t, 5> limit{};     ///< CTAs a SM each Limiter alone would allow; 0xffffffff: no limit
  std::vector<Limiter> limiters;            ///< those equal to the minimum
  std::uint64_t shared_carveout_bytes = 0;  ///< part of the SM's unified memory that is shared memory
  std::uint64_t l1_bytes = 0;               ///< what is left for L1
  std::uint64_t resident_clusters = 0;      ///< that the GPU holds at once; 0: the launch has none
  [[nodiscard]] double theoretical_pct() const {
    return max_warps_per_sm == 0 ? 0.0 : 100.0 * ctas_per_sm * warps_per_cta / max_warps_per_sm;
  }
};

}  // namespace gpusim::stats
