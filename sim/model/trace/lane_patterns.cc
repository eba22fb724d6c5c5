// SPDX-License-Identifier: MIT
#include "sim/model/trace/lane_patterns.h"

#include <algorithm>
#include <bit>

#include "sim/model/trace/intern.h"

namespace gpusim::trace {

PackedOffsets::PackedOffsets(const LaneOffsets& offsets) {
  const bool is_narrow =
      std::ranges::all_of(offsets, [](std::int64_t offset) { return offset == static_cast<std::int32_t>(offset); });
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    const auto bits = static_cast<std::uint64_t>(offsets[lane]);
    if (bits != 0) {
      words_[0] |= LaneMask{1} << lane;
      words_[size_++] = static_cast<std::uint32_t>(bits);
      if (!is_narrow) {
        words_[size_++] = static_cast<std::uint32_t>(bits >> 32);
      }
    }
  }
}

LaneOffsets unpacked(std::span<const std::uint32_t> words) {
  LaneOffsets offsets{};
  const bool is_narrow = words.size() == 1U + static_cast<std::size_t>(std::popcount(words[0]));
  std::size_t at = 1;
  for (LaneMask rest = words[0]; rest != 0; rest &= rest - 1) {
    std::int64_t& offset = offsets[static_cast<std::size_t>(std::countr_zero(rest))];
    offset = static_cast<std::int32_t>(words[at++]);
    if (!is_narrow) {
      offset = static_cast<std::int64_t>(words[at - 1] | std::uint64_t{words[at]} << 32);
      ++at;
    }
  }
  return offsets;
}

LanePatterns::LanePatterns(SequenceInterner<std::uint32_t>& packed) {
  places_.reserve(packed.size());
  for (std::uint32_t id = 0; id < packed.size(); ++id) {
    places_.push_back({packed.first(id), static_cast<std::uint32_t>(packed.at(id).size())});
  }
  words_ = packed.take();
}

void LanePatterns::add(const LaneOffsets& offsets) {
  const PackedOffsets packed(offsets);
  places_.push_back({static_cast<std::uint32_t>(words_.size()), static_cast<std::uint32_t>(packed.words().size())});
  words_.insert(words_.end(), packed.words().begin(), packed.words().end());
}

void LanePatterns::unpack(std::uint32_t id) {
  const LaneOffsets offsets = at(id);
  places_[id] = {static_cast<std::uint32_t>(unpacked_.size()), 0};
  unpacked_.push_back(offsets);
}

const LaneOffsets& LanePatterns::unpacked_now(const Place& place) const {
  thread_local LaneOffsets offsets;
  offsets = unpacked({words_.data() + place.first, place.count});
  return offsets;
}

std::size_t LanePatterns::bytes() const {
  return places_.size() * sizeof(Place) + words_.size() * sizeof(std::uint32_t) +
         unpacked_.size() * sizeof(LaneOffsets);
}

}  // namespace gpusim::trace
