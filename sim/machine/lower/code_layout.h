// SPDX-License-Identifier: MIT
// Where a kernel's instructions lie, for the instruction caches: 16 bytes each, eight a line, as on Volta and later.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::lower {

inline constexpr std::uint32_t kInstrBytes = 16;
inline constexpr std::uint32_t kInstrsPerLine = static_cast<std::uint32_t>(kLineBytes) / kInstrBytes;

struct CodeLayout {
  /// By instruction: its place in units of 16 bytes from the first line of the kernel's code.
  std::vector<std::uint32_t> places;
  std::uint32_t lines = 0;  ///< from the first to the last, gaps included
};

/// Recorded program counters where they can be addresses of code, so that what was never executed keeps its room; else
/// one instruction after the other.
[[nodiscard]] CodeLayout layout_of(const trace::Kernel& kernel);

}  // namespace gpusim::lower
