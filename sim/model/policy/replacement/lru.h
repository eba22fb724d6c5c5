// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/replacement/set.h"

namespace gpusim::policy {

/// The line that was used least recently, exactly. A rank is the time of the last use; the set's word is its clock.
struct Lru {
  static void used(RankedSet set, std::uint32_t way) {
    if (set.word == kMostRank - kFirstRank) [[unlikely]] {
      renumber(set);
    }
    set.ranks[way] = static_cast<Rank>(++set.word + kFirstRank);
  }
  static void entered(RankedSet set, std::uint32_t way) { used(set, way); }
  /// Free ways, and marks, are in the order of ranks already.
  static std::uint32_t victim(RankedSet set) {
    Rank oldest = set.ranks[0];  // a plain minimum, of which compilers make a few steps
    for (std::uint32_t way = 1; way < set.ways; ++way) {
      oldest = set.ranks[way] < oldest ? set.ranks[way] : oldest;
    }
    std::uint32_t way = 0;
    while (set.ranks[way] != oldest) {
      ++way;
    }
    return way;
  }

 private:
  /// The set's clock has run out: the used ways get the smallest times that keep their order.
  static void renumber(RankedSet set);
};

}  // namespace gpusim::policy
