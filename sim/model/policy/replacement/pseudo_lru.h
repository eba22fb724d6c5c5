// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/replacement/set.h"

namespace gpusim::policy {

/// One bit per way: used since all others were. A use that would set the last bit clears the others'. The first way
/// without it leaves. Any associativity will do, where a tree of bits wants a power of two.
struct PseudoLru {
  static constexpr Rank kUnused = kNormalRank;
  static constexpr Rank kUsed = kNormalRank + 1;

  static void used(RankedSet set, std::uint32_t way) {
    set.ranks[way] = kUsed;
    for (std::uint32_t other = 0; other < set.ways; ++other) {
      if (!is_used(set, other)) {
        return;
      }
    }
    for (std::uint32_t other = 0; other < set.ways; ++other) {
      if (other != way) {
        set.ranks[other] = static_cast<Rank>(kUnused | (set.ranks[other] & kLastBit));
      }
    }
  }
  static void entered(RankedSet set, std::uint32_t way) { used(set, way); }
  static std::uint32_t victim(RankedSet set) {
    if (const std::uint32_t way = set.obvious_victim(); way != kNoWay) {
      return way;
    }
    const Rank exempt = set.exempting_bits();
    std::uint32_t found = kNoWay;
    for (std::uint32_t way = 0; way < set.ways; ++way) {
      if ((set.ranks[way] & exempt) == 0 && (found == kNoWay || (is_used(set, found) && !is_used(set, way)))) {
        found = way;
      }
    }
    return found;
  }

 private:
  static bool is_used(RankedSet set, std::uint32_t way) { return (set.ranks[way] & kMostRank) == kUsed; }
};

}  // namespace gpusim::policy
