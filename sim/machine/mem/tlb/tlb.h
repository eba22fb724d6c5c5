// SPDX-License-Identifier: MIT
// The entries of one TLB: which groups of pages it knows. Set-associative with exact LRU. It knows nothing of time.
// Owns the entries and the order of their use.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/divider.h"
#include "sim/base/types.h"
#include "sim/model/arch/tlb_config.h"

namespace gpusim::mem::tlb {

/// Number of the group of pages that one entry covers: address / (pages * page_bytes).
using Group = std::uint64_t;

class Tlb {
 public:
  /// `level.pages` and `page_bytes` are powers of two, `level.entries` a multiple of `level.ways`.
  Tlb(const arch::TlbLevel& level, std::uint64_t page_bytes);

  [[nodiscard]] Group group_of(Address address) const { return address >> shift_; }

  /// Whether the group is known; it is the most recently used then. A way that was never used counts as the group's: an
  /// earlier launch has left there what fits.
  [[nodiscard]] bool look_up(Group group) { return is_latest(group) || find_or_claim(group); }
  /// Whether the group was used last: most requests are for the page of the one before.
  [[nodiscard]] bool is_latest(Group group) const { return group == latest_; }
  /// The group is known from now on, at the cost of the least recently used of its set.
  void fill(Group group);

 private:
  static constexpr Group kNoGroup = ~Group{0};
  struct Way {
    Group group = kNoGroup;
    std::uint64_t used = 0;  ///< when last; 0: never
  };
  [[nodiscard]] Way* set_of(Group group) { return ways_.data() + by_sets_.remainder(group) * associativity_; }
  [[nodiscard]] bool find_or_claim(Group group);
  void use(Way& way, Group group);

  unsigned shift_;
  std::uint32_t associativity_;
  Divider by_sets_;
  std::vector<Way> ways_;  ///< a set's side by side
  std::uint64_t clock_ = 0;
  Group latest_ = kNoGroup;
};

}  // namespace gpusim::mem::tlb
