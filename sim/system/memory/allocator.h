// SPDX-License-Identifier: MIT
// PyTorch's caching allocator of GPU memory with its default settings: what a program that allocates and frees tensors
// holds of the GPU. Segments belong to the stream that asked for them, and do not serve others. Source:
// c10/cuda/CUDACachingAllocator.cpp of PyTorch 2.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace gpusim::memory {

/// Who asks: kernels of the model, or reductions over GPUs beside them.
enum class Stream : std::uint8_t { kCompute, kReduction };

/// Bytes, as torch.cuda.memory_allocated() and its kin count them.
struct AllocatorStats {
  std::uint64_t allocated = 0;  ///< in blocks that are in use, their rounding included
  std::uint64_t reserved = 0;   ///< in segments taken from the driver
  std::uint64_t peak_allocated = 0;
  std::uint64_t peak_reserved = 0;
  std::uint64_t retries = 0;  ///< times that cached segments were given back because the driver had no memory left
  friend bool operator==(const AllocatorStats&, const AllocatorStats&) = default;
};

class CachingAllocator {
 public:
  static constexpr std::uint64_t kRounding = 512;              ///< sizes are multiples of it
  static constexpr std::uint64_t kLargestSmall = 1024 * 1024;  ///< above, a block is of the large pool
  static constexpr std::uint64_t kSmallSegment = 2 * 1024 * 1024;
  static constexpr std::uint64_t kLargeSegment = 20 * 1024 * 1024;
  static constexpr std::uint64_t kOwnSegment = 10 * 1024 * 1024;  ///< from here on a block gets its own segment
  static constexpr std::uint64_t kSegmentRounding = 2 * 1024 * 1024;

  /// A block in use: its address in a space of the allocator's own.
  using Block = std::uint64_t;

  /// `driver_bytes`: what the driver can give.
  explicit CachingAllocator(std::uint64_t driver_bytes) : driver_bytes_(driver_bytes) {}

  /// A block of at least as many bytes; nothing when it does not fit even after cached segments went back.
  [[nodiscard]] std::optional<Block> allocate(std::uint64_t bytes, Stream stream = Stream::kCompute);
  /// Takes a block back into the cache, joined with free neighbours of its segment.
  void free(Block block);
  /// Gives segments without a block in use back to the driver.
  void empty_cache();

  [[nodiscard]] const AllocatorStats& stats() const { return stats_; }
  [[nodiscard]] std::uint64_t size_of(Block block) const { return parts_.at(block).bytes; }
  /// What the driver has left.
  [[nodiscard]] std::uint64_t driver_free() const { return driver_bytes_ - stats_.reserved; }
  /// Bytes that the allocator asks the driver for, for a block of this size that no cached one can serve.
  [[nodiscard]] static std::uint64_t segment_bytes(std::uint64_t bytes);
  [[nodiscard]] static std::uint64_t rounded(std::uint64_t bytes);
  /// The largest free block of the cache.
  [[nodiscard]] std::uint64_t largest_cached() const;

 private:
  /// A part of a segment; parts of one segment follow each other.
  struct Part {
    std::uint64_t bytes = 0;
    bool used = false;
    bool small = false;
    Stream stream = Stream::kCompute;
    bool first = false;  ///< the first block of its segment
    bool last = false;
  };
  /// Free parts by size, then address.
  using Pool = std::set<std::pair<std::uint64_t, std::uint64_t>>;

  [[nodiscard]] Pool& pool_of(bool small, Stream stream) {
    return pools_[2 * static_cast<std::size_t>(stream) + (small ? 1 : 0)];
  }
  [[nodiscard]] Pool& pool_of(const Part& part) { return pool_of(part.small, part.stream); }
  std::optional<std::uint64_t> take_segment(std::uint64_t bytes, Stream stream);
  std::uint64_t use(std::uint64_t at, std::uint64_t bytes);
  void join_next(std::uint64_t at);

  std::uint64_t driver_bytes_;
  std::uint64_t next_address_ = 0;
  std::map<std::uint64_t, Part> parts_;  ///< by address
  std::array<Pool, 4> pools_;
  AllocatorStats stats_;
};

}  // namespace gpusim::memory
