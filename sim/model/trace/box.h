// SPDX-License-Identifier: MIT
// The global memory that a bulk copy touches, row by row: a box of a tensor without what lies outside the tensor, or
// consecutive bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/model/trace/async.h"

namespace gpusim::trace {

/// Consecutive bytes.
struct BoxRow {
  Address begin = 0;
  std::uint64_t bytes = 0;
};

/// The elements of a box in one dimension that lie in the tensor; none when `first` is not before `end`.
struct BoxSpan {
  std::int64_t first = 0;
  std::int64_t end = 0;
};
/// The span of `count` elements from `at` on, which may be any number, in a tensor of `size` elements.
[[nodiscard]] constexpr BoxSpan span_in_tensor(std::int64_t at, std::uint32_t count, std::int64_t size) {
  at = std::min(at, size);  // what begins behind the tensor's end has nothing of it, nor has what begins at the end
  const std::uint64_t left = static_cast<std::uint64_t>(size) - static_cast<std::uint64_t>(at);
  return {std::max<std::int64_t>(at, 0), at + static_cast<std::int64_t>(std::min<std::uint64_t>(count, left))};
}

class BoxRows {
 public:
  BoxRows() = default;
  explicit BoxRows(const AsyncOperands& copy) : map_(copy.map), global_(copy.global) {
    if (map_ == nullptr) {
      row_ = {copy.global, copy.bytes};
      done_ = copy.bytes == 0;
      return;
    }
    for (std::uint32_t d = 0; d < map_->rank; ++d) {
      const BoxSpan span = span_in_tensor(copy.at[d], map_->box[d], map_->size[d]);
      first_[d] = span.first;
      end_[d] = span.end;
      done_ = done_ || span.first >= span.end;
    }
    at_ = first_;
    row_.bytes = done_ ? 0 : static_cast<std::uint64_t>(end_[0] - first_[0]) * map_->element_bytes;
    place();
  }

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] const BoxRow& row() const { return row_; }
  void advance() {
    done_ = true;
    for (std::uint32_t d = 1; map_ != nullptr && done_ && d < map_->rank; ++d) {
      done_ = ++at_[d] == end_[d];
      at_[d] = done_ ? first_[d] : at_[d];
    }
    place();
  }

 private:
  void place() {
    if (map_ == nullptr || done_) {
      return;
    }
    row_.begin = map_->base + global_;
    for (std::uint32_t d = 0; d < map_->rank; ++d) {
      row_.begin += static_cast<std::uint64_t>(at_[d]) * map_->stride[d];
    }
  }

  const TensorMap* map_ = nullptr;
  Address global_ = 0;
  std::array<std::int64_t, kMostTensorRank> first_{};
  std::array<std::int64_t, kMostTensorRank> end_{};
  std::array<std::int64_t, kMostTensorRank> at_{};
  BoxRow row_;
  bool done_ = false;
};

/// Sectors of the line at `line` that [begin, end) touches, and those it covers.
struct LinePart {
  Address line = 0;
  std::uint8_t sectors = 0;
  std::uint8_t full = 0;
  std::uint32_t bytes = 0;
};
[[nodiscard]] inline LinePart line_part(Address begin, Address end) {
  LinePart part;
  part.line = begin / kLineBytes * kLineBytes;
  const Address stop = std::min(end, part.line + kLineBytes);
  part.bytes = static_cast<std::uint32_t>(stop - begin);
  for (std::uint32_t s = 0; s < kLineBytes / kSectorBytes; ++s) {
    const Address low = part.line + s * kSectorBytes;
    const Address high = low + kSectorBytes;
    const auto bit = static_cast<std::uint8_t>(1U << s);
    part.sectors = static_cast<std::uint8_t>(part.sectors | (begin < high && stop > low ? bit : 0));
    part.full = static_cast<std::uint8_t>(part.full | (begin <= low && stop >= high ? bit : 0));
  }
  return part;
}

/// The lines of a copy, one after the other.
class BoxLines {
 public:
  BoxLines() = default;
  explicit BoxLines(const AsyncOperands& copy) : rows_(copy), at_(rows_.row().begin) {}
  [[nodiscard]] bool done() const { return rows_.done(); }
  [[nodiscard]] LinePart next() {
    const Address end = rows_.row().begin + rows_.row().bytes;
    const LinePart part = line_part(at_, end);
    at_ += part.bytes;
    if (at_ == end) {
      rows_.advance();
      at_ = rows_.row().begin;
    }
    return part;
  }

 private:
  BoxRows rows_;
  Address at_ = 0;
};

}  // namespace gpusim::trace
