// SPDX-License-Identifier: MIT
// The CTAs resident on one SM. Owns their state, and which warp slots are free.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/trace/executed.h"

namespace gpusim::sm {

/// One bit per warp slot of the SM.
using WarpMask = std::uint64_t;

struct Cta {
  bool resident = false;
  std::uint64_t linear = 0;                        ///< index in the grid
  std::uint32_t live_warps = 0;                    ///< not exited: a barrier without a count waits for these
  std::uint32_t leaving_warps = 0;                 ///< not yet drained: the CTA stays until these have gone
  std::unique_ptr<trace::ExecutedCta> executed{};  ///< null where the kernel is not executed
};

class CtaTable {
 public:
  CtaTable(std::uint32_t ctas, std::uint32_t warp_slots, std::uint32_t sub_cores)
      : ctas_(ctas), free_(warp_slots == 64 ? ~WarpMask{0} : (WarpMask{1} << warp_slots) - 1), sub_cores_(sub_cores) {
    for (std::uint32_t slot = 0; slot < 64; slot += sub_cores) {
      first_sub_core_ |= WarpMask{1} << slot;
    }
  }

  [[nodiscard]] const Cta& operator[](std::uint32_t slot) const { return ctas_[slot]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ctas_.size()); }

  /// A free CTA slot for CTA `linear` of `warps` warps; the dispatcher's ledger knows that there is one.
  std::uint32_t place(std::uint64_t linear, std::uint32_t warps, std::unique_ptr<trace::ExecutedCta> executed = {}) {
    for (std::uint32_t slot = 0; slot < ctas_.size(); ++slot) {
      if (!ctas_[slot].resident) {
        ctas_[slot] = {true, linear, warps, warps, std::move(executed)};
        return slot;
      }
    }
    assert(false && "the dispatcher sent one CTA too many");
    return 0;
  }

  /// Takes a free warp slot in the sub-core with the most free ones (the first of equals), so that the quarters stay
  /// even. Slot w belongs to sub-core w % sub_cores, as the hardware numbers warps.
  std::uint32_t take_warp_slot() {
    std::uint32_t best = 0;
    int most = -1;
    for (std::uint32_t s = 0; s < sub_cores_; ++s) {
      const int free = std::popcount(free_ & sub_core_mask(s));
      if (free > most) {
        most = free;
        best = s;
      }
    }
    const WarpMask of_best = free_ & sub_core_mask(best);
    assert(of_best != 0);
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(of_best));
    free_ &= ~(WarpMask{1} << slot);
    return slot;
  }
  void give_back_warp_slot(std::uint32_t slot) { free_ |= WarpMask{1} << slot; }

  /// A warp of the CTA has exited.
  void exit(std::uint32_t cta) { --ctas_[cta].live_warps; }
  /// A warp that has exited is gone from the SM. Returns whether it was the CTA's last.
  [[nodiscard]] bool leave(std::uint32_t cta) { return --ctas_[cta].leaving_warps == 0; }
  /// All warps are gone: the slot is free.
  void release(std::uint32_t cta) {
    ctas_[cta].resident = false;
    ctas_[cta].executed.reset();
  }

 private:
  [[nodiscard]] WarpMask sub_core_mask(std::uint32_t sub_core) const { return first_sub_core_ << sub_core; }

  std::vector<Cta> ctas_;
  WarpMask free_;
  WarpMask first_sub_core_ = 0;  ///< the slots of sub-core 0
  std::uint32_t sub_cores_;
};

}  // namespace gpusim::sm
