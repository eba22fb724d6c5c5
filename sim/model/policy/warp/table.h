// SPDX-License-Identifier: MIT
// The one table of warp scheduling policies. A new one is a file beside this one, a row here and its include in
// scheduler.h: the schema of architecture files, its documentation and the tests take the names from here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpusim::policy {

// X(enumerator, class, name, alias ("" if none), key of a configuration that it takes ("" if none), what it does)
#define GPUSIM_WARP_POLICIES(X)                                                                           \
  X(kGreedyThenYoungest, GreedyThenYoungest, "gty", "greedy-then-youngest", "",                           \
    "gty: the warp that issued last, else the youngest")                                                  \
  X(kGreedyThenOldest, GreedyThenOldest, "gto", "greedy-then-oldest", "",                                 \
    "gto: the warp that issued last, else the oldest")                                                    \
  X(kLooseRoundRobin, LooseRoundRobin, "lrr", "loose-round-robin", "",                                    \
    "lrr: the next one after the warp that issued last")                                                  \
  X(kOldestFirst, OldestFirst, "oldest", "oldest-first", "", "oldest: the oldest")                        \
  X(kTwoLevel, TwoLevel, "two-level", "", "sm.scheduler.active_warps", "two-level: lrr in an active set") \
  X(kFair, Fair, "fair", "", "", "fair: the warp that has issued the fewest instructions, else the oldest")

enum class WarpPolicy : std::uint8_t {
#define GPUSIM_X(enumerator, type, name, alias, option, what) enumerator,
  GPUSIM_WARP_POLICIES(GPUSIM_X)
#undef GPUSIM_X
};

struct WarpPolicyInfo {
  WarpPolicy policy;
  std::string_view name;
  std::string_view alias;   ///< empty: none
  std::string_view option;  ///< key of a configuration that no other policy need take; empty: none
  std::string_view what;
};

/// By WarpPolicy.
inline constexpr std::array kWarpPolicies{
#define GPUSIM_X(enumerator, type, name, alias, option, what) \
  WarpPolicyInfo{WarpPolicy::enumerator, name, alias, option, what},
    GPUSIM_WARP_POLICIES(GPUSIM_X)
#undef GPUSIM_X
};

/// What all of them do, for the documentation of the key that chooses one.
#define GPUSIM_X(enumerator, type, name, alias, option, what) "; " what
inline constexpr std::string_view kWarpPoliciesMeaning =
    std::string_view(GPUSIM_WARP_POLICIES(GPUSIM_X)).substr(std::string_view("; ").size());
#undef GPUSIM_X

}  // namespace gpusim::policy
