// SPDX-License-Identifier: MIT
#include "sim/mem/cache/tag_array.h"

#include <algorithm>
#include <cassert>

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
  last_use_.resize(slots);
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
  std::fill(last_use_.begin(), last_use_.end(), 0U);
  uses_ = 0;
}

std::size_t TagArray::find_from(LineNumber line, std::size_t first) const {
  assert(line != kNoLine);
  // No early exit: which way holds a line cannot be predicted, and a wrong guess costs more than the rest of the set.
  const LineNumber* const tags = tags_.data() + first;
  std::size_t slot = kNoSlot;
  for (std::uint32_t way = 0; way < ways_; ++way) {
    slot = tags[way] == line ? first + way : slot;
  }
  return slot;
}

std::size_t TagArray::victim_from(std::size_t first) const {
  std::size_t oldest = first;
  std::uint64_t oldest_use = last_use_[first];
  for (std::size_t slot = first + 1; slot < first + ways_; ++slot) {
    const std::uint64_t use = last_use_[slot];
    oldest = use < oldest_use ? slot : oldest;
    oldest_use = use < oldest_use ? use : oldest_use;
  }
  return oldest;
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
  touch(slot);
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
  const std::size_t first = first_slot(line);
  std::size_t slot = find_from(line, first);
  LineState evicted;
  if (slot == kNoSlot) {
    slot = victim_from(first);
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
  touch(slot);
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
  touch(slot);
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
    last_use_[slot] = 0;
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
