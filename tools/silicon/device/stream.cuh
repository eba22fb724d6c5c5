// SPDX-License-Identifier: MIT
// Streams through global memory, tile after tile: what bandwidths are measured with. A tile is what a warp moves
// between two waits: `loads` accesses of 16 bytes a lane, 512 bytes each, all issued before the first is used. Tiles
// are dealt to the warps of the grid in turn and begin again at the first when all have been dealt.
#pragma once

#include <cstdint>

#include "tools/silicon/device/chase.cuh"

namespace gpusim::silicon {

enum class Move { Read, Write, Copy, Update };

[[nodiscard]] const char* to_text(Move move);
/// How often each byte of a stream crosses the memory's pins.
[[nodiscard]] double bytes_per_byte(Move move);

inline constexpr std::uint32_t kAccessBytes = 512;  // of a warp

/// `memory` holds the tiles; a copy writes to `memory` from `source`. An update adds one to each word; it is only right
/// when no tile is dealt twice at once.
struct Stream {
  Move move = Move::Read;
  Path path = Path::L2;     ///< of loads
  std::uint32_t loads = 4;  ///< 1, 2, 4 or 8 a lane
  std::uint32_t tiles = 0;
  std::uint32_t rounds = 1;  ///< tiles that each warp moves
  std::uint32_t first_tile = 0;
  LaunchConfig config{};
  void* memory = nullptr;
  const void* source = nullptr;
  std::uint32_t* sums = nullptr;       ///< one word per warp: sum of the words it read
  std::uint32_t* sm_of_cta = nullptr;  ///< may be null

  [[nodiscard]] std::uint32_t tile_bytes() const { return loads * kAccessBytes; }
  [[nodiscard]] std::uint32_t warps() const { return config.grid.x * config.block.x / 32; }
  [[nodiscard]] std::uint64_t moved_tiles() const { return std::uint64_t{warps()} * rounds; }
  [[nodiscard]] double bytes() const { return static_cast<double>(moved_tiles()) * tile_bytes(); }
};

/// One launch. Does not wait.
void launch_stream(const Stream& stream);
[[nodiscard]] LaunchFacts stream_facts(const Stream& stream);
/// CTAs of this kernel that fit an SM.
[[nodiscard]] std::uint32_t stream_ctas_per_sm(const Stream& stream);
/// Whether the GPU has a place for one of the stream's clusters. From Hopper on.
[[nodiscard]] bool stream_cluster_fits(const Stream& stream);
/// Rounds in which the stream's warps move about `bytes` in all.
[[nodiscard]] std::uint32_t rounds_for(const Stream& stream, double bytes);

/// Launches once, from tile 0, and compares with another kernel's word: the sum of what was read, the words that stand
/// where they were written.
[[nodiscard]] bool verify_stream(Session& session, Stream stream, const Params& params);

/// Sum of 32-bit words, modulo 2^32.
[[nodiscard]] std::uint32_t sum_of_words(const void* memory, std::uint64_t bytes);

/// Bandwidth in GB/s, of bytes as bytes_per_byte() counts them. The next sample goes on where the last one ended, so
/// that a set much larger than the L2 never leaves anything in it for the next.
[[nodiscard]] Sampled sample_stream(Session& session, Stream& stream, const Repeat& repeat);

}  // namespace gpusim::silicon
