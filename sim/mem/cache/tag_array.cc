// SPDX-License-Identifier: MIT
#include "sim/mem/cache/tag_array.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace gpusim::mem::cache {

namespace {

/// Sets the set index apart from whatever else the machine hashes with mix64 (the choice of slice above all).
constexpr std::uint64_t kSetSalt = 0x5ec70a1d5e7b17e5ULL;

/// A search compares the prints of eight ways at once.
constexpr std::uint32_t kWaysAtOnce = 8;
constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
static_assert(std::endian::native == std::endian::little, "the lowest byte of eight prints is that of the first way");

/// Sets the top bit of every byte that is zero, and of none below the first such byte.
std::uint64_t zero_bytes(std::uint64_t word) {
  return (word - kOnes) & ~word & (kOnes << 7);
}

std::uint32_t round_up(std::uint32_t n, std::uint32_t to) {
  return (n + to - 1) / to * to;
}

}  // namespace

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, std::uint64_t seed)
    : sets_(sets),
      ways_(ways),
      by_sets_(sets),
      salt_(mix64(seed + kSetSalt)),
      uses_at_(round_up(ways, sizeof(Time)) / sizeof(Time)),
      slots_(std::size_t{sets} * ways) {
  assert(sets > 0 && ways > 0 && ways < (1U << 14));
  const std::size_t cells = std::max<std::size_t>(uses_at_ + ways + 1, round_up(ways, kWaysAtOnce) / sizeof(Time));
  head_parts_ = (cells * sizeof(Time) + sizeof(HeadPart) - 1) / sizeof(HeadPart);
  heads_.resize(sets * head_parts_);
}

TagArray TagArray::of_bytes(std::uint64_t bytes, std::uint32_t ways, std::uint64_t seed) {
  const std::uint64_t sets = bytes / (std::uint64_t{kLineBytes} * ways);
  return TagArray(static_cast<std::uint32_t>(std::max<std::uint64_t>(sets, 1)), ways, seed);
}

void TagArray::clear() {
  present_ = 0;
  std::fill(heads_.begin(), heads_.end(), HeadPart{});
  std::fill(slots_.begin(), slots_.end(), Slot{});
}

/// The first way whose print is the line's and that `accepts(way)`.
template <class Accepts>
std::uint32_t TagArray::find_print(const Home& home, Accepts&& accepts) const {
  const auto* const prints = reinterpret_cast<const unsigned char*>(head(home.set));
  for (std::uint32_t first = 0; first < ways_; first += kWaysAtOnce) {
    std::uint64_t word = 0;
    std::memcpy(&word, prints + first, sizeof(word));
    for (std::uint64_t like = zero_bytes(word ^ (kOnes * home.print)); like != 0; like &= like - 1) {
      const std::uint32_t way = first + static_cast<std::uint32_t>(std::countr_zero(like)) / 8;
      if (way < ways_ && accepts(way)) {
        return way;
      }
    }
  }
  return kNoWay;
}

std::uint32_t TagArray::find(const Home& home, LineNumber line) const {
  assert(line != kNoLine);
  const Slot* const slots = slots_.data() + home.set * ways_;
  return find_print(home, [slots, line](std::uint32_t way) { return slots[way].line == line; });
}

std::uint32_t TagArray::oldest_way(std::size_t set) const {
  const Time* const uses = head(set) + uses_at_;
  // Time and way in one number: a plain minimum, which needs no branches.
  std::uint32_t oldest = kNoWay;
  for (std::uint32_t way = 0; way < ways_; ++way) {
    oldest = std::min(oldest, std::uint32_t{uses[way]} << 16 | way);
  }
  return oldest & 0xffffU;
}

void TagArray::touch(std::size_t set, std::uint32_t way) {
  Time* const uses = head(set) + uses_at_;
  Time& clock = uses[ways_];
  if (clock == kMostClock) {
    renumber(set);
  }
  uses[way] = static_cast<Time>(++clock + kFirstTime);
}

/// The set's clock has run out: the used ways get the smallest times that keep their order.
void TagArray::renumber(std::size_t set) {
  Time* const uses = head(set) + uses_at_;
  std::vector<std::uint32_t> ways;
  for (std::uint32_t way = 0; way < ways_; ++way) {
    if (uses[way] != 0) {
      ways.push_back(way);
    }
  }
  std::sort(ways.begin(), ways.end(), [uses](std::uint32_t a, std::uint32_t b) { return uses[a] < uses[b]; });
  Time time = 0;
  for (const std::uint32_t way : ways) {
    uses[way] = static_cast<Time>((++time + kFirstTime) | (uses[way] & kLastBit));
  }
  uses[ways_] = time;
}

TagArray::Slot* TagArray::find_and_touch(LineNumber line) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  if (way == kNoWay) {
    return nullptr;
  }
  touch(home.set, way);
  return &slots_[home.set * ways_ + way];
}

