// SPDX-License-Identifier: MIT
#include "sim/model/policy/replacement/lru.h"

#include <algorithm>
#include <vector>

namespace gpusim::policy {

void Lru::renumber(RankedSet set) {
  std::vector<std::uint32_t> used;
  for (std::uint32_t way = 0; way < set.ways; ++way) {
    if (set.ranks[way] != kFreeRank) {
      used.push_back(way);
    }
  }
  std::ranges::sort(used, {}, [set](std::uint32_t way) { return set.ranks[way]; });
  Rank time = 0;
  for (const std::uint32_t way : used) {
    set.ranks[way] = static_cast<Rank>((++time + kFirstRank) | (set.ranks[way] & kLastBit));
  }
  set.word = time;
}

}  // namespace gpusim::policy
