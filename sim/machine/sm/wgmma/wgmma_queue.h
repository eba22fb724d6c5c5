// SPDX-License-Identifier: MIT
// WGMMA operations on their way through the tensor cores of an SM. The four warps of a warpgroup issue the same
// operations in the same order; one is complete when the last of them has issued it, and then the four tensor cores
// work on it together, because the matrix in shared memory is read once for all four. Complete operations go in order.
// Owns the operations that each warpgroup has issued, and the order of those that are complete.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/ring.h"

namespace gpusim::lower {
struct WarpOp;
}

namespace gpusim::sm {

inline constexpr std::uint32_t kWarpgroupWarps = 4;

/// Which warp issued an operation.
struct WgmmaOrigin {
  std::uint16_t warp_slot = 0;  ///< warp slot of the SM
  std::uint32_t cta_slot = 0;
  std::uint32_t warp_in_cta = 0;
};

/// One operation of four warps.
struct Wgmma {
  const lower::WarpOp* op = nullptr;
  std::array<std::uint16_t, kWarpgroupWarps> warp_slots{};
  std::uint8_t issued = 0;  ///< mask of the warps that have
};

class WgmmaQueue {
 public:
  WgmmaQueue(std::uint32_t ctas, std::uint32_t warps_per_cta)
      : groups_per_cta_((warps_per_cta + kWarpgroupWarps - 1) / kWarpgroupWarps), groups_(ctas * groups_per_cta_) {}

  /// A warp issues its next operation. A warp that issues another instruction than the warps before it has not issued
  /// theirs: the operation never completes, and a warp that waits for it never goes on, which the deadlock detector
  /// reports.
  void issue(const lower::WarpOp& op, const WgmmaOrigin& origin);

  /// The operation that the tensor cores are to work on: the first of those that are complete; null when there is none.
  [[nodiscard]] const Wgmma* front() const;
  /// Takes it out.
  void pop();

  /// The warps (mask) that have not issued the first operation of the warp's group, if the warp itself has; else 0.
  [[nodiscard]] std::uint8_t missing(const WgmmaOrigin& origin) const;

 private:
  struct Warpgroup {
    Ring<Wgmma> operations;                               ///< not ended, oldest first
    std::array<std::uint32_t, kWarpgroupWarps> issued{};  ///< operations of each warp since the kernel began
    std::uint32_t ended = 0;
  };
  [[nodiscard]] std::size_t index_of(const WgmmaOrigin& origin) const {
    return origin.cta_slot * groups_per_cta_ + origin.warp_in_cta / kWarpgroupWarps;
  }

  std::uint32_t groups_per_cta_;
  std::vector<Warpgroup> groups_;
  Ring<std::uint32_t> complete_;  ///< warpgroups, one entry per complete operation
};

}  // namespace gpusim::sm
