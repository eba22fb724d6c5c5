// SPDX-License-Identifier: MIT
// Prefixes of units.
#pragma once

#include <cstdint>

namespace gpusim {

inline constexpr std::uint64_t kKi = 1024;
inline constexpr std::uint64_t kMi = kKi * kKi;
inline constexpr std::uint64_t kGi = kMi * kKi;
inline constexpr std::uint64_t kTi = kGi * kKi;

inline constexpr std::uint64_t kKilo = 1000;
inline constexpr std::uint64_t kMega = kKilo * kKilo;
inline constexpr std::uint64_t kGiga = kMega * kKilo;
inline constexpr std::uint64_t kTera = kGiga * kKilo;
inline constexpr std::uint64_t kPeta = kTera * kKilo;

}  // namespace gpusim
