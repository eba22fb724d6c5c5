// SPDX-License-Identifier: MIT
// The SM's memory side: a queue a sub-core, address calculation, the shared load/store unit with its banks, the L1 with
// its outstanding misses, and the request port. It tells the SM what happened through events; it knows no warp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/prefetch.h"
#include "sim/base/ring.h"
#include "sim/base/slot_pool.h"
#include "sim/base/types.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/mem/cache/mshr.h"
#include "sim/machine/mem/cache/tag_array.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/machine/msg/message.h"
#include "sim/machine/sm/access.h"
#include "sim/machine/sm/async_groups.h"
#include "sim/machine/sm/constant_cache.h"
#include "sim/machine/sm/local_memory.h"
#include "sim/machine/sm/mbarrier.h"
#include "sim/machine/sm/memory_records.h"
#include "sim/machine/sm/poll_board.h"
#include "sim/machine/sm/register_pool.h"
#include "sim/machine/sm/request_port.h"
#include "sim/machine/sm/sm_event.h"
#include "sim/machine/sm/tma.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/counters.h"

namespace gpusim::sm {

class MemoryUnit {
 public:
  MemoryUnit(const arch::Arch& arch, const SmPlace& place, const Tenancy& tenancy, ConstantCaches& constants,
             SmEvents& events);

  // Warp side
  // ----------------------------------------------------------------------------------------------------------

  /// A new warp lives in the slot. Of the last one only acknowledgements may be on their way: they are not its.
  void begin_warp(std::uint16_t warp);
  void end_warp(std::uint16_t warp) { local_.frames().leave(warp); }
  void begin_cta(std::uint32_t cta);

  /// Room in the sub-core's queue; ask before accept().
  [[nodiscard]] bool is_full(std::uint32_t sub_core) const {
    return queues_[sub_core].accesses.size() == lsu_.queue_entries;
  }

  /// An instruction issued at `now`; returns its sectors of global and local memory. Ends in operations(op) events for
  /// the warp: kCounterRelease for each counter that it raises, kOperationDone when it has no write barrier.
  std::uint32_t accept(const lower::WarpOp& op, const Origin& origin, const LaneSource& lanes, Cycle now);
  [[nodiscard]] static std::uint32_t operations(const lower::WarpOp& op);

  /// A MEMBAR issued at `now`: a kFenceDone event follows when all writes of the warp are acknowledged, `latency`
  /// cycles from now at the earliest.
  void fence(std::uint16_t warp, std::uint32_t latency, Cycle now);

  // Event and message side
  // ---------------------------------------------------------------------------------------------
  /// kAddressReady, kLsuFree, kPortFree. Returns the sub-cores (mask) whose queue has room again.
  std::uint32_t handle(const SmEvent& event, Cycle now);
  /// kReadReply, kWriteAck, kCredit. Returns the same.
  std::uint32_t handle(const msg::Message& message, Cycle now);

  /// kRemoteRead and such, of a CTA that is resident here. Returns the answer, and in its `time` when it leaves.
  [[nodiscard]] msg::Message serve_remote(const msg::Message& message, std::uint32_t cta, Cycle now);
  /// kMulticastLine, for such a CTA.
  void take_multicast_line(const msg::Message& message, std::uint32_t cta, Cycle now);
  /// kMulticastSent.
  void multicast_sent(const msg::Message& message, Cycle now);
  /// kRemoteReply, kRemoteAck. Returns as handle() does.
  std::uint32_t handle_remote(const msg::Message& message, Cycle now);
  /// Whether nothing of the warp is under way to other CTAs' shared memory.
  [[nodiscard]] bool is_done_remotely(std::uint16_t warp) const { return warps_[warp].remote_lines == 0; }
  /// Whose access the answer is for.
  [[nodiscard]] const RemoteTarget& target_of(const msg::Message& answer) const {
    return remote_pendings_[answer.token].target;
  }
  /// Requests to other SMs that left since the last call.
  std::vector<msg::Message>& departed_to_sms() { return departed_to_sms_; }

  /// For the host's speed alone: messages that the unit will be given soon.
  void prefetch(std::span<const msg::Message> messages) const;
  /// A warp that waits for the reply; the oldest of those that do.
  [[nodiscard]] std::uint16_t warp_of(const msg::Message& reply) const;

