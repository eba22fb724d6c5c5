// SPDX-License-Identifier: MIT
// The load/store unit: a queue of accesses a sub-core (MIO queue), address calculation, and the arbitration for the one
// stage that all sub-cores share. Reproduces the measured issue-cycle table (Huerta et al., MICRO 2025): five accepted
// a sub-core, then one every four cycles, all sub-cores together one every 32 / lanes cycles. Owns the accesses until
// they have executed; what executes them is the caller's concern.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "sim/base/ring.h"
#include "sim/base/slot_pool.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/memory/access.h"
#include "sim/machine/sm/memory/data_stage.h"
#include "sim/machine/sm/memory/lsu_timing.h"

namespace gpusim::sm {

class Lsu {
 public:
  Lsu(const arch::SmConfig& sm, const LsuTiming& timing, DataStage& stage, SmEvents& events)
      : config_(sm.lsu), timing_(timing), stage_(stage), events_(events), queues_(sm.sub_cores) {
    accesses_.reserve(std::size_t{sm.sub_cores} * std::min(sm.lsu.queue_entries, kUsualEntries));
  }

  /// No room in the sub-core's queue: ask before accept().
  [[nodiscard]] bool is_full(std::uint32_t sub_core) const {
    return queues_[sub_core].accesses.size() == config_.queue_entries;
  }
  /// A record at the end of the sub-core's queue, for the owner to write. A kAddressReady event follows.
  [[nodiscard]] Access& accept(const lower::WarpOp& op, const Origin& origin, Cycle now);

  /// kAddressReady: the oldest access of the sub-core's queue that was not yet ready is.
  void address_ready(std::uint32_t sub_core) { ready_.push_back(sub_core); }
  /// kLsuFree.
  void woken() { wakes_ = false; }

  /// Executes ready accesses, first come first served, as long as the stage is free: `execute(access)` returns an
  /// Executed. Returns the sub-cores (mask) whose queue has room again.
  template <class Execute>
  std::uint32_t serve(Cycle now, Execute&& execute) {
    if (ready_.empty()) {
      return 0;
    }
    if (!stage_.is_free(now)) {
      wake_when_free();
      return 0;
    }
    return serve_ready(now, execute);
  }
  /// The first ready access could not execute.
  [[nodiscard]] bool is_blocked() const { return blocked_; }

  [[nodiscard]] bool idle() const { return accesses_.used() == 0; }
  /// For the host's speed alone.
  void prefetch_next() const { accesses_.prefetch_next(kUsualAccessBytes); }

 private:
  static constexpr std::uint32_t kUsualEntries = 16;  ///< longer queues get their room when they need it
  static constexpr std::size_t kUsualAccessBytes = 4 * kHostLineBytes;  ///< an Access of few lines

  struct SubCoreQueue {
    Ring<std::uint32_t> accesses;  ///< by index, lsu.queue_entries at most
    Cycle address_free = 0;        ///< when address calculation can take the next one
  };

  void wake_when_free() {
    if (!wakes_) {
      wakes_ = true;
      events_.push(stage_.free_at(), SmEvent(SmEventKind::kLsuFree));
    }
  }
  template <class Execute>
  std::uint32_t serve_ready(Cycle now, Execute&& execute);

  arch::LsuConfig config_;
  const LsuTiming& timing_;
  DataStage& stage_;
  SmEvents& events_;
  bool wakes_ = false;  ///< a kLsuFree event is scheduled
  bool blocked_ = false;
  Ring<std::uint32_t> ready_;  ///< sub-cores in the order in which their accesses became ready
  std::vector<SubCoreQueue> queues_;
  SlotPool<Access> accesses_;  ///< accesses of all queues
};

inline Access& Lsu::accept(const lower::WarpOp& op, const Origin& origin, Cycle now) {
  SubCoreQueue& queue = queues_[origin.sub_core];
  assert(!is_full(origin.sub_core));
  const std::uint32_t index = accesses_.take();
  queue.accesses.push_back(index);
  const std::uint32_t registers = op.space == isa::MemSpace::kNone ? kGlobalAddressRegisters : op.address_registers;
  const Cycle ready = std::max(now + timing_.address_cycles(registers), queue.address_free);
  queue.address_free = ready + config_.address_interval;
  events_.push(ready, SmEvent(SmEventKind::kAddressReady, SubCoreEvent{origin.sub_core}));
  Access& access = accesses_[index];
  access.op = &op;
  access.origin = origin;
  return access;
}

template <class Execute>
std::uint32_t Lsu::serve_ready(Cycle now, Execute&& execute) {
  std::uint32_t freed = 0;
  while (!ready_.empty()) {
    if (!stage_.is_free(now)) {
      wake_when_free();
      break;
    }
    const std::uint32_t sub_core = ready_.front();
    SubCoreQueue& queue = queues_[sub_core];
    const Executed executed = execute(static_cast<const Access&>(accesses_[queue.accesses.front()]));
    blocked_ = !executed.done;
    if (blocked_) {
      break;
    }
    stage_.occupy(now, executed.cycles);
    ready_.pop_front();
    accesses_.release(queue.accesses.front());
    queue.accesses.pop_front();
    freed |= 1U << sub_core;
  }
  return freed;
}

}  // namespace gpusim::sm
