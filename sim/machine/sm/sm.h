// SPDX-License-Identifier: MIT
// A streaming multiprocessor as a domain: four sub-cores that issue, a memory unit, the resident CTAs. Lives for one
// kernel. Cycles in which nothing can happen are skipped.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/cluster_barrier.h"
#include "sim/machine/sm/constant_cache.h"
#include "sim/machine/sm/cta_table.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/front_end.h"
#include "sim/machine/sm/instruction_cache.h"
#include "sim/machine/sm/memory_unit.h"
#include "sim/machine/sm/per_worker.h"
#include "sim/machine/sm/scoreboard.h"
#include "sim/machine/sm/stall_ledger.h"
#include "sim/machine/sm/sub_core.h"
#include "sim/machine/sm/tensor_queue.h"
#include "sim/machine/sm/warp.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/counters.h"

namespace gpusim::sm {

/// Whom an SM talks to, and what it runs.
struct SmWiring {
  SmPlace place;
  msg::DomainId router = 0;
  msg::DomainId dispatcher = 0;
};

struct SmJob {
  const lower::KernelImage* image = nullptr;
  std::uint32_t ctas_per_sm = 0;
  std::uint64_t l1_bytes = 0;
  Workers* workers = nullptr;
  Watch* watch = nullptr;  ///< null unless this SM is watched
  bool warm_code = false;  ///< the kernel ran before: its code is in the L1 instruction cache
};

/// A poll that has no answer, and the state of what it asks about.
struct PollWait {
  std::uint32_t object = 0;  ///< number of the mbarrier in the kernel, or Poll::kRegisterPool
  std::uint32_t pc = 0;
  bool parity = false;
  Mbarrier mbarrier;
  std::uint32_t registers_wanted = 0;  ///< a thread, more than the warp has
  std::uint32_t registers_free = 0;    ///< in the CTA's pool
};

/// Why a resident warp does not go on, for the hang doctor.
struct WarpWait {
  std::uint32_t warp_slot = 0;
  std::uint64_t cta = 0;
  std::uint32_t warp_in_cta = 0;
  std::uint32_t pc = 0;
  std::uint8_t waits = 0;  ///< mask of WaitReason
  bool exited = false;
  std::uint32_t barrier = 0;  ///< when it waits for one, with its arrivals so far and how many it counts (0: all warps)
  std::uint32_t barrier_arrivals = 0;
  std::uint32_t barrier_needed = 0;
  std::optional<PollWait> poll{};  ///< when it waits for an answer
  /// Of the next product of its warpgroup that has not begun: the warps of the group (mask) that have not issued it,
  /// though this one has; 0: none.
  std::uint8_t product_missing = 0;
  std::uint64_t cluster = 0;  ///< its number, and whether the warp has arrived at its barrier
  bool cluster_arrived = false;
};

class Sm final : public engine::Domain {
 public:
  Sm(msg::DomainId id, const arch::Arch& arch, const SmWiring& wiring, const SmJob& job);

  void run_until(Cycle end) override;
  void prefetch() const override;
  [[nodiscard]] Cycle next_event() const override;

  [[nodiscard]] stats::SmCounters counters() const;
  [[nodiscard]] stats::FetchCounters fetch_counters() const { return front_end_.counters(); }
  [[nodiscard]] const stats::ConstantCounters& constant_counters() const { return constants_.counters(); }
  [[nodiscard]] stats::L1Counters l1_counters() const { return memory_.l1_counters(); }
  [[nodiscard]] stats::LocalCounters local_counters() const { return memory_.local_counters(); }
  [[nodiscard]] stats::DsmemCounters dsmem_counters() const { return memory_.dsmem_counters(); }
  /// First cycle after the last warp left; 0 when none ever came.
  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] Cycle last_drained() const { return last_drained_; }
  [[nodiscard]] bool idle() const { return resident_warps_ == 0 && memory_.idle(); }
  /// Every resident warp, in slot order.
  [[nodiscard]] std::vector<WarpWait> waiting_warps() const;

