// SPDX-License-Identifier: MIT
// What is recorded of the warps of one kernel: which SMs, over which cycles, and what comes of it into the Result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/machine/sm/warps/stall_records.h"

namespace gpusim::lower {
struct KernelImage;
}
namespace gpusim::sm {
class Sm;
}
namespace gpusim::stats {
struct Result;
}

namespace gpusim::gpu {

class Machine;

class Watching {
 public:
  /// Watches the kernel with this number; `recorded`: intervals of the kernels before it.
  Watching(const SimulateOptions& options, std::uint32_t kernel, std::size_t recorded);

  /// One per SM; none when nothing of this kernel is asked for. They stay where they are.
  [[nodiscard]] std::span<sm::Watch> watches() { return watches_; }
  /// Whether the cycles have passed by `now`, and so have all waits that began in them.
  [[nodiscard]] bool has_seen_all(const Machine& machine, Cycle now);
  /// Adds the intervals, and a warning where there were too many.
  void add_to(const lower::KernelImage& image, stats::Result& result);

 private:
  /// How far the answer to a question has come.
  struct Question {
    WatchQuestion asked;
    std::size_t looked_through = 0;  ///< intervals
    bool covers = false;             ///< what the warp does in the cycle is among them
    bool goes_on = false;            ///< what comes behind the cycle is among them

    [[nodiscard]] bool is_answered(const sm::Sm& sm, const sm::Watch& watch);
  };

  std::vector<sm::Watch> watches_;
  std::vector<std::optional<Question>> questions_;  ///< one a watch
};

}  // namespace gpusim::gpu
