// SPDX-License-Identifier: MIT
// Runs a whole grid without time: CTAs in order, the warps of a CTA in turn. The same results every time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/exec/core/watch.h"

namespace gpusim::exec {

class Cta;
class GlobalPort;
struct Image;

struct RunLimits {
  /// Warp instructions of the whole grid, after which the kernel is taken to run forever.
  std::uint64_t warp_instructions = 20'000'000'000;
  /// Instructions of one warp, after which it is taken to be in an endless loop.
  std::uint64_t instructions_of_warp = ~std::uint64_t{0};
};

struct RunCounts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// Throws InputError for what the kernel may not do, CannotFinishError when its warps wait for each other, or when the
/// limit is reached: then it names the loop.
RunCounts run_grid(const Image& image, GlobalPort& global, const RunLimits& limits = {});

/// What hears of a run that checks its kernel.
class GridWatch : public Watch {
 public:
  /// CTAs that begin together, by their ranks in the cluster.
  virtual void begins(const std::vector<std::unique_ptr<Cta>>& cluster) = 0;
  using Watch::begins;
};

/// The same, told to `watch`. It is slower, and goes on after accesses that are not possible if `watch` says so.
RunCounts run_watched(const Image& image, GlobalPort& global, const RunLimits& limits, GridWatch& watch);

}  // namespace gpusim::exec