  /// The raw state of a warp slot and of a sub-core, for whoever accounts cycles on its own.
  [[nodiscard]] std::uint32_t warp_slots() const { return static_cast<std::uint32_t>(warps_.size()); }
  [[nodiscard]] const Warp& warp(std::uint32_t slot) const { return warps_[slot]; }
  [[nodiscard]] std::uint32_t sub_cores() const { return static_cast<std::uint32_t>(sub_cores_.size()); }
  [[nodiscard]] const SubCore& sub_core(std::uint32_t index) const { return sub_cores_[index]; }
  [[nodiscard]] const std::optional<Scoreboard>& scoreboard() const { return scoreboard_; }

 private:
  // sm.cc: time
  void prefetch(Cycle end) const;
  void step(Cycle now);
  void handle(const msg::Message& message, Cycle now);
  void handle(const SmEvent& event, Cycle now);
  void look_at(std::uint32_t sub_core, Cycle now);
  void fetch(std::uint32_t sub_core, Cycle now);
  void look_now(std::uint32_t sub_core) { looks_[sub_core] = now_; }
  void open_queues(std::uint32_t sub_cores, Cycle now);
  void send_departed(Cycle now);

  // residency.cc: CTAs and warps come and go
  void launch_cta(std::uint64_t linear, Cycle now);
  void launch_warp(std::uint32_t cta_slot, std::uint32_t warp_in_cta, Cycle now);
  void retire_warp(std::uint32_t warp_slot, Cycle end);
  void operation_done(Warp& warp, Cycle now);

  // issue.cc: one instruction
  void issue_from(SubCore& core, std::uint32_t sub_core, Cycle now);
  void note_throttles(SlotMask warps, std::uint32_t sub_core, Cycle now);
  void issue(SubCore& core, Warp& warp, Cycle now);
  void issue_plain(SubCore& core, Warp& warp, Cycle now);
  void issue_any(SubCore& core, Warp& warp, Cycle now);
  void follow(SubCore& core, Warp& warp, Cycle now);
  [[nodiscard]] bool has_constant(Warp& warp, Cycle now);
  void charge_wait(Warp& warp, Profile::Row& row, std::uint64_t selected, Cycle now);
  void charge_candidate(const Warp& warp, GapCharger& charger, Cycle end) const;
  void count(const Warp& warp, Profile::Row& row);
  void take_pipe(SubCore& core, const Warp& warp, Cycle now);
  void begin_effects(SubCore& core, Warp& warp, Cycle now);
  void end_effects(Warp& warp, const lower::WarpOp& op, Cycle now);
  void arrive_at_barrier(Warp& warp, std::uint32_t pc, Cycle now);
  void raise(Warp& warp, std::uint8_t counter, lower::ProducerClass producer);
  void execute_variable(SubCore& core, Warp& warp, Cycle now);
  void execute_memory(Warp& warp, Cycle now);
  void exit_warp(Warp& warp, Cycle now);
  void count_branch(const Warp& warp, const trace::Step& done);

  // live.cc: what the machine answers
  void resolve_live(Warp& warp);
  void poll_answered(const SmEvent& event, Cycle now);
  [[nodiscard]] bool only_polls_remain() const;
  [[nodiscard]] std::optional<PollWait> poll_of(const Warp& warp) const;
  [[nodiscard]] bool is_at_rest(const Warp& warp) const;

  // readiness.cc: what the next instruction waits for
  void begin_wait(SubCore& core, Warp& warp, Cycle now);
  void begin_any_wait(SubCore& core, Warp& warp, Cycle now);
  void block(Warp& warp, WaitReason reason);
  [[nodiscard]] Cycle begin_register_wait(Warp& warp);
  [[nodiscard]] bool dependences_met(const Warp& warp) const;
  [[nodiscard]] static bool counters_clear(const Warp& warp);
  [[nodiscard]] static bool waits_for_fresh_raise(const Warp& warp);
  [[nodiscard]] bool waits_long(const Warp& warp) const;
  void note_long_wait(const Warp& warp);
  void see_raises(std::uint32_t sub_core, SlotMask warps, Cycle now);
  void withdraw(Warp& warp, Cycle now);
  static void note_limit(Warp& warp, const SmEvent& event, Cycle now);
  void release_counter(Warp& warp, const SmEvent& event, Cycle now);
  void release_registers(Warp& warp, std::uint32_t pc, Cycle now);
  void end_wait(Warp& warp, WaitReason reason);
  void release_barrier(WarpMask warps, Cycle now);

