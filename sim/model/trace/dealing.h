// SPDX-License-Identifier: MIT
// Which tiles of causal attention each CTA of a persistent kernel works on: the CTA that is free first takes the next
// tile from a counter, as FlashAttention-3's scheduler lets them (Dao-AILab/flash-attention,
// hopper/tile_scheduler.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace gpusim::trace {

/// Tiles in the order in which they are taken: in sections of so many heads, a section's longest tiles first.
struct Dealing {
  std::uint32_t workers = 1;
  std::uint32_t heads = 1;
  std::uint32_t section = 1;  ///< heads of a section; the last one has what is left
  std::uint32_t blocks = 1;   ///< tiles of a head: blocks of rows
  std::uint32_t rows = 1;     ///< rows of a block
  std::uint32_t keys = 1;     ///< keys of a step; a tile has as many steps as its last row sees
  std::uint32_t most = 1;     ///< steps at most
  std::uint32_t ahead = 0;    ///< keys before the first row's own: those that there are more of than rows

  [[nodiscard]] std::uint64_t tiles() const { return std::uint64_t{heads} * blocks; }
  [[nodiscard]] std::uint64_t entries() const { return workers + 1 + 2 * tiles(); }
  /// Steps of the tile.
  [[nodiscard]] std::uint32_t steps(std::uint64_t tile) const;
};

/// `workers + 1` entries that say where a worker's tiles begin among all, then the tiles, worker by worker, then for
/// each of those how many steps its worker has done before. A tile takes as long as its steps and one more (guess:
/// filling and emptying the pipeline; the assignment hardly depends on it).
[[nodiscard]] std::vector<std::uint32_t> dealt(const Dealing& dealing);

}  // namespace gpusim::trace
