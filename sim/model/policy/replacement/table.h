// SPDX-License-Identifier: MIT
// The one table of replacement policies of L1 and L2. A new one is a file beside this one, a row here and its include
// in classes.h: the schema of architecture files, its documentation, the caches and the tests take it from here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpusim::policy {

// X(enumerator, class, name, what it does). A class has used(), entered() and victim(), each of a RankedSet. Each cache
// has an object of its own, so a policy may remember something of the whole cache. Caches have the first by default.
#define GPUSIM_REPLACEMENTS(X)                                                            \
  X(kLru, Lru, "lru", "lru: least recently used")                                         \
  X(kPseudoLru, PseudoLru, "pseudo-lru", "pseudo-lru: by one bit per way")                \
  X(kRandom, Random, "random", "random: any, the same in every run")                      \
  X(kSrrip, Srrip, "srrip", "srrip: by a prediction of the next use in two bits per way") \
  X(kDrrip, Drrip, "drrip", "drrip: srrip, or new lines leave first, whichever misses less")

enum class Replacement : std::uint8_t {
#define GPUSIM_X(enumerator, type, name, what) enumerator,
  GPUSIM_REPLACEMENTS(GPUSIM_X)
#undef GPUSIM_X
};

struct ReplacementInfo {
  Replacement policy;
  std::string_view name;
  std::string_view what;
};

/// By Replacement.
inline constexpr std::array kReplacements{
#define GPUSIM_X(enumerator, type, name, what) ReplacementInfo{Replacement::enumerator, name, what},
    GPUSIM_REPLACEMENTS(GPUSIM_X)
#undef GPUSIM_X
};

/// What all of them do, for the documentation of the keys that choose one.
#define GPUSIM_X(enumerator, type, name, what) "; " what
inline constexpr std::string_view kReplacementsMeaning =
    std::string_view(GPUSIM_REPLACEMENTS(GPUSIM_X)).substr(std::string_view("; ").size());
#undef GPUSIM_X

}  // namespace gpusim::policy
