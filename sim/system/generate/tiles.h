// SPDX-License-Identifier: MIT
// Sizes in tiles.
#pragma once

#include <cstdint>

namespace gpusim::generate {

struct Tile {
  std::uint64_t m;
  std::uint64_t n;
};

[[nodiscard]] constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

/// Tiles that cover m x n elements.
[[nodiscard]] constexpr std::uint64_t tiles_of(const Tile& tile, std::uint64_t m, std::uint64_t n) {
  return round_up(m, tile.m) / tile.m * (round_up(n, tile.n) / tile.n);
}

}  // namespace gpusim::generate
