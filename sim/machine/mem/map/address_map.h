// SPDX-License-Identifier: MIT
// Where a line lives: its home memory partition, the L2 slice there and the DRAM pseudo-channel behind it. One-to-one
// for any counts (80 slices, 12 partitions, 5 stacks), and hashed so that no stride favours a slice or a channel.
#pragma once

#include <cstdint>

#include "sim/base/divider.h"
#include "sim/base/types.h"
#include "sim/machine/mem/map/interleaver.h"
#include "sim/machine/mem/map/line_hash.h"
#include "sim/machine/mem/map/slice_share.h"

namespace gpusim::arch {
struct L2Config;
}  // namespace gpusim::arch

namespace gpusim::mem::map {

/// The home of a line. Slices and channels are numbered over the whole GPU, partition by partition; the two line
/// numbers are dense within their slice and their channel.
struct Place {
  std::uint32_t partition = 0;
  std::uint32_t slice = 0;
  std::uint32_t channel = 0;
  std::uint64_t slice_line = 0;
  std::uint64_t channel_line = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// Which slice an SM asks for a line, and whether that keeps copies for the line's home in the other half.
struct NearSlice {
  std::uint32_t slice = 0;
  bool is_mirror = false;
};
struct NearLine {
  NearSlice near;
  std::uint64_t slice_line = 0;
};
/// Where a line is in DRAM: a channel over the whole GPU, and the line's dense number there.
struct ChannelLine {
  std::uint32_t channel = 0;
  std::uint64_t line = 0;
};

/// `l2.interleave_bytes` consecutive bytes share a partition; inside it shares of lines (slice_share.h) go round its
/// slices and, independently, single lines round its channels. Every round is a permutation (one-to-one, and exact
/// balance for consecutive lines); which one is told by a hash of the line and by digits of the round's number
/// (interleaver.h, line_hash.h), so that strides spread evenly too. What real GPUs do is not published; that 8 KiB
/// alternate between the halves is measured (Jia & Van Sandt 2021).
class AddressMap {
 public:
  /// No count is zero, and they divide: slices and channels by partitions, partitions by halves, interleave_bytes by
  /// slice_share_bytes, which is a power of two, and both by the line.
  AddressMap(const arch::L2Config& l2, std::uint32_t channels);

  /// The place of the line that holds `address`, which may be any byte of it.
  [[nodiscard]] Place locate(Address address) const;
  [[nodiscard]] std::uint32_t home_partition(Address address) const;
  [[nodiscard]] std::uint32_t home_slice(Address address) const;

  /// The slice an SM of `half` asks: the home, or its mirror when the home is in the other half.
  [[nodiscard]] NearSlice near_slice(Address address, std::uint32_t half) const {
    return near_line(address, half).near;
  }
  /// The same, and the line's number in its slice.
  [[nodiscard]] NearLine near_line(Address address, std::uint32_t half) const;
  /// Parts of locate(): the line's number in its slice, which takes no hash; its channel, and its number there.
  [[nodiscard]] std::uint64_t slice_line(Address address) const {
    const std::uint64_t line = local_line(address);
    return share_.line_in_slice(to_slice_.number_of(share_.share_of(line)), line);
  }
  [[nodiscard]] ChannelLine channel_line(Address address) const;

  /// Inverses of locate(): the line address of a slice's or a channel's line.
  [[nodiscard]] Address address_in_slice(std::uint32_t slice, std::uint64_t slice_line) const;
  [[nodiscard]] Address address_in_channel(std::uint32_t channel, std::uint64_t channel_line) const;

