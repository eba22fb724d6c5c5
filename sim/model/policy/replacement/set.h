// SPDX-License-Identifier: MIT
// What a replacement policy sees of one set of a cache: a rank a way, and a word of the set's own. What a rank says
// beyond the values below is the policy's.
#pragma once

#include <cstdint>

namespace gpusim::policy {

using Rank = std::uint16_t;

inline constexpr Rank kFreeRank = 0;             ///< the way holds no line
inline constexpr Rank kFirstRank = 1;            ///< its line leaves before all others
inline constexpr Rank kNormalRank = 2;           ///< the least of a line without such a mark
inline constexpr Rank kLastBit = Rank{1} << 15;  ///< its line leaves after all that lack the bit
inline constexpr Rank kMostRank = kLastBit - 1;  ///< without the bit
inline constexpr std::uint32_t kNoWay = ~std::uint32_t{0};

/// One set. Its owner frees ways and marks lines as first or last to leave; a policy ranks those that are used.
struct RankedSet {
  Rank* ranks;               ///< by way
  std::uint32_t ways;        ///< at least one
  Rank& word;                ///< the policy's; zero in an empty cache
  std::uint64_t seed;        ///< seed of this set: the same in every run
  std::uint64_t number = 0;  ///< the set within its cache, from 0

  /// The way that leaves whatever the policy says: a free one, or the first that is marked to leave first.
  [[nodiscard]] std::uint32_t obvious_victim() const {
    std::uint32_t found = kNoWay;
    for (std::uint32_t way = 0; way < ways; ++way) {
      if (ranks[way] == kFreeRank) {
        return way;
      }
      found = ranks[way] == kFirstRank && found == kNoWay ? way : found;
    }
    return found;
  }
  /// The bits of a rank that keep a line from being chosen: a line marked to leave last is chosen only where all are.
  [[nodiscard]] Rank exempting_bits() const {
    for (std::uint32_t way = 0; way < ways; ++way) {
      if ((ranks[way] & kLastBit) == 0) {
        return kLastBit;
      }
    }
    return 0;
  }
};

}  // namespace gpusim::policy
