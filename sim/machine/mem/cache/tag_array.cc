// SPDX-License-Identifier: MIT
#include "sim/machine/mem/cache/tag_array.h"

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

std::size_t round_up(std::size_t n, std::size_t to) {
  return (n + to - 1) / to * to;
}

}  // namespace

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, std::uint64_t seed)
    : sets_(sets),
      ways_(ways),
      by_sets_(sets),
      salt_(mix64(seed + kSetSalt)),
      times_at_(round_up(ways, sizeof(Time))),
      head_lines_(
          round_up(std::max(times_at_ + (ways + 1) * sizeof(Time), round_up(ways, kWaysAtOnce)), sizeof(HostLine)) /
          sizeof(HostLine)),
      lines_a_set_(head_lines_ + round_up(ways * sizeof(Way), sizeof(HostLine)) / sizeof(HostLine)),
      lines_(lines_a_set_) {
  assert(sets > 0 && ways > 0 && ways < (1U << 14));
}

TagArray TagArray::of_bytes(std::uint64_t bytes, std::uint32_t ways, std::uint64_t seed) {
  const std::uint64_t sets = bytes / (std::uint64_t{kLineBytes} * ways);
  return TagArray(static_cast<std::uint32_t>(std::max<std::uint64_t>(sets, 1)), ways, seed);
}

void TagArray::clear() {
  present_ = 0;
  std::fill(lines_.begin(), lines_.end(), HostLine{});
}

/// The first way whose print is the line's and that `accepts(way)`.
template <class Accepts>
std::uint32_t TagArray::find_print(const Home& home, Accepts&& accepts) const {
  const unsigned char* const all = prints(home.set);
  for (std::uint32_t first = 0; first < ways_; first += kWaysAtOnce) {
    std::uint64_t word = 0;
    std::memcpy(&word, all + first, sizeof(word));
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
  assert(Way(line).line() == line && !Way(line).is_free());
  const Way* const ways = ways_of(home.set);
  return find_print(home, [ways, line](std::uint32_t way) { return ways[way].line() == line; });
}

std::uint32_t TagArray::oldest_way(std::size_t set) const {
  const Time* const uses = times(set);
  Time oldest = uses[0];  // a plain minimum, of which compilers make a few steps
  for (std::uint32_t way = 1; way < ways_; ++way) {
    oldest = std::min(oldest, uses[way]);
  }
  return static_cast<std::uint32_t>(std::find(uses, uses + ways_, oldest) - uses);
}

void TagArray::touch(std::size_t set, std::uint32_t way) {
  Time* const uses = times(set);
  Time& clock = uses[ways_];
  if (clock == kMostClock) {
    renumber(set);
  }
  uses[way] = static_cast<Time>(++clock + kFirstTime);
}

/// The set's clock has run out: the used ways get the smallest times that keep their order.
void TagArray::renumber(std::size_t set) {
  Time* const uses = times(set);
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

TagArray::Way* TagArray::find_and_touch(LineNumber line) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  if (way == kNoWay) {
    return nullptr;
  }
  touch(home.set, way);
  return &ways_of(home.set)[way];
}

TagArray::Way* TagArray::find(LineNumber line) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  return way == kNoWay ? nullptr : &ways_of(home.set)[way];
}

LineState TagArray::probe(LineNumber line) const {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  return way == kNoWay ? LineState{} : state_of(ways_of(home.set)[way]);
}

SectorMask TagArray::lookup(LineNumber line, SectorMask sectors) {
  const Way* const found = find_and_touch(line);
  return found == nullptr ? SectorMask{0} : static_cast<SectorMask>(found->valid() & sectors);
}

LineState TagArray::use(LineNumber line) {
  const Way* const found = find_and_touch(line);
  return found == nullptr ? LineState{} : state_of(*found);
}

LineState TagArray::fill(LineNumber line, SectorMask sectors) {
  return enter(line, sectors, 0).evicted;
}

LineState TagArray::write(LineNumber line, SectorMask sectors) {
  return enter(line, sectors, sectors).evicted;
}

TagArray::Entered TagArray::enter(LineNumber line, SectorMask sectors, SectorMask dirty) {
  assert(sectors != 0 && (sectors & ~kAllSectors) == 0);
  if (stride_ == 0) {
    stride_ = lines_a_set_;
    lines_.resize(sets_ * stride_);
  }
  const Home home = home_of(line);
  std::uint32_t way = find(home, line);
  const bool is_new = way == kNoWay;
  if (is_new) {
    way = oldest_way(home.set);
    prints(home.set)[way] = home.print;
  }
  Way& entering = ways_of(home.set)[way];
  Entered entered;
  if (is_new) {
    if (entering.is_free()) {
      ++present_;
    } else {
      entered.evicted = state_of(entering);
    }
    entering = Way(line);
  }
  entered.valid_before = entering.valid();
  entered.way = &entering;
  entering.add(sectors, dirty);
  touch(home.set, way);
  return entered;
}

SectorMask TagArray::mark_dirty(LineNumber line, SectorMask sectors) {
  Way* const found = find_and_touch(line);
  if (found == nullptr) {
    return 0;
  }
  const auto dirtied = static_cast<SectorMask>(sectors & found->valid());
  found->add(0, dirtied);
  return dirtied;
}

SectorMask TagArray::clean(LineNumber line, SectorMask sectors) {
  Way* const found = find(line);
  if (found == nullptr) {
    return 0;
  }
  const auto cleaned = static_cast<SectorMask>(sectors & found->dirty());
  found->clean(cleaned);
  return cleaned;
}

LineState TagArray::invalidate(LineNumber line, SectorMask sectors) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  if (way == kNoWay) {
    return {};
  }
  Way& found = ways_of(home.set)[way];
  LineState dropped = state_of(found);
  found.remove(sectors);
  dropped.valid &= sectors;
  dropped.dirty &= sectors;
  if (found.valid() == 0) {
    found = Way{};
    times(home.set)[way] = 0;
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
  Time& use = times(home.set)[way];
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
  Time* const uses = times(home.set);
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

}  // namespace gpusim::mem::cache
