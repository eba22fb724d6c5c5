// SPDX-License-Identifier: MIT
// The SM's memory side: the wiring of the load/store unit, L1, shared memory, bulk copies, synchronisation and DSMEM.
// It hands every instruction, event and message to the unit it is for, and tells the SM what happened through events;
// it knows no warp. Owns the units and nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/machine/msg/message.h"
#include "sim/machine/sm/async/bulk_copy.h"
#include "sim/machine/sm/async/sync_unit.h"
#include "sim/machine/sm/dsmem/dsmem.h"
#include "sim/machine/sm/fetch/constant_cache.h"
#include "sim/machine/sm/memory/copy_groups.h"
#include "sim/machine/sm/memory/data_stage.h"
#include "sim/machine/sm/memory/l1.h"
#include "sim/machine/sm/memory/lsu.h"
#include "sim/machine/sm/memory/lsu_timing.h"
#include "sim/machine/sm/memory/place.h"
#include "sim/machine/sm/memory/request_port.h"
#include "sim/machine/sm/memory/shared_memory.h"
#include "sim/machine/sm/memory/write_tracker.h"
#include "sim/machine/sm/stage_work.h"
#include "sim/model/stats/pc_profile.h"

namespace gpusim::stats {
struct CounterBlocks;
}

namespace gpusim::sm {

/// What a memory unit works for: at most `ctas` CTAs of the kernel at a time, with `l1_bytes` of L1.
struct Tenancy {
  const trace::Kernel* kernel = nullptr;
  std::uint32_t ctas = 0;
  std::uint64_t l1_bytes = 0;
};

class MemoryUnit {
 public:
  MemoryUnit(const arch::Arch& arch, const SmPlace& place, const Tenancy& tenancy, ConstantCaches& constants,
             SmEvents& events);

  // Warp side
  // ----------------------------------------------------------------------------------------------------------

  /// A new warp lives in the slot.
  void begin_warp(std::uint16_t warp);
  void end_warp(std::uint16_t warp) { l1_.frames().leave(warp); }

  /// No room in the sub-core's queue: ask before accept().
  [[nodiscard]] bool is_full(std::uint32_t sub_core) const { return lsu_.is_full(sub_core); }

  /// An instruction issued at `now`; adds to `row` what its lanes access of global, local and shared memory. Ends in
  /// operations(op) events for the warp: kCounterRelease for each counter that it increments, kOperationDone when it
  /// has no write barrier.
  void accept(const lower::WarpOp& op, const Origin& origin, const LaneSource& lanes, stats::PcCounters& row,
              Cycle now);
  [[nodiscard]] static std::uint32_t operations(const lower::WarpOp& op);

  // Event and message side
  // ---------------------------------------------------------------------------------------------
  /// kAddressReady, kLsuFree, kPortFree. Returns the sub-cores (mask) whose queue has room again.
  std::uint32_t handle(const SmEvent& event, Cycle now);
  /// kReadReply, kWriteAck, kSmCredit. Returns the same.
  std::uint32_t handle(const msg::Message& message, Cycle now);
  /// kDsmemReply, kDsmemAck. Returns the same.
  std::uint32_t handle_dsmem(const msg::Message& message, Cycle now);

  /// Requests that left since the last call; the SM sends them on to its router.
  [[nodiscard]] std::vector<msg::Message>& departed() { return port_.departed(); }
  /// The same for messages to other SMs.
  [[nodiscard]] std::vector<msg::Message>& departed_to_sms() { return dsmem_.departed(); }
  [[nodiscard]] bool has_departed() { return !departed().empty() || !departed_to_sms().empty(); }

  /// For the host's speed alone: messages that the unit will be given soon.
  void prefetch(std::span<const msg::Message> messages) const;
  /// A warp that waits for the reply; the oldest of those that do.
  [[nodiscard]] std::uint16_t warp_of(const msg::Message& reply) const;

  // Units that the SM speaks to itself
  // ----------------------------------------------------------------------------------------------
  [[nodiscard]] BulkCopyUnit& bulk() { return bulk_; }
  [[nodiscard]] WriteTracker& writes() { return writes_; }
  [[nodiscard]] const WriteTracker& writes() const { return writes_; }
  [[nodiscard]] Dsmem& dsmem() { return dsmem_; }
  [[nodiscard]] const Dsmem& dsmem() const { return dsmem_; }
  [[nodiscard]] SyncUnit& sync() { return sync_; }
  [[nodiscard]] const SyncUnit& sync() const { return sync_; }
  [[nodiscard]] const SharedMemory& shared() const { return shared_; }

  /// Nothing queued, no miss outstanding.
  [[nodiscard]] bool idle() const;

  [[nodiscard]] stats::L1Counters l1_counters() const;
  /// Adds what the L1, DSMEM, the TMA and the request port counted. A queue that is full counts as full up to `end`.
  void add_to(stats::CounterBlocks& blocks, Cycle end) const;
  /// What has been counted, and passes the data stage at `now` or later: an access is counted when it begins.
  [[nodiscard]] StageWork ahead(Cycle now) const;

 private:
  void coalesce(Access& access, const LaneSource& lanes);
  std::uint32_t serve(Cycle now);
  void note_entered(const Access& access, std::uint32_t cycles, Cycle now);
  [[nodiscard]] Executed execute(const Access& access, Cycle now);
  [[nodiscard]] Executed execute_engine(const Access& access, Cycle now);
  Executed execute_empty(const Access& access, Cycle now);
  Executed execute_other(const Access& access, Cycle now);
  void pump(Cycle now);

  /// The access that was the last to enter the data stage.
  struct Entered {
    Cycle begin = 0;
    std::uint32_t cycles = 0;
    std::uint32_t l1_sectors = 0;
    std::uint32_t l1_wavefronts = 0;
    std::uint32_t shared_wavefronts = 0;
  };

  LsuTiming timing_;
  L1DataStage l1_stage_;
  bool ideal_banks_;       ///< what-if: no bank conflicts
  bool ideal_coalescing_;  ///< what-if: no sectors but those that the bytes need
  ConstantCaches& constants_;
  SmEvents& events_;
  DataStage stage_;
  Entered entered_;
  Lsu lsu_;
  SharedMemory shared_;
  RequestPort port_;
  WriteTracker writes_;
  CopyGroups copies_;  ///< LDGSTS
  L1 l1_;
  SyncUnit sync_;
  BulkCopyUnit bulk_;
  Dsmem dsmem_;
};

}  // namespace gpusim::sm
