// SPDX-License-Identifier: MIT
// One SM alone: a listing of SASS with control bits, run by any number of warps in front of a memory that answers every
// request after the same time. What each warp did in which cycle comes back as watch intervals.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/sm.h"
#include "sim/machine/sm/warps/stall_ledger.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/counter_blocks.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::test {

struct OneSmRun {
  std::vector<stats::WatchInterval> intervals;  ///< sorted by warp slot and begin
  sm::Profile profile;
  stats::CounterBlocks counted;
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
  Cycle cta_interval = 0;  ///< between the arrivals of CTAs
  Cycle memory_latency = 200;
  std::uint32_t stride_bytes = 4;  ///< between the addresses of neighbouring lanes
  unsigned window_divisor = 1;
  bool warm_code = false;  ///< the code is in the L1 instruction cache
  /// Lines a warp runs, by index, in order; every line once when empty. May jump, backwards too.
  std::function<std::vector<std::uint32_t>(std::uint32_t cta, std::uint32_t warp)> path;
  /// Called after every cycle, idle ones included, from 0 until all CTAs are back.
  std::function<void(const sm::Sm& sm, const lower::KernelImage& image, Cycle now)> observe;
};

/// "[B------:R-:W-:-:S04] FFMA R1, R2, R3, R4" a line; every warp runs every line once, in order, unless the set-up
/// gives it a path. Without control bits on every line they are assigned to all. Throws std::invalid_argument on a line
/// that does not parse.
[[nodiscard]] OneSmRun run_listing(const OneSmSetup& setup, const std::vector<std::string>& listing);

/// The kernel that run_listing() runs.
[[nodiscard]] trace::Kernel kernel_of(const OneSmSetup& setup, const std::vector<std::string>& listing);

/// A kernel of one's own; its grid and block must be those of the set-up, which has its path.
[[nodiscard]] OneSmRun run_kernel(const OneSmSetup& setup, const trace::Kernel& kernel);

/// configs/<name>.yaml, but every instruction and constant is at hand and there are as many register ports as anyone
/// wants: a test that is about them says so.
[[nodiscard]] arch::Arch shipped_arch(const std::string& name);

}  // namespace gpusim::test
