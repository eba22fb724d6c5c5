// SPDX-License-Identifier: MIT
// What the warps of an SM agree by: mbarriers, the waits on them, and the pools of registers that warps hand each
// other. Owns those three, and the signals to mbarriers that are under way.
#pragma once

#include <cstdint>

#include "sim/base/slot_pool.h"
#include "sim/machine/sm/async/mbarrier.h"
#include "sim/machine/sm/async/mbarrier_wait_queue.h"
#include "sim/machine/sm/async/register_pool.h"
#include "sim/machine/sm/memory/access.h"
#include "sim/machine/sm/memory/copy_groups.h"
#include "sim/model/arch/sm_config.h"

namespace gpusim::sm {

class LsuTiming;

class SyncUnit {
 public:
  /// For `ctas` CTAs of the kernel at a time. `copies` are LDGSTS groups, whose ends an mbarrier can count.
  SyncUnit(const arch::SmConfig& sm, const trace::Kernel& kernel, std::uint32_t ctas, const LsuTiming& timing,
           CopyGroups& copies, SmEvents& events);

  void begin_warp(std::uint16_t warp);
  void begin_cta(std::uint32_t cta);

  /// An operation on an mbarrier of the CTA, a poll, or one on its register pool. Returns the cycles for which it takes
  /// the load/store unit.
  std::uint32_t execute(const Access& access, Cycle now);
  /// A copy has written all its bytes at `at`: a kMbarrierSignal event follows.
  void signal_bytes(const MbarrierUse& use, std::uint64_t bytes, Cycle at);
  /// A kMbarrierSignal event, with its number.
  void signal(std::uint32_t index, Cycle now);

  [[nodiscard]] MbarrierWaitQueue& waits() { return waits_; }
  [[nodiscard]] const MbarrierWaitQueue& waits() const { return waits_; }
  [[nodiscard]] MbarrierFile& mbarriers() { return mbarriers_; }
  [[nodiscard]] const MbarrierFile& mbarriers() const { return mbarriers_; }
  [[nodiscard]] const RegisterPool& registers() const { return registers_; }

 private:
  void execute_mbarrier(const Access& access, Cycle now);
  void ask(const Access& access, Cycle now);

  bool is_recorded_;  ///< the kernel's warps do not ask again: a recording has each wait once
  const LsuTiming& timing_;
  CopyGroups& copies_;
  SmEvents& events_;
  MbarrierWaitQueue waits_;
  MbarrierFile mbarriers_;
  RegisterPool registers_;
  SlotPool<MbarrierSignal> signals_;
};

}  // namespace gpusim::sm
