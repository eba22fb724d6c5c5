// SPDX-License-Identifier: MIT
// Which lanes are on a warp's path, also those that do not execute: no line of a trace says.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/trace/kernel.h"

namespace gpusim::frontend::accelsim {

/// Follows a warp from line to line. With the whole code of the kernel it keeps a SIMT stack as the walker of programs
/// does: lanes that part at a branch run one side after the other and meet at its immediate post-dominator. Without it,
/// and from where a warp goes another way than that, the lanes before a guarded instruction count as active there.
class ActiveLanes {
 public:
  /// `kernel` must outlive this. `knows_code`: its edges are all there are, not only those that were seen.
  ActiveLanes(const trace::Kernel& kernel, bool knows_code);

  void begin_warp(std::uint32_t warp);
  /// The lanes on the path of the warp's next step.
  [[nodiscard]] LaneMask step(std::uint32_t pc, LaneMask mask);

 private:
  struct Waiting {
    std::uint32_t pc = 0;
    std::uint32_t join = 0;
    LaneMask lanes = 0;
  };
  bool follow(std::uint32_t pc, LaneMask mask);
  bool resume();
  void branch(LaneMask taken);
  void guess(std::uint32_t pc, LaneMask mask);

  const trace::Kernel& kernel_;
  std::vector<std::uint32_t> targets_;  ///< targets of branches, by index into the code
  std::vector<std::uint32_t> joins_;    ///< likewise, where their lanes meet; empty without the code
  std::vector<Waiting> stack_;
  std::uint32_t pc_ = 0;
  std::uint32_t join_ = trace::kExitNode;
  LaneMask active_ = 0;
  LaneMask live_ = 0;
  bool on_track_ = false;  ///< the warp went as the stack says so far
};

}  // namespace gpusim::frontend::accelsim
