// SPDX-License-Identifier: MIT
// Asynchronous WGMMA operations: a warp issues one and goes on. The tensor cores take complete operations one after the
// other, each for as long as the slowest of three takes: the tensor cores at the peak of its type, shared memory for
// its operands, and the least that was measured (docs/model/registers-and-tensor.md). Other accesses to shared memory
// take turns with it. Its accumulators are written a while later, and take register banks meanwhile. Owns the queue of
// operations, the one that the tensor cores work on, and those whose accumulators are not written.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp_table.h"
#include "sim/machine/sm/wgmma/wgmma_queue.h"
#include "sim/model/stats/counters.h"

namespace gpusim::arch {
struct SmConfig;
}  // namespace gpusim::arch

namespace gpusim::sm {

class SharedMemory;

class WgmmaUnit {
 public:
  /// For at most `ctas` CTAs of so many warps at a time.
  WgmmaUnit(const arch::SmConfig& config, std::uint32_t ctas, std::uint32_t warps_per_cta, const SharedMemory& shared,
            WarpTable& warps, SubCores& cores, SmEvents& events)
      : queue_entries_(config.wgmma.queue_entries),
        result_latency_(config.wgmma.result_latency),
        shared_(shared),
        warps_(warps),
        cores_(cores),
        events_(events),
        queue_(ctas, warps_per_cta) {}

  /// The warp issues its next instruction, an operation. It is one more that is under way for the warp.
  void issue(Warp& warp, Cycle now);

  /// kWgmmaDone: the tensor cores may be through with the operation they work on. Its four warps have room for another
  /// one then. Calls `done(warp)` for each of them if the accumulators are written at once.
  template <class Done>
  void end(Cycle now, Done&& done) {
    if (!is_through(now)) {
      return;
    }
    const Wgmma ended = *queue_.front();
    queue_.pop();
    for (const std::uint16_t slot : ended.warp_slots) {
      make_room(warps_[slot], *ended.op, now);
    }
    if (result_latency_ == 0) {
      end_for_all(ended, now, done);
    } else {
      unwritten_.push_back(ended);
      events_.push(now + result_latency_, SmEvent(SmEventKind::kWgmmaWritten));
    }
    if (queue_.front() != nullptr) {
      begin(now);
    }
  }
  /// kWgmmaWrites: the accumulators of the next operation begin to be written.
  void begin_writes(Cycle now);
  /// kWgmmaWritten: those of the oldest one are. Calls `done(warp)` for each of its four warps.
  template <class Done>
  void end_writes(Cycle now, Done&& done) {
    const Wgmma written = unwritten_.front();
    unwritten_.pop_front();
    note_written();
    end_for_all(written, now, done);
  }

  /// Whether the warp's next instruction, an operation or a wait for groups of them, may issue.
  [[nodiscard]] bool allows(const Warp& warp) const {
    return warp.op->kind == isa::OpKind::kWgmmaWait ? warp.wgmma->groups <= warp.op->depbar_limit
                                                    : warp.wgmma->operations < queue_entries_;
  }
  /// The warps (mask) of the warp's group that have not issued its first operation, though the warp has; 0: none.
  [[nodiscard]] std::uint8_t missing(const Warp& warp) const { return queue_.missing(origin_of(warp)); }

  /// Only the shared_* fields count here: of operations that have ended.
  [[nodiscard]] const stats::SmCounters& counters() const { return counters_; }
  /// Passes that the operands of the operation at work have had through shared memory before `now`, when `ahead` of
  /// those that other accesses were counted with were still to come: what others have left of the time.
  [[nodiscard]] std::uint64_t wavefronts_so_far(Cycle now, std::uint64_t ahead) const;

 private:
  [[nodiscard]] WgmmaOrigin origin_of(const Warp& warp) const {
    return {warps_.slot_of(warp), warp.cta_slot, warp.warp_in_cta};
  }
  void begin(Cycle now);
  [[nodiscard]] bool is_through(Cycle now);
  void wake(Warp& warp, const lower::WarpOp& op, Cycle now);
  void make_room(Warp& warp, const lower::WarpOp& op, Cycle now);
  void note_written();
  void end_for(Warp& warp, const lower::WarpOp& op, Cycle now);
  template <class Done>
  void end_for_all(const Wgmma& ended, Cycle now, Done&& done) {
    for (const std::uint16_t slot : ended.warp_slots) {
      end_for(warps_[slot], *ended.op, now);
      done(warps_[slot]);
    }
  }

  std::uint32_t queue_entries_;
  std::uint32_t result_latency_;
  const SharedMemory& shared_;
  WarpTable& warps_;
  SubCores& cores_;
  SmEvents& events_;
  WgmmaQueue queue_;
  Ring<std::uint32_t> to_write_;  ///< write periods of operations that have begun and whose writes have not
  Ring<Wgmma> unwritten_;         ///< operations that the tensor cores are through with
  std::uint32_t writing_ = 0;     ///< operations whose accumulators are being written
  Cycle begin_ = 0;               ///< begin of the operation that the tensor cores work on
  std::uint64_t shared_wavefronts_before_ = 0;  ///< wavefronts of other accesses, when it began
  stats::SmCounters counters_;
};

}  // namespace gpusim::sm
