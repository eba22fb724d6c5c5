// SPDX-License-Identifier: MIT
// Which lines of a partition go to a slice together. With one line per share, each line is a share. With more, the two
// halves of a share lie in neighbouring slices: of four half shares, the first and the last are in one slice, the
// others in the next one. Measured on H100 by reductions on small areas (micro/l2/spread): 256 bytes lie in one slice,
// 512 and 1,024 in two, 2,048 in four, 4,096 in eight.
#pragma once

#include <bit>
#include <cstdint>

namespace gpusim::mem::map {

class SliceShare {
 public:
  SliceShare() = default;
  /// `lines` of a share: a power of two.
  explicit SliceShare(std::uint64_t lines)
      : line_bits_(static_cast<unsigned>(std::countr_zero(lines))), half_bits_(line_bits_ == 0 ? 0 : line_bits_ - 1) {}

  [[nodiscard]] unsigned line_bits() const { return line_bits_; }

  /// The number of the share that has `line`, a line's number in its partition.
  [[nodiscard]] std::uint64_t share_of(std::uint64_t line) const { return (line >> line_bits_) ^ is_upper_half(line); }
  /// The line's number in its slice, which has `shares` before the line's own.
  [[nodiscard]] std::uint64_t line_in_slice(std::uint64_t shares, std::uint64_t line) const {
    return shares << line_bits_ | (line & mask());
  }

  /// Inverses: from the number of a line in its slice, and of its share in the partition.
  [[nodiscard]] std::uint64_t share_number(std::uint64_t slice_line) const { return slice_line >> line_bits_; }
  [[nodiscard]] std::uint64_t line_of(std::uint64_t share, std::uint64_t slice_line) const {
    return (share ^ is_upper_half(slice_line)) << line_bits_ | (slice_line & mask());
  }
  [[nodiscard]] std::uint64_t first_line(std::uint64_t share) const { return share << line_bits_; }

  /// The bits of a line that make up these bits of its share's number, and those of its place in the share.
  [[nodiscard]] std::uint64_t lines_of(std::uint64_t share_bits) const { return share_bits << line_bits_ | mask(); }

 private:
  [[nodiscard]] std::uint64_t mask() const { return (std::uint64_t{1} << line_bits_) - 1; }
  /// 1 or 0; 0 where a share has one line.
  [[nodiscard]] std::uint64_t is_upper_half(std::uint64_t line) const { return (line & mask()) >> half_bits_; }

  unsigned line_bits_ = 0;
  unsigned half_bits_ = 0;  ///< bits of the number of the lines of half a share
};

}  // namespace gpusim::mem::map
