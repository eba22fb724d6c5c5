// SPDX-License-Identifier: MIT
// A run of a kernel with the timing model: a port and an interpreter for each SM, and CTAs where the model places them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/exec/alike/alike_ctas.h"
#include "sim/exec/alike/pattern_table.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/core/image.h"
#include "sim/exec/memory/checking_port.h"
#include "sim/exec/memory/global_memory.h"
#include "sim/exec/run/interpreter.h"
#include "sim/exec/trace/cluster_window.h"
#include "sim/exec/trace/warp_walk.h"
#include "sim/exec/trace/window_port.h"
#include "sim/model/trace/executed.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::exec {

/// A CTA with the walks of its warps.
class CtaWalk final : public trace::ExecutedCta {
 public:
  CtaWalk(const Image& image, trace::CtaId place, WalkPlace& walk_place);
  [[nodiscard]] Cta& cta() { return cta_; }
  /// The other CTAs of its cluster run apart from it.
  void sit(const ClusterSeat::Place& place, RunningCtas& running, ClusterWindow& window) {
    seat_.emplace(cta_, place, running, window);
  }
  [[nodiscard]] trace::ExecutedWarp& warp(std::uint32_t index) override { return walks_[index]; }
  [[nodiscard]] std::vector<WarpWalk>& walks() { return walks_; }

 private:
  Cta cta_;
  std::vector<WarpWalk> walks_;
  std::optional<ClusterSeat> seat_;
};

class TimedExecution final : public trace::Execution {
 public:
  /// What the kernel's runs have in common.
  struct Shared {
    const Image& image;
    const trace::Kernel& kernel;
    PatternTable& patterns;
    AlikeCtas& alike;
  };
  /// All of them must outlive it.
  TimedExecution(const Shared& shared, GlobalMemory& memory, std::uint32_t sms, std::uint64_t most_walked);
  /// A launch file may have many kernels, each with records of some megabytes.
  ~TimedExecution() override { shared_.alike.forget(); }
  TimedExecution(const TimedExecution&) = delete;
  TimedExecution& operator=(const TimedExecution&) = delete;

  [[nodiscard]] std::unique_ptr<trace::ExecutedCta> begin_cta(std::uint32_t sm, std::uint64_t cta) override;
  void exchange() override;

 private:
  /// What an SM has of its own.
  struct Sm {
    Sm(const Image& image, const trace::Kernel& kernel, GlobalPort& port, PatternTable& table)
        : interpreter(image, port), patterns(table, kernel.code.size()), place{interpreter, kernel, patterns} {}
    Interpreter interpreter;
    LastPatterns patterns;
    WalkPlace place;
  };

  Shared shared_;
  GlobalMemory& memory_;
  std::uint64_t most_walked_;
  std::uint64_t exchanges_ = 1;
  std::vector<WindowPort> ports_;       ///< by SM; none where the image has no values
  std::vector<CheckingPort> checks_;    ///< by SM; those of an image without values
  std::vector<ClusterWindow> windows_;  ///< by SM
  RunningCtas running_;
  std::vector<std::unique_ptr<Sm>> sms_;
};

}  // namespace gpusim::exec
