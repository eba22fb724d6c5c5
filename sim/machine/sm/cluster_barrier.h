// SPDX-License-Identifier: MIT
// The barrier of a cluster as one of its CTAs sees it: which of its warps have arrived, and which wait. The GPC's
// router knows of the other CTAs. Owns which of its warps have arrived, which wait, and for which it has opened.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "sim/machine/sm/warps/cta_table.h"

namespace gpusim::sm {

/// A warp arrives (barrier.cluster.arrive), later it waits (barrier.cluster.wait), and so on in turn (PTX ISA: anything
/// else is undefined). Its arrival counts when what it did in the shared memory of other CTAs is done, since to arrive
/// is to release. The CTA has arrived when all its warps have that have not exited.
class ClusterBarrier {
 public:
  ClusterBarrier() = default;
  explicit ClusterBarrier(std::uint32_t warps) : live_(warps) {}

  [[nodiscard]] bool has_arrived(std::uint32_t warp_slot) const {
    return ((announced_ | arrived_ | opened_) >> warp_slot & 1U) != 0;
  }
  [[nodiscard]] bool is_waiting(std::uint32_t warp_slot) const { return (waiting_ & bit(warp_slot)) != 0; }
  /// A warp that has not arrived does so, as soon as settle() is called.
  void announce(std::uint32_t warp_slot) { announced_ |= bit(warp_slot); }
  /// Nothing of the warp is under way to other CTAs. True when now the CTA has arrived.
  [[nodiscard]] bool settle(std::uint32_t warp_slot) {
    const WarpMask counts = announced_ & bit(warp_slot);
    announced_ &= ~counts;
    arrived_ |= counts;
    return counts != 0 && arrives();
  }
  /// A warp that has arrived waits. True when it must wait for release().
  [[nodiscard]] bool wait(std::uint32_t warp_slot) {
    const bool open = (opened_ & bit(warp_slot)) != 0;
    opened_ &= ~bit(warp_slot);
    waiting_ |= open ? 0 : bit(warp_slot);
    return !open;
  }
  /// True when now the CTA has arrived.
  [[nodiscard]] bool exit(std::uint32_t warp_slot) {
    --live_;
    announced_ &= ~bit(warp_slot);
    arrived_ &= ~bit(warp_slot);
    opened_ &= ~bit(warp_slot);
    return arrives();
  }
  /// All of the cluster have arrived. Returns the warps that waited.
  [[nodiscard]] WarpMask release() {
    told_ = false;
    opened_ |= std::exchange(arrived_, 0) & ~waiting_;
    return std::exchange(waiting_, 0);
  }
  [[nodiscard]] std::uint32_t live_warps() const { return live_; }

 private:
  static WarpMask bit(std::uint32_t slot) { return WarpMask{1} << slot; }
  [[nodiscard]] bool arrives() {
    const bool all = live_ > 0 && static_cast<std::uint32_t>(std::popcount(arrived_)) == live_;
    return all && !std::exchange(told_, true);
  }

  WarpMask announced_ = 0;  ///< will arrive when their accesses are done
  WarpMask arrived_ = 0;    ///< since the barrier opened last
  WarpMask waiting_ = 0;    ///< warps that wait for the barrier to open
  WarpMask opened_ = 0;     ///< warps for which it has opened, and which have not waited since
  std::uint32_t live_ = 0;
  bool told_ = false;  ///< the router knows that the CTA has arrived
};

}  // namespace gpusim::sm
