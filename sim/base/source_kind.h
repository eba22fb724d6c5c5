// SPDX-License-Identifier: MIT
// How well a value of a description is known, as its file says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpusim {

enum class SourceKind : std::uint8_t {
  kVendor,
  kMeasured,
  kInferred,
  kGuess,
  kSet,   ///< an override chose it
  kGiven  ///< its user states it, with a date
};

/// By SourceKind, as files write them.
inline constexpr std::array<std::string_view, 6> kSourceKinds{"vendor", "measured", "inferred",
                                                              "guess",  "set",      "given"};

[[nodiscard]] constexpr std::string_view source_kind_text(SourceKind kind) {
  return kSourceKinds[static_cast<std::size_t>(kind)];
}

}  // namespace gpusim