  // products.cc: asynchronous products of warpgroups
  void issue_product(Warp& warp, Cycle now);
  void begin_product(Cycle now);
  void end_product(Cycle now);
  void product_ended(Warp& warp, const lower::WarpOp& op, Cycle now);
  [[nodiscard]] bool products_allow(const Warp& warp) const;

  // cluster.cc: the other CTAs of a cluster
  [[nodiscard]] trace::ClusterPlace place_of(std::uint32_t cta_slot) const;
  [[nodiscard]] std::optional<std::uint32_t> slot_of_cta(const trace::ClusterPlace& place) const;
  void tell_router(msg::Kind kind, std::uint32_t cta_slot, Cycle at);
  void tell_arrival(std::uint32_t cta_slot, Cycle now);
  void arrive_at_cluster(const Warp& warp, std::uint32_t pc, Cycle now);
  void settle_arrival(const Warp& warp, Cycle now);
  void wait_for_cluster(Warp& warp, std::uint32_t pc);
  void handle_cluster(const msg::Message& message, Cycle now);
  void release_cluster(const msg::Message& message, Cycle now);
  void exit_from_cluster(const Warp& warp, Cycle now);
  void leave_cluster(std::uint32_t cta_slot, Cycle end);
  void finish_remote(const msg::Message& message, Cycle now);
  [[nodiscard]] RemoteTarget remote_target(Warp& warp) const;
  void serve_remote(const msg::Message& message, Cycle now);
  void take_multicast_line(const msg::Message& message, Cycle now);
  [[noreturn]] void fail_remote(const msg::Message& fault) const;
  [[noreturn]] void fail_absent(std::uint32_t pc, const std::string& asker, const trace::ClusterPlace& absent) const;
  [[noreturn]] void fail_at(const Warp& warp, std::uint32_t pc, const std::string& what, const std::string& hint) const;

  [[nodiscard]] Warp& warp_at(std::uint32_t sub_core, std::uint32_t slot) {
    return warps_[slot * sub_core_count_ + sub_core];
  }
  [[nodiscard]] std::uint16_t slot_of(const Warp& warp) const {
    return static_cast<std::uint16_t>(&warp - warps_.data());
  }
  [[nodiscard]] WarpName name_of(const Warp& warp) const {
    return {wiring_.place.index, slot_of(warp), ctas_[warp.cta_slot].linear};
  }

  const arch::Arch& arch_;
  SmWiring wiring_;
  SmJob job_;
  SmEvents events_;
  std::uint32_t sub_core_count_;
  std::vector<SubCore> sub_cores_;
  InstructionL1 instruction_l1_;
  FrontEnd front_end_;
  ConstantCaches constants_;
  MemoryUnit memory_;
  TensorQueue tensor_;
  Cycle product_begin_ = 0;  ///< of the product that the tensor cores work on
  std::uint64_t shared_wavefronts_before_product_ = 0;
  CtaTable ctas_;
  std::vector<ClusterBarrier> cluster_barriers_;  ///< by CTA slot
  std::vector<Warp> warps_;
  std::optional<Scoreboard> scoreboard_;  ///< where registers and not control bits are waited for
  std::array<Cycle, kMostSubCores> looks_;  ///< by sub-core: when it has to be looked at next
  bool is_plain_ = true;  ///< no scoreboard, no observer, no policy that wants to know of more than issues
  Profile* profile_ = nullptr;   ///< of the thread that runs this SM now
  Cycle now_ = 0;
  std::uint64_t launched_ = 0;  ///< warps so far: their ages
  std::uint32_t resident_warps_ = 0;
  Cycle active_since_ = 0;
  Cycle last_drained_ = 0;
  stats::SmCounters counters_;
};

}  // namespace gpusim::sm
