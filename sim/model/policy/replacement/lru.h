// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/replacement/set.h"

namespace gpusim::policy {

/// The line that was used least recently, exactly. A rank is the time of the last use; the set's word is its clock.
struct Lru {
  [[gnu::always_inline]] static void used(const RankedSet& set, std::uint32_t way) {
    if (set.word == kMostRank - kFirstRank) [[unlikely]] {
      renumber(set.ranks, set.ways, set.word);
    }
    set.ranks[way] = static_cast<Rank>(++set.word + kFirstRank);
  }
  [[gnu::always_inline]] static void entered(const RankedSet& set, std::uint32_t way) { used(set, way); }
  /// Free ways, and marks, are in the order of ranks already. A set fills from its first way on: while its last way is
  /// free, the first free way is found sooner than the least rank of all.
  [[gnu::always_inline]] static std::uint32_t victim(const RankedSet& set) {
    if (set.ranks[set.ways - 1] == kFreeRank) {
      return first_free(set.ranks, set.ways);
    }
    return set.ways < kRanksAtOnce ? victim_of_few(set.ranks, set.ways) : victim_of_many(set.ranks, set.ways);
  }

  static constexpr std::uint32_t kRanksAtOnce = 8;

  /// The first free way, of a set whose last way is free.
  static std::uint32_t first_free(const Rank* ranks, std::uint32_t ways);
  /// The first way with the least rank: of a set of any size, one way after the other; of one with at least
  /// kRanksAtOnce ways, so many at once.
  static std::uint32_t victim_of_few(const Rank* ranks, std::uint32_t ways);
  static std::uint32_t victim_of_many(const Rank* ranks, std::uint32_t ways);

 private:
  /// The set's clock has run out: the used ways get the smallest times that keep their order.
  static void renumber(Rank* ranks, std::uint32_t ways, Rank& word);
};

}  // namespace gpusim::policy