  [[nodiscard]] PollBoard& polls() { return polls_; }
  [[nodiscard]] const PollBoard& polls() const { return polls_; }
  [[nodiscard]] const MbarrierFile& mbarriers() const { return mbarriers_; }
  [[nodiscard]] const RegisterPool& registers() const { return registers_; }

  /// Requests that left since the last call; the SM sends them on to its router.
  std::vector<msg::Message>& departed() { return departed_; }

  /// Nothing queued, no miss outstanding.
  [[nodiscard]] bool idle() const;

  [[nodiscard]] const stats::L1Counters& l1_counters() const { return l1_counters_; }
  [[nodiscard]] stats::LocalCounters local_counters() const { return local_.counters(); }
  [[nodiscard]] const stats::DsmemCounters& dsmem_counters() const { return dsmem_counters_; }
  /// Only the shared_* fields count here.
  [[nodiscard]] const stats::SmCounters& shared_counters() const { return shared_counters_; }

 private:
  static constexpr std::uint32_t kNone = Pending::kNone;

  /// General registers of a 64-bit address.
  static constexpr std::uint32_t kGlobalAddressRegisters = 2;

  // lsu.cc: queues, arbitration, accesses that stay in the SM
  [[nodiscard]] std::uint32_t address_cycles(std::uint32_t registers) const;
  [[nodiscard]] std::uint32_t store_read_cycles(const lower::WarpOp& op) const;
  [[nodiscard]] std::uint32_t cycles_a_pass(const lower::WarpOp& op) const;
  /// From the unit to the registers, where loads with an address in so many registers take `latency` from issue.
  [[nodiscard]] std::uint32_t cycles_in_unit(const lower::WarpOp& op, std::uint32_t latency,
                                             std::uint32_t registers) const;
  /// What is left of a latency from issue when the instruction gets to the unit; a cycle at least.
  [[nodiscard]] std::uint32_t left_of(std::uint32_t latency) const {
    return latency > lsu_.address_latency ? latency - lsu_.address_latency : 1;
  }
  void shape(Access& access, const LaneSource& lanes);
  void prefetch(const Access& access) const;
  std::uint32_t serve(Cycle now);
  std::uint32_t execute(const Access& access, Cycle now);
  std::uint32_t execute_empty(const Access& access, Cycle now);
  std::uint32_t execute_shared(const Access& access, Cycle now);
  std::uint32_t execute_other(const Access& access, Cycle now);
  void release_sources(const Access& access, Cycle at);
  void complete_operation(const Access& access, Cycle at);
  Cycle take_banks(Cycle now);
  [[nodiscard]] static Completion completion_of(const Access& access) {
    return {access.origin.warp, access.op->write_barrier, access.op->producer, access.op->pc,
            access.op->ports.variable_writes};
  }
  void push_completion(const Completion& completion, Cycle at);

  // l1.cc: accesses to global and local memory
  std::uint32_t execute_global(const Access& access, Cycle now);
  bool execute_load(const Access& access, Cycle now);
  bool load_line(const Access& access, const LineAccess& line);
  bool miss(const Access& access, const LineAccess& line, std::uint8_t misses);
  bool execute_write(const Access& access, Cycle now);
  bool execute_local_store(const Access& access, Cycle now);
  void write_back(const mem::cache::LineState& left);
  bool execute_atomic(const Access& access, Cycle now);
  void finish_load(const Access& access, Cycle now);
  std::uint32_t current_pending(const Access& access);
  void count_request(const Access& access);

  // l1_fill.cc: replies, and requests on their way out
  void fill(const msg::Message& reply, Cycle now);
  void line_arrived(std::uint32_t pending, Cycle now);
  void complete_pending(std::uint32_t pending, Cycle now);
  void acknowledge(std::uint32_t token, Cycle now);
  /// What a write carries, and its acknowledgement brings back.
  [[nodiscard]] std::uint32_t write_token(std::uint16_t warp) const {
    return warp | std::uint32_t{warps_[warp].tenant} << 16U;
  }
  [[nodiscard]] msg::Message make_request(msg::Kind kind, const LineAccess& line, std::uint32_t token) const;
  void request(msg::Kind kind, const lower::WarpOp& op, const LineAccess& line, std::uint32_t token, bool last);
  void pump(Cycle now);
  std::uint32_t allocate_pending();

