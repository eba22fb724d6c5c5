// SPDX-License-Identifier: MIT
// A warp whose instructions take effect one by one, as whoever walks it says: the instruction that comes next, for
// which lanes, is known before it takes effect, and its addresses when it does.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/run/interpreter.h"
#include "sim/exec/trace/pattern_table.h"
#include "sim/exec/trace/window_port.h"
#include "sim/model/trace/executed.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::exec {

/// What the warps of an SM, or of an untimed run, share.
struct WalkPlace {
  Interpreter& interpreter;
  const trace::Kernel& kernel;
  LastPatterns& patterns;
  WindowPort* port = nullptr;  ///< of the interpreter; null where memory changes at once
  /// How often what was kept has been exchanged; null without a port.
  const std::uint64_t* exchanges = nullptr;
  std::array<std::int64_t, kWarpLanes> offsets{};  ///< of the last access
};

class WarpWalk final : public trace::ExecutedWarp {
 public:
  WarpWalk(Warp& warp, WalkPlace& place) : warp_(warp), place_(place) {}

  bool next(trace::Step& step, Cycle now) override;
  trace::LaneAddresses addresses(trace::AccessSlot slot) override;

  /// Whether the instruction that next() gave last can take effect: not while its lanes wait for other warps.
  [[nodiscard]] bool can_go() { return warp_.resume(); }
  [[nodiscard]] std::uint32_t pc() const { return pc_; }

 private:
  void take_effect();
  void find(trace::Step& step);
  void note_unreturned();
  void require_returned() const;

  Warp& warp_;
  WalkPlace& place_;
  std::uint32_t pc_ = 0;     ///< of the instruction that next() gave last
  bool is_pending_ = false;  ///< it has not taken effect
  /// Atomics whose values are not there before the next exchange, as indices of instructions.
  std::vector<std::uint32_t> unreturned_;
  std::uint64_t unreturned_since_ = 0;
};

}  // namespace gpusim::exec
