// SPDX-License-Identifier: MIT
// What the tokens of an SM's requests mean when they come back with a reply or an acknowledgement.
#pragma once

#include <cstdint>

namespace gpusim::sm {

/// Reply tokens from here on name an outstanding load (of an atomic), below it an MSHR.
inline constexpr std::uint32_t kLoadToken = 0x80000000U;
/// And from here up to there a command of the TMA.
inline constexpr std::uint32_t kTmaToken = 0x40000000U;
/// Write tokens are a warp and its tenant, so that they lie below kTmaToken.
inline constexpr std::uint32_t kMostTenant = (kTmaToken >> 16U) - 1;
/// No warp waits for a line that had to leave L1.
inline constexpr std::uint32_t kWriteBackToken = kTmaToken - 1;

[[nodiscard]] constexpr bool is_of_tma(std::uint32_t token) {
  return token >= kTmaToken && token < kLoadToken;
}

}  // namespace gpusim::sm
