// SPDX-License-Identifier: MIT
// The sizes that loads and stores name.
#pragma once

#include <cstdint>

#include "sim/code/sass/modifiers.h"

namespace gpusim::exec {

[[nodiscard]] constexpr unsigned rows_of(sass::Size size) {
  return bytes_of(size) <= 4 ? 1 : bytes_of(size) / 4;
}

/// A loaded word, which has zeros above what was loaded, with the sign that its size asks for.
[[nodiscard]] constexpr std::uint32_t extended(sass::Size size, std::uint32_t word) {
  switch (size) {
    case sass::Size::kS8: return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int8_t>(word)));
    case sass::Size::kS16:
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(word)));
    default: return word;
  }
}

}  // namespace gpusim::exec
