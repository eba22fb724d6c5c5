// SPDX-License-Identifier: MIT
// How the addresses of a warp's lanes lie to one another, by number. A divergent recording has one for almost every
// access, so they are packed; those that many accesses have are also kept as they are used.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/types.h"

namespace gpusim::trace {

template <class T>
class SequenceInterner;

/// Bytes from the first address, by lane; 0 of lanes without one.
using LaneOffsets = std::array<std::int64_t, kWarpLanes>;

/// Offsets as few words: a mask of the lanes that have one other than 0, then those, in a word each, or each in two
/// where one takes more than 32 bits. Equal offsets have equal words.
class PackedOffsets {
 public:
  explicit PackedOffsets(const LaneOffsets& offsets);
  [[nodiscard]] std::span<const std::uint32_t> words() const { return {words_.data(), size_}; }

 private:
  std::array<std::uint32_t, 1 + 2 * kWarpLanes> words_{};
  std::size_t size_ = 1;
};
[[nodiscard]] LaneOffsets unpacked(std::span<const std::uint32_t> words);

class LanePatterns {
 public:
  LanePatterns() = default;
  /// What was interned as PackedOffsets; the interner is empty afterwards.
  explicit LanePatterns(SequenceInterner<std::uint32_t>& packed);

  void add(const LaneOffsets& offsets);
  /// From now on a pattern, given by its number, is at hand unpacked.
  void unpack(std::uint32_t id);
  /// The offsets of a pattern; of one that is packed, valid until the thread's next call.
  [[nodiscard]] const LaneOffsets& at(std::uint32_t id) const {
    const Place place = places_[id];
    return place.count == 0 ? unpacked_[place.first] : unpacked_now(place);
  }
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Where a pattern is: in words_, or with a count of 0 in unpacked_.
  struct Place {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  [[nodiscard]] const LaneOffsets& unpacked_now(const Place& place) const;

  std::vector<Place> places_;  ///< by number
  std::vector<std::uint32_t> words_;
  std::vector<LaneOffsets> unpacked_;
};

}  // namespace gpusim::trace
