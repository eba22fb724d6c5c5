// SPDX-License-Identifier: MIT
#pragma once

#include "sim/base/hash.h"
#include "sim/model/policy/replacement/set.h"

namespace gpusim::policy {

/// Any line, by a number that follows from the set and from how many lines have left it: every run takes the same. The
/// set's word counts them.
struct Random {
  static void used(RankedSet set, std::uint32_t way) { set.ranks[way] = kNormalRank; }
  static void entered(RankedSet set, std::uint32_t way) { used(set, way); }
  static std::uint32_t victim(RankedSet set) {
    if (const std::uint32_t way = set.obvious_victim(); way != kNoWay) {
      return way;
    }
    const Rank exempt = set.exempting_bits();
    std::uint32_t eligible = 0;
    for (std::uint32_t way = 0; way < set.ways; ++way) {
      eligible += (set.ranks[way] & exempt) == 0 ? 1U : 0U;
    }
    std::uint32_t skip = scale_to(mix64(set.seed ^ set.word++), eligible);
    std::uint32_t way = 0;
    while ((set.ranks[way] & exempt) != 0 || skip-- != 0) {
      ++way;
    }
    return way;
  }
};

}  // namespace gpusim::policy
