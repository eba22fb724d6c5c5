// SPDX-License-Identifier: MIT
// Register reallocation (PTX ISA, setmaxnreg): warps of a CTA give registers back to its pool, and others take them.
// Owns the free registers of each CTA, and how many each warp has.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/rounding.h"
#include "sim/machine/sm/async/mbarrier_wait_queue.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::sm {

class RegisterPool {
 public:
  RegisterPool(std::uint32_t cta_slots, std::uint32_t warp_slots, const trace::Kernel& kernel, MbarrierWaitQueue& waits)
      : kernel_(kernel), waits_(waits), free_(cta_slots), of_warp_(warp_slots) {}

  void begin_cta(std::uint32_t cta) { free_[cta] = 0; }
  /// Warps begin with the registers that the kernel was compiled for.
  void begin_warp(std::uint32_t warp) { of_warp_[warp] = round_up(kernel_.registers_per_thread, kUnit); }

  /// USETMAXREG.DEALLOC: the warp keeps `registers` a thread. Throws InputError when it has fewer.
  void give_back(std::uint32_t cta, std::uint32_t warp, std::uint32_t registers, std::uint32_t pc, Cycle now);
  /// USETMAXREG.TRY_ALLOC: the poll's registers, if the pool has them. Throws InputError when the warp has more.
  void ask(const Poll& poll, Cycle now);

  /// Registers a thread that the warp has.
  [[nodiscard]] std::uint32_t of_warp(std::uint32_t warp) const { return of_warp_[warp]; }
  /// Registers a thread of one warp that lie in the CTA's pool.
  [[nodiscard]] std::uint32_t free_in(std::uint32_t cta) const { return free_[cta]; }

 private:
  static constexpr std::uint32_t kUnit = 8;  ///< registers a thread are handed out in eights (PTX ISA, setmaxnreg)

  [[nodiscard]] bool take(const Poll& poll);
  [[noreturn]] void fail(std::uint32_t pc, std::uint32_t has, bool gives) const;

  const trace::Kernel& kernel_;
  MbarrierWaitQueue& waits_;
  std::vector<std::uint32_t> free_;     ///< by CTA slot
  std::vector<std::uint32_t> of_warp_;  ///< by warp slot
};

}  // namespace gpusim::sm
