// SPDX-License-Identifier: MIT
// Which way leaves a full set, by each replacement policy, in sequences worked out by hand; and what all must hold.
#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/policy_words.h"
#include "sim/model/arch/words.h"
#include "sim/model/policy/replacement/classes.h"

using namespace gpusim;
using namespace gpusim::policy;

namespace {

/// A set of four ways that holds a line each, entered in order of ways.
template <class Policy>
struct Set {
  explicit Set(std::uint64_t set_seed = 7, bool is_full = true) : seed(set_seed) {
    for (std::uint32_t way = 0; is_full && way < 4; ++way) {
      policy.entered(view(), way);
    }
  }
  RankedSet view() { return {ranks.data(), 4, ranks[4], seed, number}; }
  void use(std::initializer_list<std::uint32_t> ways) {
    for (const std::uint32_t way : ways) {
      policy.used(view(), way);
    }
  }
  /// The line that leaves; another enters.
  std::uint32_t replace() {
    const std::uint32_t way = policy.victim(view());
    policy.entered(view(), way);
    return way;
  }

  std::array<Rank, 5> ranks{};
  std::uint64_t seed;
  std::uint64_t number = 7;
  Policy policy;
};

template <class Check>
void for_every_policy(Check&& check) {
#define GPUSIM_X(enumerator, type, name, what) \
  SECTION(name) {                              \
    check(type());                             \
  }
  GPUSIM_REPLACEMENTS(GPUSIM_X)
#undef GPUSIM_X
}

}  // namespace

TEST_CASE("least recently used leaves, exactly") {
  Set<Lru> set;
  set.use({0, 2, 0});
  CHECK(set.replace() == 1);
  CHECK(set.replace() == 3);
  CHECK(set.replace() == 2);
  CHECK(set.replace() == 0);
  CHECK(set.replace() == 1);
}

TEST_CASE("the victim that is found eight ranks at a time is the one that is found rank by rank") {
  std::mt19937 random(7);
  for (std::uint32_t ways = Lru::kRanksAtOnce; ways <= 40; ++ways) {
    for (int round = 0; round < 200; ++round) {
      // Few values, so that the least is there several times: the first of them leaves.
      const std::uint32_t values = round % 2 == 0 ? 4 : 0x10000;
      std::vector<Rank> ranks(ways + 1);
      for (Rank& rank : ranks) {
        rank = static_cast<Rank>(random() % values);
      }
      const RankedSet set{ranks.data(), ways, ranks.back(), 0};
      CAPTURE(ways, round);
      REQUIRE(Lru::victim_of_many(set.ranks, set.ways) == Lru::victim_of_few(set.ranks, set.ways));
    }
  }
}

TEST_CASE("the first free way of a set whose last way is free is the victim that is found rank by rank") {
  std::mt19937 random(11);
  for (std::uint32_t ways = 1; ways <= 40; ++ways) {
    for (int round = 0; round < 200; ++round) {
      // Mostly as a set fills, from the first way on; in between, ways that have become free again.
      std::vector<Rank> ranks(ways + 1);
      const std::uint32_t filled = static_cast<std::uint32_t>(random() % ways);
      for (std::uint32_t way = 0; way < filled; ++way) {
        ranks[way] = random() % 8 == 0 ? kFreeRank : static_cast<Rank>(random() | 1U);
      }
      const RankedSet set{ranks.data(), ways, ranks.back(), 0};
      CAPTURE(ways, round);
      REQUIRE(Lru::first_free(set.ranks, set.ways) == Lru::victim_of_few(set.ranks, set.ways));
      REQUIRE(Lru::victim(set) == Lru::victim_of_few(set.ranks, set.ways));
    }
  }
}

TEST_CASE("the order of use survives the end of a set's clock, and so do marks") {
  Set<Lru> set;
  set.use({2, 1});
  set.ranks[2] |= kLastBit;
  for (std::uint32_t i = 0; i < 3U * kMostRank; ++i) {
    set.use({i % 2 * 3});
  }
  CHECK((set.ranks[2] & kLastBit) != 0);
  CHECK(set.replace() == 1);
  CHECK(set.replace() == 3);
  CHECK(set.replace() == 0);
}

TEST_CASE("pseudo-lru keeps what was used since all others were") {
  // Entering in order sets the bits of 0, 1 and 2; that of 3 would be the last and clears theirs.
  Set<PseudoLru> set;
  CHECK(set.replace() == 0);  // bits of 3 and 0
  set.use({2});               // bits of 3, 0 and 2
  CHECK(set.replace() == 1);  // the last: of 1 alone
  CHECK(set.replace() == 0);
  CHECK(set.replace() == 2);
  CHECK(set.replace() == 3);  // the last: of 3 alone
  CHECK(set.replace() == 0);
}

TEST_CASE("srrip lets a line that was used stay while others pass that are not") {
  Set<Srrip> set;  // all late (2)
  set.use({1});    // 1 soon (0)
  // The first of the most distant leaves; all others age by as much as it lacked: 0 leaves, 1 is 1, 2 and 3 are 3.
  CHECK(set.replace() == 0);
  CHECK(set.replace() == 2);
  CHECK(set.replace() == 3);
  // 0, 2 and 3 late, 1 at 1: one step makes 1 late and the others distant.
  CHECK(set.replace() == 0);
  CHECK(set.replace() == 2);
  CHECK(set.replace() == 3);
  CHECK(set.replace() == 0);  // all are late again, 1 too
  CHECK(set.replace() == 1);
}

