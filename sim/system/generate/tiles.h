// SPDX-License-Identifier: MIT
// Sizes in tiles.
#pragma once

#include <cstdint>

#include "sim/base/rounding.h"

namespace gpusim::generate {

struct Tile {
  std::uint64_t m;
  std::uint64_t n;
};

/// Tiles that cover m x n elements.
[[nodiscard]] constexpr std::uint64_t tiles_of(const Tile& tile, std::uint64_t m, std::uint64_t n) {
  return ceil_divide(m, tile.m) * ceil_divide(n, tile.n);
}

}  // namespace gpusim::generate
