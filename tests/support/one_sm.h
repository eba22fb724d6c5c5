// SPDX-License-Identifier: MIT
// One SM alone: a listing of SASS with control bits, run by any number of warps in front of a memory that answers every
// request after the same time. What each warp did in which cycle comes back as watch intervals.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/arch/arch.h"
#include "sim/sm/stall_ledger.h"
#include "sim/stats/counters.h"
#include "sim/stats/result.h"

namespace gpusim::test {

struct OneSmRun {
  std::vector<stats::WatchInterval> intervals;  ///< sorted by warp slot and begin
  sm::Profile profile;
  stats::SmCounters counters;
  stats::L1Counters l1;
  Cycle last_drained = 0;
  bool finished = false;  ///< every CTA came back

  /// Cycles at which the warp in `slot` issued, in order.
  [[nodiscard]] std::vector<Cycle> issues(std::uint32_t slot) const;
  /// Cycles the warp in `slot` spent in `state`.
  [[nodiscard]] std::uint64_t cycles(std::uint32_t slot, stats::Stall state) const;
};

struct OneSmSetup {
  arch::Arch arch;
  std::uint32_t threads_per_cta = 32;
  std::uint32_t ctas = 1;
  Cycle memory_latency = 200;
  std::uint32_t stride_bytes = 4;  ///< between the addresses of neighbouring lanes
  unsigned window_divisor = 1;
};

/// "[B------:R-:W-:-:S04] FFMA R1, R2, R3, R4" a line; every warp runs every line once, in order. Without control bits
/// on the first line they are assigned to all. Throws std::invalid_argument on a line that does not parse.
[[nodiscard]] OneSmRun run_listing(const OneSmSetup& setup, const std::vector<std::string>& listing);

/// configs/<name>.yaml.
[[nodiscard]] arch::Arch shipped_arch(const std::string& name);

}  // namespace gpusim::test
