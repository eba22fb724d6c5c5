// SPDX-License-Identifier: MIT
// What TLBs count while a kernel runs.
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/stats/field.h"

namespace gpusim::stats {

/// TLBs of one GPC or of the whole GPU (or the sum), for requests from SMs to L2. A request for a page whose
/// translation is on its way counts as a miss. A level whose ways are not all used yet hits: an earlier launch has left
/// there what fits.
struct TlbCounters {
  std::uint64_t l1_lookups = 0;
  std::uint64_t l1_hits = 0;
  std::uint64_t l1_misses = 0;
  std::uint64_t l1_merges = 0;
  std::uint64_t l2_lookups = 0;
  std::uint64_t l2_hits = 0;
  std::uint64_t l2_misses = 0;
  std::uint64_t l2_merges = 0;
  std::uint64_t l3_lookups = 0;
  std::uint64_t l3_hits = 0;
  std::uint64_t l3_misses = 0;
  std::uint64_t l3_merges = 0;
  std::uint64_t walks = 0;
  std::uint64_t wait_cycles = 0;

  static const std::array<Field<TlbCounters>, 14> kFields;
};
inline constexpr std::array<Field<TlbCounters>, 14> TlbCounters::kFields{{
    {"l1_lookups", Unit::kRequests, "requests to L2 whose page the TLB of their TPC was asked for",
     &TlbCounters::l1_lookups},
    {"l1_hits", Unit::kRequests, "requests whose page the TLB of their TPC knew", &TlbCounters::l1_hits},
    {"l1_misses", Unit::kRequests, "requests whose page it did not know (merged ones included)",
     &TlbCounters::l1_misses},
    {"l1_merges", Unit::kRequests, "missed pages that it was waiting for", &TlbCounters::l1_merges},
    {"l2_lookups", Unit::kCount, "pages that the TLB of a GPC was asked for", &TlbCounters::l2_lookups},
    {"l2_hits", Unit::kCount, "pages that the TLB of a GPC knew", &TlbCounters::l2_hits},
    {"l2_misses", Unit::kCount, "pages that it did not know (merged ones included)", &TlbCounters::l2_misses},
    {"l2_merges", Unit::kCount, "missed pages that it was waiting for", &TlbCounters::l2_merges},
    {"l3_lookups", Unit::kCount, "pages that the GPU's TLB was asked for", &TlbCounters::l3_lookups},
    {"l3_hits", Unit::kCount, "pages that the GPU's TLB knew", &TlbCounters::l3_hits},
    {"l3_misses", Unit::kCount, "pages that it did not know (merged ones included)", &TlbCounters::l3_misses},
    {"l3_merges", Unit::kCount, "missed pages that a walk was under way for", &TlbCounters::l3_merges},
    {"walks", Unit::kCount, "page walks", &TlbCounters::walks},
    {"wait_cycles", Unit::kCycles, "requests times cycles that they waited for a translation",
     &TlbCounters::wait_cycles},
}};
static_assert(covers_every_field<TlbCounters>());

}  // namespace gpusim::stats
