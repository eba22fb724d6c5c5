// SPDX-License-Identifier: MIT
#include "sim/machine/mem/cache/tag_array.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "sim/base/rounding.h"
#include "sim/model/policy/replacement/classes.h"

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

}  // namespace

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, std::uint64_t seed, policy::Replacement replacement)
    : sets_(sets),
      ways_(ways),
      by_sets_(sets),
      salt_(mix64(seed + kSetSalt)),
      ranks_at_(round_up<std::size_t>(ways, sizeof(Rank))),
      head_lines_(round_up(std::max(ranks_at_ + (ways + 1) * sizeof(Rank), round_up<std::size_t>(ways, kWaysAtOnce)),
                           sizeof(HostLine)) /
                  sizeof(HostLine)),
      lines_a_set_(head_lines_ + round_up(ways * sizeof(Way), sizeof(HostLine)) / sizeof(HostLine)),
      replacement_(replacement),
      lines_(lines_a_set_) {
  assert(sets > 0 && ways > 0 && ways < (1U << 14));
}

TagArray TagArray::of_bytes(std::uint64_t bytes, std::uint32_t ways, std::uint64_t seed,
                            policy::Replacement replacement) {
  const std::uint64_t sets = bytes / (std::uint64_t{kLineBytes} * ways);
  return TagArray(static_cast<std::uint32_t>(std::max<std::uint64_t>(sets, 1)), ways, seed, replacement);
}

void TagArray::clear() {
  present_ = 0;
  std::fill(lines_.begin(), lines_.end(), HostLine{});
}

/// The first way whose print is the line's and that `accepts(way)`.
template <class Accepts>
inline std::uint32_t TagArray::find_print(const Home& home, Accepts&& accepts) const {
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

// Four times in the life of a sector: inlined, a tenth cheaper.
[[gnu::always_inline]] inline std::uint32_t TagArray::find(const Home& home, LineNumber line) const {
  assert(Way(line).line() == line && !Way(line).is_free());
  const Way* const ways = ways_of(home.set);
  return find_print(home, [ways, line](std::uint32_t way) { return ways[way].line() == line; });
}

std::uint32_t TagArray::victim(std::size_t set) {
  return policy::with_replacement(replacement_, [&](auto policy) { return policy.victim(ranked(set)); });
}

void TagArray::used(std::size_t set, std::uint32_t way) {
  policy::with_replacement(replacement_, [&](auto policy) { policy.used(ranked(set), way); });
}

void TagArray::entered(std::size_t set, std::uint32_t way) {
  policy::with_replacement(replacement_, [&](auto policy) { policy.entered(ranked(set), way); });
}

TagArray::Way* TagArray::find_and_use(LineNumber line) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  if (way == kNoWay) {
    return nullptr;
  }
  used(home.set, way);
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
  const Way* const found = find_and_use(line);
  return found == nullptr ? SectorMask{0} : static_cast<SectorMask>(found->valid() & sectors);
}

LineState TagArray::use(LineNumber line) {
  const Way* const found = find_and_use(line);
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
    way = victim(home.set);
    prints(home.set)[way] = home.print;
  }
  Way& entering = ways_of(home.set)[way];
  Entered result;
  if (is_new) {
    if (entering.is_free()) {
      ++present_;
    } else {
      result.evicted = state_of(entering);
    }
    entering = Way(line);
  }
  result.valid_before = entering.valid();
  result.way = &entering;
  entering.add(sectors, dirty);
  if (is_new) {
    entered(home.set, way);
  } else {
    used(home.set, way);
  }
  return result;
}

SectorMask TagArray::mark_dirty(LineNumber line, SectorMask sectors) {
  Way* const found = find_and_use(line);
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
    ranks(home.set)[way] = policy::kFreeRank;
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
  Rank& rank = ranks(home.set)[way];
  switch (eviction) {
    case Eviction::kFirst: rank = policy::kFirstRank; break;
    case Eviction::kLast: rank |= kLastBit; break;
    case Eviction::kNormal: rank &= policy::kMostRank; break;
  }
}

void TagArray::keep(LineNumber line, std::uint32_t most) {
  const Home home = home_of(line);
  const std::uint32_t way = find(home, line);
  if (way == kNoWay || most == 0) {
    return;
  }
  Rank* const uses = ranks(home.set);
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
    uses[oldest] &= policy::kMostRank;
  }
}

}  // namespace gpusim::mem::cache
