// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sim/model/policy/replacement/srrip.h"

namespace gpusim::policy {

/// Dynamic re-reference interval prediction (Jaleel et al., ISCA 2010, whose counter of 10 bits and one late line in 32
/// these are; how many sets lead is a guess). Some sets always rank a new line as SRRIP does. As many others rank most
/// new lines as the first to leave, so that part of a working set that does not fit stays. One saturating counter
/// compares the misses of both kinds, and all other sets do what misses less. Another use of a line, and the choice of
/// the one that leaves, are as in SRRIP. A cache of one set acts as SRRIP.
class Drrip {
 public:
  static void used(RankedSet set, std::uint32_t way) { Srrip::used(set, way); }
  static std::uint32_t victim(RankedSet set) { return Srrip::victim(set); }
  void entered(RankedSet set, std::uint32_t way) {
    set.ranks[way] =
        enters_distant(set.number % kSetsADuel) && ++distant_ % kLateOneIn != 0 ? Srrip::kDistant : Srrip::kLate;
  }

 private:
  /// Among so many consecutive sets, one always enters lines as SRRIP does, and one as the first to leave.
  static constexpr std::uint64_t kSetsADuel = 32;
  static constexpr std::uint64_t kLateLeader = 0;
  static constexpr std::uint64_t kDistantLeader = 1;
  static constexpr std::uint32_t kMostMisses = (1U << 10) - 1;
  static constexpr std::uint32_t kEven = 1U << 9;  ///< both kinds have missed as often
  static constexpr std::uint32_t kLateOneIn = 32;  ///< one line in so many is late in a set whose lines are distant

  /// Counts the miss of a leading set.
  [[nodiscard]] bool enters_distant(std::uint64_t place) {
    if (place == kLateLeader) {
      misses_ += misses_ < kMostMisses ? 1 : 0;
      return false;
    }
    if (place == kDistantLeader) {
      misses_ -= misses_ > 0 ? 1 : 0;
      return true;
    }
    return misses_ > kEven;
  }

  std::uint32_t misses_ = kEven;  ///< above kEven: sets that enter lines as SRRIP does miss more
  std::uint32_t distant_ = 0;
};

}  // namespace gpusim::policy
