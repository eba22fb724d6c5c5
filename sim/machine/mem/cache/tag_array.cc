// SPDX-License-Identifier: MIT
#include "sim/machine/mem/cache/tag_array.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/base/equal_bytes.h"
#include "sim/base/rounding.h"

namespace gpusim::mem::cache {

namespace {

/// Sets the set index apart from whatever else the machine hashes with mix64 (the choice of slice above all).
constexpr std::uint64_t kSetSalt = 0x5ec70a1d5e7b17e5ULL;

}  // namespace

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, std::uint64_t seed, policy::Replacement replacement)
    : sets_(sets),
      ways_(ways),
      by_sets_(sets),
      salt_(mix64(seed + kSetSalt)),
      ranks_at_(round_up<std::size_t>(ways, sizeof(Rank))),
      head_lines_(round_up(std::max(ranks_at_ + (ways + 1) * sizeof(Rank), round_up<std::size_t>(ways, kBytesAtOnce)),
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
  stride_ = 0;
  lines_ = ZeroedArray<HostLine>(lines_a_set_);
  replacement_.clear();
}

// Four times in the life of a sector: inlined, a tenth cheaper.
[[gnu::always_inline]] inline std::uint32_t TagArray::find(const unsigned char* prints, const Way* ways,
                                                           std::uint8_t print, LineNumber line) const {
  assert(Way(line).line() == line && !Way(line).is_free());
  for (std::uint32_t first = 0; first < ways_; first += kBytesAtOnce) {
    for (std::uint32_t like = equal_bytes(prints + first, print); like != 0; like &= like - 1) {
      const std::uint32_t way = first + static_cast<std::uint32_t>(std::countr_zero(like));
      if (way < ways_ && ways[way].line() == line) {
        return way;
      }
    }
  }
  return kNoWay;
}

inline std::uint32_t TagArray::find(const Home& home, LineNumber line) const {
  return find(block(home.set)->bytes, ways_of(home.set), home.print, line);
}

[[gnu::always_inline]] inline TagArray::Way* TagArray::find_and_use(LineNumber line) {
  const Home home = home_of(line);
  const Set set = set_at(home.set);
  const std::uint32_t way = find(set.prints, set.ways, home.print, line);
  if (way == kNoWay) {
    return nullptr;
  }
  replacement_.with([&](auto& policy) { policy.used(ranked(set, home.set), way); });
  return &set.ways[way];
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
  return enter(line, sectors, 0).evicted();
}

LineState TagArray::write(LineNumber line, SectorMask sectors) {
  return enter(line, sectors, sectors).evicted();
}

template <class Policy>
[[gnu::always_inline]] inline TagArray::Entered TagArray::enter_by(Policy& policy, LineNumber line, SectorMask sectors,
                                                                   SectorMask dirty) {
  const Home home = home_of(line);
  const Set set = set_at(home.set);
  const policy::RankedSet ranks = ranked(set, home.set);
  std::uint32_t way = find(set.prints, set.ways, home.print, line);
  if (way != kNoWay) {
    Way& found = set.ways[way];
    const Way before = found;
    found.add(sectors, dirty);
    policy.used(ranks, way);
    return {Way(), before.valid(), before.dirty(), &found};
  }
  way = policy.victim(ranks);
  Way& entering = set.ways[way];
  const Way left = entering;
  present_ += left.is_free() ? 1 : 0;
  set.prints[way] = home.print;
  entering = Way(line);
  entering.add(sectors, dirty);
  policy.entered(ranks, way);
  return {left, 0, 0, &entering};
}

TagArray::Entered TagArray::enter(LineNumber line, SectorMask sectors, SectorMask dirty) {
  assert(sectors != 0 && (sectors & ~kAllSectors) == 0);
  if (stride_ == 0) [[unlikely]] {
    lines_ = ZeroedArray<HostLine>(sets_ * lines_a_set_);  // where there is no memory, nothing else has changed
    stride_ = lines_a_set_;
  }
  return replacement_.with([&](auto& policy) { return enter_by(policy, line, sectors, dirty); });
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

[[gnu::noinline]] LineState TagArray::limit_dirty(LineNumber line, std::uint32_t most) {
  const Home home = home_of(line);
  const Set set = set_at(home.set);
  dirty_ways_.clear();
  dirty_ranks_.clear();
  for (std::uint32_t way = 0; way < ways_; ++way) {
    if (set.ways[way].dirty() != 0 && set.ways[way].line() != line) {
      dirty_ways_.push_back(way);
      dirty_ranks_.push_back(set.ranks[way]);
    }
  }
  if (dirty_ways_.size() < most || dirty_ways_.empty()) {
    return {};
  }
  const policy::RankedSet ranked{dirty_ranks_.data(), static_cast<std::uint32_t>(dirty_ways_.size()), set.ranks[ways_],
                                 salt_ + home.set, home.set};
  const std::uint32_t chosen = replacement_.with([&](auto& policy) { return policy.victim(ranked); });
  Way& way = set.ways[dirty_ways_[chosen]];
  const LineState before = state_of(way);
  way.clean(before.dirty);
  return before;
}

[[gnu::noinline]] LineState TagArray::invalidate(LineNumber line, SectorMask sectors) {
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

[[gnu::noinline]] void TagArray::set_eviction(LineNumber line, Eviction eviction) {
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

[[gnu::noinline]] void TagArray::keep(LineNumber line, std::uint32_t most) {
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
