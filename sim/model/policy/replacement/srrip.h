// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/replacement/set.h"

namespace gpusim::policy {

/// Static re-reference interval prediction with two bits a way (Jaleel et al., ISCA 2010): a line enters as one that is
/// used again late, a hit makes it one that is used again soon, and the first that is used again last leaves. So a
/// stream of lines that are used once does not drive out those that are used often.
struct Srrip {
  static constexpr Rank kSoon = kNormalRank;
  static constexpr Rank kLate = kNormalRank + 2;
  static constexpr Rank kDistant = kNormalRank + 3;

  static void used(RankedSet set, std::uint32_t way) { set.ranks[way] = kSoon; }
  static void entered(RankedSet set, std::uint32_t way) { set.ranks[way] = kLate; }
  static std::uint32_t victim(RankedSet set) {
    if (const std::uint32_t way = set.obvious_victim(); way != kNoWay) {
      return way;
    }
    const Rank exempt = set.exempting_bits();
    std::uint32_t found = kNoWay;
    for (std::uint32_t way = 0; way < set.ways; ++way) {
      if ((set.ranks[way] & exempt) == 0 && (found == kNoWay || interval(set, way) > interval(set, found))) {
        found = way;
      }
    }
    const Rank older = static_cast<Rank>(kDistant - interval(set, found));
    for (std::uint32_t way = 0; way < set.ways; ++way) {
      const Rank aged =
          interval(set, way) + older > kDistant ? kDistant : static_cast<Rank>(interval(set, way) + older);
      set.ranks[way] = static_cast<Rank>(aged | (set.ranks[way] & kLastBit));
    }
    return found;
  }

 private:
  static Rank interval(RankedSet set, std::uint32_t way) { return set.ranks[way] & kMostRank; }
};

}  // namespace gpusim::policy
