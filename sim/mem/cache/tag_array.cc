// SPDX-License-Identifier: MIT
#include "sim/mem/cache/tag_array.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace gpusim::mem::cache {

namespace {

/// Sets the set index apart from whatever else the machine hashes with mix64 (the choice of slice above all).
constexpr std::uint64_t kSetSalt = 0x5ec70a1d5e7b17e5ULL;

}  // namespace

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, std::uint64_t seed)
    : sets_(sets), ways_(ways), salt_(mix64(seed + kSetSalt)) {
  assert(sets > 0 && ways > 0);
  const std::size_t slots = std::size_t{sets} * ways;
  tags_.resize(slots);
  marks_.resize(slots);
  stamps_.resize(slots);
  uses_.resize(sets);
  clear();
}

TagArray TagArray::of_bytes(std::uint64_t bytes, std::uint32_t ways, std::uint64_t seed) {
  const std::uint64_t sets = bytes / (std::uint64_t{kLineBytes} * ways);
  return TagArray(static_cast<std::uint32_t>(std::max<std::uint64_t>(sets, 1)), ways, seed);
}

void TagArray::clear() {
  present_ = 0;
  std::fill(tags_.begin(), tags_.end(), kNoLine);
  std::fill(marks_.begin(), marks_.end(), Marks{0, 0, 0});
  std::fill(stamps_.begin(), stamps_.end(), 0U);
  std::fill(uses_.begin(), uses_.end(), 0U);
}

std::size_t TagArray::find(LineNumber line) const {
  assert(line != kNoLine);
  const std::size_t first = std::size_t{set_of(line)} * ways_;
  const LineNumber* const tags = tags_.data() + first;
  for (std::uint32_t way = 0; way < ways_; ++way) {
    if (tags[way] == line) {
      return first + way;
    }
  }
  return kNoSlot;
}

std::size_t TagArray::victim(std::uint32_t set) const {
  // A free way has stamp 0, less than any used one.
  const auto first = stamps_.begin() + static_cast<std::ptrdiff_t>(std::size_t{set} * ways_);
  return static_cast<std::size_t>(std::min_element(first, first + ways_) - stamps_.begin());
}

void TagArray::touch(std::size_t slot, std::uint32_t set) {
  if (uses_[set] == std::numeric_limits<std::uint32_t>::max()) {
    renumber(set);
  }
  stamps_[slot] = ++uses_[set];
}

void TagArray::renumber(std::uint32_t set) {
  const std::size_t first = std::size_t{set} * ways_;
  std::vector<std::size_t> order(ways_);
  std::iota(order.begin(), order.end(), first);
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return stamps_[a] < stamps_[b]; });
  std::uint32_t stamp = 0;
  for (const std::size_t slot : order) {
    stamps_[slot] = tags_[slot] == kNoLine ? 0 : ++stamp;
  }
  uses_[set] = stamp;
}

LineState TagArray::probe(LineNumber line) const {
  const std::size_t slot = find(line);
  return slot == kNoSlot ? LineState{} : state_of(slot);
}

SectorMask TagArray::lookup(LineNumber line, SectorMask sectors) {
  const std::size_t slot = find(line);
  if (slot == kNoSlot) {
    return 0;
  }
  touch(slot, static_cast<std::uint32_t>(slot / ways_));
  return static_cast<SectorMask>(marks_[slot].valid & sectors);
}

LineState TagArray::fill(LineNumber line, SectorMask sectors) {
  return enter(line, sectors, 0);
}

LineState TagArray::write(LineNumber line, SectorMask sectors) {
  return enter(line, sectors, sectors);
}

LineState TagArray::enter(LineNumber line, SectorMask sectors, SectorMask dirty) {
  assert(sectors != 0 && (sectors & ~kAllSectors) == 0);
  const std::uint32_t set = set_of(line);
  std::size_t slot = find(line);
  LineState evicted;
  if (slot == kNoSlot) {
    slot = victim(set);
    if (tags_[slot] == kNoLine) {
      ++present_;
    } else {
      evicted = state_of(slot);
    }
    tags_[slot] = line;
    marks_[slot] = Marks{0, 0, 0};
  }
  Marks& marks = marks_[slot];
  marks.valid = static_cast<std::uint8_t>((marks.valid | sectors) & kAllSectors);
  marks.dirty = static_cast<std::uint8_t>((marks.dirty | dirty) & kAllSectors);
  touch(slot, set);
  return evicted;
}

SectorMask TagArray::mark_dirty(LineNumber line, SectorMask sectors) {
  const std::size_t slot = find(line);
  if (slot == kNoSlot) {
    return 0;
  }
  Marks& marks = marks_[slot];
  const auto dirtied = static_cast<SectorMask>(sectors & marks.valid);
  marks.dirty = static_cast<std::uint8_t>((marks.dirty | dirtied) & kAllSectors);
  touch(slot, static_cast<std::uint32_t>(slot / ways_));
  return dirtied;
}

SectorMask TagArray::clean(LineNumber line, SectorMask sectors) {
  const std::size_t slot = find(line);
  if (slot == kNoSlot) {
    return 0;
  }
  Marks& marks = marks_[slot];
  const auto cleaned = static_cast<SectorMask>(sectors & marks.dirty);
  marks.dirty = static_cast<std::uint8_t>(marks.dirty & ~cleaned & kAllSectors);
  return cleaned;
}

LineState TagArray::invalidate(LineNumber line, SectorMask sectors) {
  const std::size_t slot = find(line);
  if (slot == kNoSlot) {
    return {};
  }
  LineState dropped = state_of(slot);
  Marks& marks = marks_[slot];
  marks.valid = static_cast<std::uint8_t>(marks.valid & ~sectors & kAllSectors);
  marks.dirty = static_cast<std::uint8_t>(marks.dirty & ~sectors & kAllSectors);
  dropped.valid &= sectors;
  dropped.dirty &= sectors;
  if (marks.valid == 0) {
    tags_[slot] = kNoLine;
    marks_[slot] = Marks{0, 0, 0};
    stamps_[slot] = 0;
    --present_;
  }
  return dropped;
}

void TagArray::set_user(LineNumber line, std::uint8_t user) {
  const std::size_t slot = find(line);
  if (slot != kNoSlot) {
    marks_[slot].user = user;
  }
}

}  // namespace gpusim::mem::cache
