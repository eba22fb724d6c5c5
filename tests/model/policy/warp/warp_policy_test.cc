// SPDX-License-Identifier: MIT
// Which of several candidates each warp scheduling policy takes, what all of them must hold, and their names.
#include <array>
#include <cstdint>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/policy_words.h"
#include "sim/model/arch/words.h"
#include "sim/model/policy/warp/scheduler.h"

using namespace gpusim;
using namespace gpusim::policy;

namespace {

/// Slots 0 to 3 with ages 5, 9, 1, 7; slot 2 is the oldest, slot 1 the youngest.
constexpr std::array<std::uint64_t, 4> kAges{5, 9, 1, 7};

template <class Policy>
std::uint32_t pick(SlotMask candidates, std::uint32_t last) {
  return Policy(WarpPolicyOptions{}).pick({candidates, last, kAges});
}

}  // namespace

TEST_CASE("greedy policies stay on the last warp, then take the youngest or the oldest") {
  CHECK(pick<GreedyThenYoungest>(0b1111, 0) == 0);
  CHECK(pick<GreedyThenOldest>(0b1111, 3) == 3);
  CHECK(pick<GreedyThenYoungest>(0b1101, 1) == 3);
  CHECK(pick<GreedyThenYoungest>(0b1110, 0) == 1);
  CHECK(pick<GreedyThenOldest>(0b1110, 0) == 2);
  CHECK(pick<GreedyThenOldest>(0b1010, 0) == 3);
}

TEST_CASE("round robin takes the next candidate in slot order and wraps") {
  CHECK(pick<LooseRoundRobin>(0b1111, 0) == 1);
  CHECK(pick<LooseRoundRobin>(0b1001, 0) == 3);
  CHECK(pick<LooseRoundRobin>(0b0111, 3) == 0);
  CHECK(pick<LooseRoundRobin>(0b0100, 2) == 2);
}

TEST_CASE("oldest first leaves the last warp for an older one") {
  CHECK(pick<OldestFirst>(0b1111, 1) == 2);
  CHECK(pick<OldestFirst>(0b1011, 1) == 0);
}

TEST_CASE("round robin wraps at the last slot a mask can have") {
  const std::array<std::uint64_t, 32> ages{};
  CHECK(LooseRoundRobin{}.pick({0x80000001U, 31, ages}) == 0);
}

TEST_CASE("the active set keeps its warps until they leave, and takes the oldest ready one in their place") {
  TwoLevel active({2});
  CHECK(active.eligible(0b1011, kAges) == 0b1001);  // slots 0 and 3 are older than 1; 2 is not ready
  CHECK(active.eligible(0b1111, kAges) == 0b1001);  // full, although 2 is the oldest
  active.began_long_wait(3);
  CHECK(active.eligible(0b0111, kAges) == 0b0101);
  active.began_long_wait(0);
  active.began_long_wait(2);
  CHECK(active.eligible(0b1000, kAges) == 0b1000);
}

TEST_CASE("an active warp that is not ready keeps its place") {
  TwoLevel active({1});
  CHECK(active.eligible(0b0001, kAges) == 0b0001);
  CHECK(active.eligible(0b0110, kAges) == 0);
  CHECK(active.eligible(0b0111, kAges) == 0b0001);
}

TEST_CASE("fair takes the warp that has issued least since its launch, the oldest of several") {
  std::array<std::uint64_t, 4> ages = kAges;
  WarpScheduler fair(WarpPolicy::kFair);
  const auto next = [&](SlotMask ready) {
    const std::uint32_t slot = fair.pick(fair.eligible(ready, ages), ages);
    fair.issued(slot);
    return slot;
  };
  CHECK(next(0b1111) == 2);  // none has issued
  CHECK(next(0b1111) == 0);
  CHECK(next(0b0101) == 2);  // one each
  CHECK(next(0b0101) == 0);
  CHECK(next(0b1111) == 3);
  ages[2] = 10;  // a new warp in slot 2 has issued nothing, and is younger than slot 1's
  CHECK(next(0b1111) == 1);
  CHECK(next(0b1111) == 2);
  CHECK(next(0b1111) == 3);
}

TEST_CASE("every policy of the table picks a candidate that it let be one, the same in every run") {
  for (const WarpPolicyInfo& info : kWarpPolicies) {
    CAPTURE(info.name);
    WarpScheduler one(info.policy, {3});
    WarpScheduler other(info.policy, {3});
    std::array<std::uint64_t, kMaxSlots> ages{};
    std::mt19937 random(1);
    for (std::uint64_t& age : ages) {
      age = random();
    }
    std::uint32_t picked = 0;
    for (int cycle = 0; cycle < 2000; ++cycle) {
      const auto ready = static_cast<SlotMask>(random() & random());
      const SlotMask eligible = one.eligible(ready, ages);
      REQUIRE(eligible == other.eligible(ready, ages));
      REQUIRE((eligible & ~ready) == 0);
      if (eligible != 0) {
        const std::uint32_t slot = one.would_pick(eligible, ages);
        REQUIRE(slot == one.pick(eligible, ages));
        REQUIRE(slot == other.pick(eligible, ages));
        if (one.has_state()) {
          one.issued(slot);
          other.issued(slot);
        }
        REQUIRE((eligible >> slot & 1U) == 1);
        ++picked;
      }
      // Any warp may begin a wait now, but only policies with state are told.
      if (const auto slot = static_cast<std::uint32_t>(random() % kMaxSlots); one.has_state()) {
        one.began_long_wait(slot);
        other.began_long_wait(slot);
      }
    }
    CHECK(picked > 500);  // nobody starves for want of a policy's favour
  }
}

TEST_CASE("a policy that stays on the last warp picks it wherever it is a candidate") {
  const auto stays = [](auto policy) {
    for (SlotMask candidates = 1; candidates < 16; ++candidates) {
      for (std::uint32_t last = 0; last < 4; ++last) {
        const bool is_candidate = (candidates >> last & 1U) != 0;
        REQUIRE((!is_candidate || !policy.kStaysOnLast || policy.pick({candidates, last, kAges}) == last));
      }
    }
  };
#define GPUSIM_X(enumerator, type, name, alias, option, what) stays(type(WarpPolicyOptions{}));
  GPUSIM_WARP_POLICIES(GPUSIM_X)
#undef GPUSIM_X
}

TEST_CASE("architecture files accept exactly the names of the policies there are") {
  const std::string file = std::string(GPUSIM_SOURCE_DIR) + "/configs/a100.yaml";
  for (const WarpPolicyInfo& info : kWarpPolicies) {
    for (const std::string_view name : {info.name, info.alias}) {
      if (!name.empty()) {
        const std::array overrides{arch::Override{"sm.scheduler.policy", std::string(name)}};
        CHECK(arch::load_arch(file, overrides).sm.scheduler.policy == info.policy);
      }
    }
    CHECK(arch::word_of(info.policy) == info.name);
  }
  const std::array unknown{arch::Override{"sm.scheduler.policy", "no-such-policy"}};
  CHECK_THROWS_WITH(arch::load_arch(file, unknown), Catch::Contains("gty") && Catch::Contains("oldest"));
}