  /// Partitions 0 .. P/2-1 are half 0, the others half 1.
  [[nodiscard]] std::uint32_t half_of_partition(std::uint32_t partition) const {
    return halves_ == 2 && partition >= partitions_ / 2 ? 1 : 0;
  }
  /// The slice that holds the copies of `slice`'s lines for the other half (itself when there is one half).
  [[nodiscard]] std::uint32_t mirror_slice(std::uint32_t slice) const {
    const std::uint32_t half = partitions_ / 2 * slices_each_;
    return halves_ == 1 ? slice : slice < half ? slice + half : slice - half;
  }
  [[nodiscard]] std::uint32_t partition_of_slice(std::uint32_t slice) const { return slice / slices_each_; }
  [[nodiscard]] std::uint32_t partitions() const { return partitions_; }
  [[nodiscard]] std::uint32_t slices() const { return partitions_ * slices_each_; }
  [[nodiscard]] std::uint32_t slices_per_partition() const { return slices_each_; }
  [[nodiscard]] std::uint32_t channels_per_partition() const { return channels_each_; }
  [[nodiscard]] std::uint32_t halves() const { return halves_; }

 private:
  /// A partition and the line's number in it.
  struct Local {
    std::uint32_t partition = 0;
    std::uint64_t line = 0;
  };
  /// `hash` is hash_.of(line), here and below.
  [[nodiscard]] Local localise(std::uint64_t line, const LineHash& hash) const;
  /// The line's number in its partition.
  [[nodiscard]] std::uint64_t local_line(Address address) const;
  [[nodiscard]] std::uint64_t globalise(const Local& local) const;
  [[nodiscard]] Round slice_in(const Local& local, const LineHash& hash) const {
    const Round round = to_slice_.assign(share_.share_of(local.line), hash.slice());
    return {round.place, share_.line_in_slice(round.number, local.line)};
  }
  [[nodiscard]] Round channel_in(const Local& local, const LineHash& hash) const {
    return to_channel_.assign(local.line, hash.channel());
  }

  std::uint32_t halves_ = 1;
  std::uint32_t partitions_ = 1;
  std::uint32_t slices_each_ = 1;
  std::uint32_t channels_each_ = 1;
  Divider by_chunk_;              ///< lines
  unsigned chunk_bits_ = 0;       ///< low bits of a line's number that are those of its place in the chunk
  bool is_chunk_hashed_ = false;  ///< by hash_; not where its lines are not a power of two, or very many
  PlaceHash hash_;
  SliceShare share_;
  Interleaver to_partition_;
  Interleaver to_slice_;
  Interleaver to_channel_;
};

inline AddressMap::Local AddressMap::localise(std::uint64_t line, const LineHash& hash) const {
  if (is_chunk_hashed_) [[likely]] {
    const Round round = to_partition_.assign(line >> chunk_bits_, hash.partition());
    const std::uint64_t in_chunk = line & (by_chunk_.divisor() - 1);
    return {round.place, round.number << chunk_bits_ | in_chunk};
  }
  const std::uint64_t chunk = by_chunk_.quotient(line);
  const LineHash of_chunk((chunk & ~to_partition_.free_bits()) << chunk_bits_);
  const Round round = to_partition_.assign(chunk, of_chunk.partition());
  return {round.place, round.number * by_chunk_.divisor() + (line - chunk * by_chunk_.divisor())};
}

inline NearLine AddressMap::near_line(Address address, std::uint32_t half) const {
  const std::uint64_t line = address / kLineBytes;
  const LineHash hash = hash_.of(line);
  const Local local = localise(line, hash);
  const Round round = slice_in(local, hash);
  const std::uint32_t home = local.partition * slices_each_ + round.place;
  const bool is_far = halves_ == 2 && half_of_partition(local.partition) != half;
  return {{is_far ? mirror_slice(home) : home, is_far}, round.number};
}

inline std::uint64_t AddressMap::local_line(Address address) const {
  const std::uint64_t line = address / kLineBytes;
  const std::uint64_t chunk = is_chunk_hashed_ ? line >> chunk_bits_ : by_chunk_.quotient(line);
  return to_partition_.number_of(chunk) * by_chunk_.divisor() + (line - chunk * by_chunk_.divisor());
}

}  // namespace gpusim::mem::map
