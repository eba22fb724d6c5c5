// SPDX-License-Identifier: MIT
#include "sim/model/policy/replacement/lru.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <vector>

namespace gpusim::policy {
namespace {

/// Eight ranks side by side. Processors compare such lanes with a sign, so the ranks' top bits are turned over.
using Eight [[gnu::vector_size(8 * sizeof(Rank))]] = std::int16_t;

Eight eight_ranks(const Rank* ranks) {
  Eight lanes;
  std::memcpy(&lanes, ranks, sizeof(lanes));
  return lanes ^ static_cast<std::int16_t>(kLastBit);
}

Eight eight_ranks_of(Rank rank) {
  return Eight{} + static_cast<std::int16_t>(rank ^ kLastBit);
}

Eight lesser(Eight a, Eight b) {
  return a < b ? a : b;
}

/// The least of the lanes, in all of them.
Eight least_of(Eight lanes) {
  lanes = lesser(lanes, __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3));
  lanes = lesser(lanes, __builtin_shufflevector(lanes, lanes, 2, 3, 0, 1, 6, 7, 4, 5));
  return lesser(lanes, __builtin_shufflevector(lanes, lanes, 1, 0, 3, 2, 5, 4, 7, 6));
}

/// The first lane that is not zero; beyond the last when all are.
std::uint32_t first_of(Eight lanes) {
  std::uint64_t words[2];
  std::memcpy(words, &lanes, sizeof(lanes));
  constexpr unsigned kBits = 8 * sizeof(Rank);
  constexpr std::uint32_t kRanksAWord = 64 / kBits;
  const auto low = static_cast<std::uint32_t>(std::countr_zero(words[0])) / kBits;
  return words[0] != 0 ? low : kRanksAWord + static_cast<std::uint32_t>(std::countr_zero(words[1])) / kBits;
}

}  // namespace

std::uint32_t Lru::first_free(const Rank* ranks, std::uint32_t ways) {
  assert(ranks[ways - 1] == kFreeRank);
  std::uint32_t way = 0;
  for (; way + kRanksAtOnce <= ways; way += kRanksAtOnce) {
    if (const std::uint32_t lane = first_of(eight_ranks(ranks + way) == eight_ranks_of(kFreeRank));
        lane < kRanksAtOnce) {
      return way + lane;
    }
  }
  while (ranks[way] != kFreeRank) {
    ++way;
  }
  return way;
}

std::uint32_t Lru::victim_of_few(const Rank* ranks, std::uint32_t ways) {
  return static_cast<std::uint32_t>(std::min_element(ranks, ranks + ways) - ranks);
}

/// The last eight ranks may overlap those before them, which does not change which is the first.
std::uint32_t Lru::victim_of_many(const Rank* ranks, std::uint32_t ways) {
  assert(ways >= kRanksAtOnce);
  const std::uint32_t last = ways - kRanksAtOnce;
  Eight least = eight_ranks(ranks + last);
  for (std::uint32_t first = 0; first < last; first += kRanksAtOnce) {
    least = lesser(least, eight_ranks(ranks + first));
  }
  least = least_of(least);
  for (std::uint32_t first = 0;; first = std::min(first + kRanksAtOnce, last)) {
    if (const std::uint32_t lane = first_of(eight_ranks(ranks + first) == least); lane < kRanksAtOnce) {
      return first + lane;
    }
  }
}

void Lru::renumber(Rank* ranks, std::uint32_t ways, Rank& word) {
  std::vector<std::uint32_t> used;
  for (std::uint32_t way = 0; way < ways; ++way) {
    if (ranks[way] != kFreeRank) {
      used.push_back(way);
    }
  }
  std::ranges::sort(used, {}, [ranks](std::uint32_t way) { return ranks[way]; });
  Rank time = 0;
  for (const std::uint32_t way : used) {
    ranks[way] = static_cast<Rank>((++time + kFirstRank) | (ranks[way] & kLastBit));
  }
  word = time;
}

}  // namespace gpusim::policy
