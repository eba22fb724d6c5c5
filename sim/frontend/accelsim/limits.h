// SPDX-License-Identifier: MIT
// What a kernel may claim: more is a damaged file, not a machine.
#pragma once

#include <cstdint>

namespace gpusim::frontend::accelsim {

inline constexpr std::uint64_t kMostSharedBytes = std::uint64_t{1} << 30;  ///< of a CTA
inline constexpr std::uint32_t kMostBarriers = 16;                         ///< of a CTA, on every part

}  // namespace gpusim::frontend::accelsim
