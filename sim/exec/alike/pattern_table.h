// SPDX-License-Identifier: MIT
// How the addresses of a warp's lanes lie to one another, as numbers: a kernel's accesses repeat few patterns, and the
// timing model remembers what it derived from each.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/exec/memory/rows.h"
#include "sim/model/trace/step.h"

namespace gpusim::exec {

/// The patterns of one kernel. Any thread may ask. The number of a pattern depends on the order in which threads ask,
/// and no result depends on that number.
class PatternTable {
 public:
  /// Beyond so many, patterns have no number.
  static constexpr std::uint32_t kMost = 4096;

  struct Pattern {
    alignas(kRowAlignment) std::array<std::int64_t, kWarpLanes> offsets{};  ///< from the lowest lane that takes part
    std::uint32_t number = trace::LaneAddresses::kNoPattern;
    [[nodiscard]] bool fits(const std::array<std::int64_t, kWarpLanes>& other) const;
  };

  /// Null when there are too many. Lives as long as the table.
  [[nodiscard]] const Pattern* find_or_add(const std::array<std::int64_t, kWarpLanes>& offsets);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<const Pattern>> patterns_;  ///< by number
  std::vector<const Pattern*> buckets_;                   ///< open addressing; empty before the first pattern
};

/// What an SM remembers of a kernel's instructions: the pattern that each had last.
class LastPatterns {
 public:
  LastPatterns(PatternTable& table, std::size_t instructions) : table_(table), last_(2 * instructions) {}

  /// The addresses as the walker gives them, of the instruction at `pc`. `offsets`: where they are kept when they have
  /// no pattern.
  [[nodiscard]] trace::LaneAddresses of(std::uint32_t pc, trace::AccessSlot slot, const AddressRow& addresses,
                                        Address base, std::array<std::int64_t, kWarpLanes>& offsets);

 private:
  /// In a row without one that was known before: an instruction that goes anywhere is not looked up any more.
  static constexpr std::uint32_t kPatience = 64;
  struct Last {
    const PatternTable::Pattern* pattern = nullptr;
    std::uint32_t changes = 0;
  };

  PatternTable& table_;
  std::vector<Last> last_;  ///< by instruction and slot
};

}  // namespace gpusim::exec
