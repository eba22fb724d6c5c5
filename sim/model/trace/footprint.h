// SPDX-License-Identifier: MIT
// Which part of its global buffers a kernel touches, counted in sectors: what the caches have to fetch at least once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/model/trace/step.h"

namespace gpusim::trace {

struct Kernel;

/// Bytes of the sectors of a buffer that were touched.
struct Touched {
  std::string buffer;  ///< empty: outside of all buffers, as everything is in a trace that knows none
  std::uint64_t bytes = 0;
  std::uint64_t of_bytes = 0;  ///< the buffer's size
};

class Footprint {
 public:
  static constexpr std::uint64_t kSectorBytes = 32;

  void touch(const LaneAddresses& at, LaneMask mask, std::uint32_t bytes);
  void touch(Address begin, std::uint64_t bytes);
  /// The buffers that were touched, in their order of declaration; what lies in none comes last.
  [[nodiscard]] std::vector<Touched> by_buffer(const Kernel& kernel) const;

 private:
  /// 128 KiB of memory, one bit per sector.
  using Chunk = std::array<std::uint64_t, 64>;
  static constexpr std::uint64_t kChunkSectors = 64 * 64;

  void mark(std::uint64_t sector);

  std::map<std::uint64_t, Chunk> chunks_;  ///< by the number of their first sector / kChunkSectors
  std::uint64_t recent_ = ~std::uint64_t{0};
  Chunk* recent_chunk_ = nullptr;
};

}  // namespace gpusim::trace
