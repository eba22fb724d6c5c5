// SPDX-License-Identifier: MIT
#include "sim/machine/mem/tlb/tlb.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace gpusim::mem::tlb {

Tlb::Tlb(const arch::TlbLevel& level, std::uint64_t page_bytes)
    : shift_(static_cast<unsigned>(std::countr_zero(page_bytes) + std::countr_zero(std::uint64_t{level.pages}))),
      associativity_(level.ways),
      by_sets_(level.entries / level.ways),
      ways_(level.entries) {
  assert(std::has_single_bit(page_bytes) && std::has_single_bit(level.pages) && level.entries % level.ways == 0);
}

void Tlb::use(Way& way, Group group) {
  way = {group, ++clock_};
  latest_ = group;
}

bool Tlb::find_or_claim(Group group) {
  Way* const set = set_of(group);
  Way* const end = set + associativity_;
  // Ways are used from the first on, so whatever comes after one that never was is unused, too.
  Way* const way = std::find_if(set, end, [group](const Way& one) { return one.group == group || one.used == 0; });
  if (way == end) {
    return false;
  }
  use(*way, group);
  return true;
}

void Tlb::fill(Group group) {
  if (look_up(group)) {
    return;
  }
  Way* const set = set_of(group);
  use(*std::min_element(set, set + associativity_, [](const Way& a, const Way& b) { return a.used < b.used; }), group);
}

}  // namespace gpusim::mem::tlb