void TagArray::prefetch_way(LineNumber line, bool enters) const {
  const Home home = home_of(line);
  std::uint32_t way = find_print(home, [](std::uint32_t) { return true; });
  if (way == kNoWay && enters) {
    way = oldest_way(home.set);
  }
  if (way != kNoWay) {
    __builtin_prefetch(&slots_[home.set * ways_ + way], 1);
  }
}

TagArray::Slot* TagArray::find(LineNumber line) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  return way == kNoWay ? nullptr : &slots_[home.set * ways_ + way];
}

LineState TagArray::probe(LineNumber line) const {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  return way == kNoWay ? LineState{} : state_of(slots_[home.set * ways_ + way]);
}

SectorMask TagArray::lookup(LineNumber line, SectorMask sectors) {
  const Slot* const slot = find_and_touch(line);
  return slot == nullptr ? SectorMask{0} : static_cast<SectorMask>(slot->valid & sectors);
}

LineState TagArray::use(LineNumber line) {
  const Slot* const slot = find_and_touch(line);
  return slot == nullptr ? LineState{} : state_of(*slot);
}

LineState TagArray::fill(LineNumber line, SectorMask sectors) {
  return enter(line, sectors, 0).evicted;
}

LineState TagArray::write(LineNumber line, SectorMask sectors) {
  return enter(line, sectors, sectors).evicted;
}

TagArray::Entered TagArray::enter(LineNumber line, SectorMask sectors, SectorMask dirty) {
  assert(sectors != 0 && (sectors & ~kAllSectors) == 0);
  const Home home = home_of(line);
  std::uint32_t way = find(home, line);
  const bool is_new = way == kNoWay;
  if (is_new) {
    way = oldest_way(home.set);
    reinterpret_cast<unsigned char*>(head(home.set))[way] = home.print;
  }
  Slot& slot = slots_[home.set * ways_ + way];
  Entered entered;
  if (is_new) {
    if (slot.line == kNoLine) {
      ++present_;
    } else {
      entered.evicted = state_of(slot);
    }
    slot = Slot{line, 0, 0, 0};
  }
  entered.valid_before = slot.valid;
  entered.user = &slot.user;
  slot.valid |= sectors;
  slot.dirty |= dirty;
  touch(home.set, way);
  return entered;
}

SectorMask TagArray::mark_dirty(LineNumber line, SectorMask sectors) {
  Slot* const slot = find_and_touch(line);
  if (slot == nullptr) {
    return 0;
  }
  const auto dirtied = static_cast<SectorMask>(sectors & slot->valid);
  slot->dirty |= dirtied;
  return dirtied;
}

SectorMask TagArray::clean(LineNumber line, SectorMask sectors) {
  Slot* const slot = find(line);
  if (slot == nullptr) {
    return 0;
  }
  const auto cleaned = static_cast<SectorMask>(sectors & slot->dirty);
  slot->dirty &= static_cast<SectorMask>(~cleaned);
  return cleaned;
}

LineState TagArray::invalidate(LineNumber line, SectorMask sectors) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  if (way == kNoWay) {
    return {};
  }
  Slot& slot = slots_[home.set * ways_ + way];
  LineState dropped = state_of(slot);
  slot.valid &= static_cast<SectorMask>(~sectors);
  slot.dirty &= static_cast<SectorMask>(~sectors);
  dropped.valid &= sectors;
  dropped.dirty &= sectors;
  if (slot.valid == 0) {
    slot = Slot{};
    head(home.set)[uses_at_ + way] = 0;
    --present_;
  }
  return dropped;
}

void TagArray::set_eviction(LineNumber line, Eviction eviction) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  if (way == kNoWay) {
    return;
  }
  Time& use = head(home.set)[uses_at_ + way];
  switch (eviction) {
    case Eviction::kFirst: use = kFirstTime; break;
    case Eviction::kLast: use |= kLastBit; break;
    case Eviction::kNormal: use &= static_cast<Time>(~kLastBit); break;
  }
}

void TagArray::keep(LineNumber line, std::uint32_t most) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  if (way == kNoWay || most == 0) {
    return;
  }
  Time* const uses = head(home.set) + uses_at_;
  uses[way] |= kLastBit;
  std::uint32_t kept = 0;
  std::uint32_t oldest = way;
  for (std::uint32_t other = 0; other < ways_; ++other) {
    if ((uses[other] & kLastBit) != 0) {
      ++kept;
      oldest = uses[other] < uses[oldest] ? other : oldest;
    }
  }
  if (kept > most) {
    uses[oldest] &= static_cast<Time>(~kLastBit);
  }
}

void TagArray::set_user(LineNumber line, std::uint8_t user) {
  if (Slot* const slot = find(line); slot != nullptr) {
    slot->user = user;
  }
}

}  // namespace gpusim::mem::cache
