// SPDX-License-Identifier: MIT
// A warp whose instructions take effect one by one, as its caller says: the instruction that comes next, for
// which lanes, is known before it takes effect, and its addresses when it does.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/trace/engine_operands.h"
#include "sim/model/trace/executed.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::exec {

class ClusterWindow;
class Interpreter;
class LastPatterns;
class WindowPort;

/// What the warps of an SM, or of an untimed run, share.
struct WalkPlace {
  Interpreter& interpreter;
  const trace::Kernel& kernel;
  LastPatterns& patterns;
  /// Instructions of a warp, before it is taken to be in an endless loop.
  std::uint64_t most_walked = trace::kMostWalked;
  WindowPort* port = nullptr;  ///< port of the interpreter that keeps what is stored; null where none does
  /// How often what was kept has been exchanged; null in a run without time.
  const std::uint64_t* exchanges = nullptr;
  ClusterWindow* window = nullptr;  ///< null in a run without time
  TensorMaps tensor_maps{};
  std::array<std::int64_t, kWarpLanes> offsets{};  ///< offsets of the last access
  [[nodiscard]] bool is_timed() const { return exchanges != nullptr; }
};

class WarpWalk final : public trace::ExecutedWarp {
 public:
  WarpWalk(Warp& warp, WalkPlace& place) : warp_(warp), place_(place) {}

  /// Throws CannotFinishError for an endless loop, which it names.
  bool next(trace::Step& step, Cycle now) override;
  trace::LaneAddresses addresses(trace::AccessSlot slot) override;
  trace::AsyncOperands async_operands() override;
  isa::MemSpace space() override;
  std::uint32_t target_rank() override;
  void answer(std::uint32_t pc, bool yes, trace::Step& step) override;

  /// Whether the instruction that next() gave last can take effect: not while its lanes wait for other warps.
  [[nodiscard]] bool can_go() { return warp_.resume(); }
  [[nodiscard]] std::uint32_t pc() const { return pc_; }
  /// Whether what took effect last asked for something that has not happened.
  [[nodiscard]] bool polled_in_vain() const { return polled_in_vain_; }

 private:
  void take_effect();
  void find(trace::Step& step);
  void note_loop();
  void note_unreturned();
  [[nodiscard]] bool returns_later() const;
  [[nodiscard]] LaneMask lanes_elsewhere() const;
  [[nodiscard]] trace::LaneAddresses addresses_elsewhere();
  void require_returned() const;
  void note_poll();
  [[noreturn]] void fail_too_early(std::uint32_t producer, const char* what, const char* hint) const;

  Warp& warp_;
  WalkPlace& place_;
  std::uint32_t pc_ = 0;     ///< pc of the instruction that next() gave last
  bool is_pending_ = false;  ///< it has not taken effect
  std::uint64_t walked_ = 0;
  /// What the warp comes by when it has walked too far: the loop.
  std::uint32_t loop_begin_ = ~std::uint32_t{0};
  std::uint32_t loop_end_ = 0;
  /// Atomics, and loads from other CTAs, whose values are not there before the next exchange, as indices of
  /// instructions.
  std::vector<std::uint32_t> unreturned_;
  std::uint64_t unreturned_since_ = 0;
  /// A poll that the machine has not answered: what it found in memory is ahead of the machine's time.
  struct Unanswered {
    std::uint32_t pc;
    std::uint8_t predicate;
    LaneMask mask;
  };
  std::vector<Unanswered> unanswered_;
  bool polled_in_vain_ = false;
};

}  // namespace gpusim::exec
