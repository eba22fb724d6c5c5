// SPDX-License-Identifier: MIT
// Walks one warp through a kernel: which instruction comes next, for which lanes, at which addresses. The only way
// the machine sees a trace; nothing downstream knows where it came from.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "sim/base/types.h"
#include "sim/trace/kernel.h"

namespace gpusim::trace {

/// One dynamic warp instruction.
struct Step {
  std::uint32_t pc = 0;  ///< index into Kernel::code
  LaneMask active = 0;   ///< lanes on this path
  LaneMask mask = 0;     ///< of those, the lanes whose guard predicate is true; may be empty: it issues, does nothing
};

/// Thirty-two lane addresses: base + offsets[lane], in bytes. Only lanes of the step's mask are meaningful.
struct LaneAddresses {
  static constexpr std::uint32_t kNoPattern = 0xffffffffU;
  Address base = 0;
  const std::int64_t* offsets = nullptr;  ///< 32 entries; valid until the walker's next call of addresses()
  /// Equal pattern ids of one kernel have equal offsets, so that a consumer may remember what it derived from them
  /// (coalescing, bank conflicts). Below Walker::pattern_count(kernel).
  std::uint32_t pattern = kNoPattern;
};

/// Which of an instruction's accesses: LDGSTS has both, everything else only the primary one.
enum class AccessSlot : std::uint8_t { kPrimary, kSharedDestination };

/// A CTA's place in the grid.
struct CtaId {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
};
[[nodiscard]] constexpr CtaId cta_at(std::uint64_t linear, const Dim3& grid) {
  return {static_cast<std::uint32_t>(linear % grid.x), static_cast<std::uint32_t>(linear / grid.x % grid.y),
          static_cast<std::uint32_t>(linear / (std::uint64_t{grid.x} * grid.y))};
}

/// The front ends' behaviours implement this; one object a kernel, shared and immutable (thread-safe), with all of a
/// warp's state in the Walker's WarpState.
class WarpState {
 public:
  virtual ~WarpState() = default;
  virtual bool next(Step& step) = 0;
  virtual LaneAddresses addresses(AccessSlot slot) = 0;
};

class Behaviour {
 public:
  virtual ~Behaviour() = default;
  [[nodiscard]] virtual std::unique_ptr<WarpState> start(const Kernel& kernel, CtaId cta, std::uint32_t warp) const = 0;
  [[nodiscard]] virtual std::uint32_t pattern_count() const = 0;
};

/// One warp's walk. Created when its CTA is placed on an SM.
class Walker {
 public:
  Walker() = default;
  /// Starts warp `warp` (0 .. warps_per_cta - 1) of a CTA. `kernel` must outlive the walker.
  Walker(const Kernel& kernel, CtaId cta, std::uint32_t warp) : state_(kernel.behaviour->start(kernel, cta, warp)) {}

  /// The next warp instruction; false when every lane has exited. Throws InputError when the trace's behaviour is
  /// impossible (an address outside its buffer, a division by zero), naming CTA, warp, lane and iteration.
  bool next(Step& step) { return state_->next(step); }
  /// Addresses of the instruction that next() gave last, for any of its lanes.
  LaneAddresses addresses(AccessSlot slot) { return state_->addresses(slot); }

 private:
  std::unique_ptr<WarpState> state_;
};

}  // namespace gpusim::trace