  // remote.cc: shared memory of other CTAs of the cluster
  std::uint32_t execute_remote(const Access& access, Cycle now);
  std::uint32_t execute_own(const Access& access, Cycle now);
  void shape_remote(Access& access, const LaneSource& lanes, const AccessWidth& width);
  void ask_remotely(const Access& access, Cycle now);
  [[nodiscard]] bool may_ask_remotely(std::uint32_t messages) const;
  [[nodiscard]] std::uint32_t pend_remotely(const Access& access, std::uint32_t messages, bool waits);

  // remote_sync.cc: mbarriers of other CTAs of the cluster
  void shape_sync(Access& access);
  std::uint32_t execute_remote_sync(const Access& access, Cycle now);
  void serve_sync(const msg::Message& message, std::uint32_t cta, Cycle start, msg::Message& answer);
  void complete_stores(const msg::Message& message, std::uint32_t cta, Cycle at, msg::Message& answer);
  void refuse_remote(const MbarrierUse& use, MbarrierMisuse misuse, msg::Message& answer) const;

  // async_copy.cc
  static std::uint32_t join_open_group(AsyncGroups& state);
  void copy_arrived(AsyncGroups& state, std::uint32_t copy_pc, std::uint32_t group, Cycle at);
  AsyncGroups::Group& close_group(AsyncGroups& state);
  void commit_group(AsyncGroups& state, const Completion& completion, Cycle now);
  void retire_groups(AsyncGroups& state, Cycle at);

  // sync_ops.cc: mbarriers and the register pool
  std::uint32_t execute_sync(const Access& access, Cycle now);
  void execute_mbarrier(const Access& access, Cycle now);
  void ask(const Access& access, Cycle now);
  void signal(std::uint32_t index, Cycle now);

  // bulk_copy.cc: the TMA
  std::uint32_t execute_bulk(const Access& access, Cycle now);
  void commit_bulk_group(const Access& access, Cycle now);
  void step_tma(Cycle now);
  void wake_tma(Cycle at);
  void send_line(std::uint32_t command, Cycle now);
  void asked_for_all(std::uint32_t command, Cycle now);
  void bulk_line_arrived(std::uint32_t command, Cycle now);
  void bulk_line_answered(std::uint32_t command, Cycle now);
  void end_bulk_copy_if_done(std::uint32_t command, Cycle now);
  void signal_bytes(const MbarrierUse& use, std::uint64_t bytes, Cycle at);

  // multicast.cc: its copies to several CTAs of the cluster
  void announce_multicast(const Access& access, std::uint32_t command);

  arch::LsuConfig lsu_;
  arch::SharedMemoryConfig shared_config_;
  arch::L1Config l1_config_;
  L1DataStage stage_;
  SmPlace place_;
  ConstantCaches& constants_;
  SmEvents& events_;
  std::vector<SubCoreQueue> queues_;
  SlotPool<Access> accesses_;   ///< of all queues
  Ring<std::uint32_t> offers_;  ///< sub-cores in the order in which their accesses became ready
  Cycle lsu_free_ = 0;
  bool lsu_wakes_ = false;                 ///< a kLsuFree event is scheduled
  bool blocked_ = false;                   ///< the first offer waits for an MSHR or for room in the port
  std::uint32_t lines_done_ = 0;           ///< of the blocked access
  std::uint32_t current_pending_ = kNone;  ///< of the access being executed; kNone: all its lines hit so far
  mem::cache::TagArray tags_;
  LocalMemory local_;
  mem::cache::MshrTable<Waiter> mshrs_;
  std::vector<Keep> mshr_keeps_;  ///< by MSHR: of its requests, the one that keeps the line longest
  RequestPort port_;
  std::vector<Pending> pendings_;
  std::uint32_t free_pending_ = kNone;
  std::uint32_t atomics_in_flight_ = 0;
  std::vector<WarpMemory> warps_;
  PollBoard polls_;
  MbarrierFile mbarriers_;
  RegisterPool registers_;
  SlotPool<MbarrierSignal> signals_;
  TmaEngine tma_;
  bool tma_wakes_ = false;  ///< a kTmaStep event is scheduled
  std::vector<msg::Message> departed_;
  SlotPool<RemotePending> remote_pendings_;
  std::uint32_t remote_in_flight_ = 0;  ///< lines
  std::vector<msg::Message> departed_to_sms_;
  stats::DsmemCounters dsmem_counters_;
  stats::L1Counters l1_counters_;
  stats::SmCounters shared_counters_;
};

}  // namespace gpusim::sm