TEST_CASE("drrip's sets enter lines as the leading set with fewer misses does, and its leading sets never change") {
  std::array<Rank, 5> ranks{};
  Drrip policy;
  // The rank that the next line has which enters way 1 of a set.
  const auto enter = [&](std::uint64_t number) {
    ranks = {Srrip::kSoon, 0, Srrip::kSoon, Srrip::kSoon, 0};
    policy.entered({ranks.data(), 4, ranks[4], 7, number}, 1);
    return ranks[1];
  };
  CHECK(enter(5) == Srrip::kLate);      // both lead by nothing
  CHECK(enter(0) == Srrip::kLate);      // a miss of the set that does as SRRIP
  CHECK(enter(5) == Srrip::kDistant);   // so the others do not
  CHECK(enter(32) == Srrip::kLate);     // another leading set
  CHECK(enter(33) == Srrip::kDistant);  // two misses on the other side
  CHECK(enter(1) == Srrip::kDistant);
  CHECK(enter(31) == Srrip::kLate);
  for (int i = 0; i < 2000; ++i) {
    enter(0);  // the counter saturates
  }
  int late = 0;
  for (int i = 0; i < 320; ++i) {
    late += enter(9) == Srrip::kLate ? 1 : 0;
  }
  CHECK(late == 10);  // one in 32
  for (int i = 0; i < 511; ++i) {
    enter(1);
  }
  CHECK(enter(9) == Srrip::kLate);
}

TEST_CASE("an emptied cache forgets what its replacement policy has learnt") {
  const auto ranks_entered = [](AnyReplacement& any) {
    std::vector<Rank> found;
    for (const std::uint64_t number : {5, 0, 0, 5}) {
      std::array<Rank, 5> ranks{};
      any.with([&](auto& policy) { policy.entered({ranks.data(), 4, ranks[4], 7, number}, 1); });
      found.push_back(ranks[1]);
    }
    return found;
  };
  AnyReplacement any(Replacement::kDrrip);
  const std::vector<Rank> first = ranks_entered(any);
  CHECK(ranks_entered(any) != first);
  any.clear();
  CHECK(ranks_entered(any) == first);
}

TEST_CASE("random takes every way about as often, the same in every run, another order in another set") {
  std::array<int, 4> times{};
  Set<Random> one;
  Set<Random> again;
  Set<Random> other(8);
  int same = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::uint32_t way = one.replace();
    REQUIRE(again.replace() == way);
    same += other.replace() == way ? 1 : 0;
    ++times[way];
  }
  for (const int of_way : times) {
    CHECK(of_way > 900);
    CHECK(of_way < 1100);
  }
  CHECK(same < 1200);
}

TEST_CASE("every policy fills free ways first, then takes lines marked first, and those marked last only at last") {
  for_every_policy([]<class Policy>(Policy) {
    Set<Policy> set(7, false);
    std::vector<std::uint32_t> filled;
    for (int i = 0; i < 4; ++i) {
      filled.push_back(set.replace());
    }
    std::ranges::sort(filled);
    CHECK(filled == std::vector<std::uint32_t>{0, 1, 2, 3});
    set.ranks[2] = kFirstRank;
    CHECK(set.policy.victim(set.view()) == 2);
    set.use({2});  // forgets the mark
    CHECK(set.ranks[2] != kFirstRank);
    set.ranks[0] |= kLastBit;
    set.ranks[1] |= kLastBit;
    set.ranks[3] |= kLastBit;
    CHECK(set.replace() == 2);
    CHECK(set.replace() == 2);
    set.ranks[2] |= kLastBit;
    CHECK(set.replace() < 4);
    set.use({3});
    CHECK((set.ranks[3] & kLastBit) == 0);
    set.ranks[1] = kFreeRank;
    CHECK(set.policy.victim(set.view()) == 1);
  });
}

TEST_CASE("every policy keeps a used way's rank apart from free ways and marks, whatever happens") {
  for_every_policy([]<class Policy>(Policy) {
    Set<Policy> set;
    std::mt19937 random(5);
    for (int i = 0; i < 20000; ++i) {
      const auto way = static_cast<std::uint32_t>(random() % 4);
      switch (random() % 4) {
        case 0: REQUIRE(set.replace() < 4); break;
        case 1: set.ranks[way] |= kLastBit; break;
        default: set.use({way});
      }
      REQUIRE(std::ranges::all_of(set.ranks.begin(), set.ranks.begin() + 4,
                                  [](Rank rank) { return (rank & kMostRank) >= kNormalRank; }));
    }
  });
}

TEST_CASE("architecture files accept exactly the names of the replacement policies there are, lru by default") {
  const std::string file = std::string(GPUSIM_SOURCE_DIR) + "/configs/a100.yaml";
  CHECK(arch::load_arch(file, {}).l2.replacement == Replacement::kLru);
  CHECK(arch::load_arch(file, {}).sm.l1.replacement == Replacement::kLru);
  for (const ReplacementInfo& info : kReplacements) {
    const std::array overrides{arch::Override{"sm.l1.replacement", std::string(info.name)},
                               arch::Override{"l2.replacement", std::string(info.name)}};
    const arch::Arch changed = arch::load_arch(file, overrides);
    CHECK(changed.sm.l1.replacement == info.policy);
    CHECK(changed.l2.replacement == info.policy);
    CHECK(arch::word_of(info.policy) == info.name);
  }
  const std::array unknown{arch::Override{"l2.replacement", "no-such-policy"}};
  CHECK_THROWS_WITH(arch::load_arch(file, unknown), Catch::Contains("srrip"));
}
