// SPDX-License-Identifier: MIT
// A streaming multiprocessor as a domain: the wiring of its units. It hands each message and each event to the unit
// that it is for, and gives the sub-cores their turns. Lives for one kernel. Cycles in which nothing can happen are
// skipped. The units are made when the first message comes: a kernel of few CTAs leaves most SMs empty.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/clusters.h"
#include "sim/machine/sm/cta_log.h"
#include "sim/machine/sm/executor.h"
#include "sim/machine/sm/fetch/constant_cache.h"
#include "sim/machine/sm/fetch/front_end.h"
#include "sim/machine/sm/issuer.h"
#include "sim/machine/sm/memory_unit.h"
#include "sim/machine/sm/per_worker.h"
#include "sim/machine/sm/polls.h"
#include "sim/machine/sm/residency.h"
#include "sim/machine/sm/wgmma/wgmma_unit.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/counters.h"

namespace gpusim::sm {

/// The domains that an SM talks to, and where it stands.
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
  Watch* watch = nullptr;                 ///< null unless this SM is watched
  bool warm_code = false;                 ///< the kernel ran before: its code is in the L1 instruction cache
  std::uint64_t cta_log_end = 0;          ///< CTAs below this number are logged; 0: none
  trace::Execution* execution = nullptr;  ///< for a kernel that is executed
};

/// Why a resident warp does not go on, for the deadlock detector.
struct WarpWait {
  std::uint32_t warp_slot = 0;
  std::uint64_t cta = 0;
  std::uint32_t warp_in_cta = 0;
  std::uint32_t pc = 0;
  StallMask waits = 0;  ///< the states that keep it
  bool exited = false;
  std::uint32_t barrier = 0;  ///< when it waits for one, with its arrivals so far and how many it counts (0: all warps)
  std::uint32_t barrier_arrivals = 0;
  std::uint32_t barrier_needed = 0;
  std::optional<PollWait> poll{};  ///< when it waits for an answer
  /// The warps of the warpgroup (mask) that have not issued its next WGMMA operation, though this warp has; 0: none.
  std::uint8_t wgmma_missing = 0;
  std::uint64_t cluster = 0;  ///< its number, and whether the warp has arrived at its barrier
  bool cluster_arrived = false;
  bool cluster_waits = false;  ///< at that barrier, and at none of its CTA
};

class Sm final : public engine::Domain {
 public:
  Sm(msg::DomainId id, const arch::Arch& arch, const SmWiring& wiring, const SmJob& job);

  void run_until(Cycle end) override;
  void prefetch() const override;
  [[nodiscard]] Cycle next_event() const override;

  /// What was counted; nothing before the first CTA. Warps that are resident count up to cycle `end`.
  [[nodiscard]] stats::SmCounters counters(Cycle end) const;
  [[nodiscard]] std::uint64_t shared_wavefronts() const {
    return units_ ? units_->memory.shared().counters().shared_wavefronts : 0;
  }
  /// Issued so far.
  [[nodiscard]] std::uint64_t warp_instructions() const { return units_ ? units_->issuer.warp_instructions() : 0; }
  [[nodiscard]] stats::FetchCounters fetch_counters() const;
  [[nodiscard]] stats::ConstantCounters constant_counters() const;
  [[nodiscard]] stats::L1Counters l1_counters() const;
  [[nodiscard]] stats::LocalCounters local_counters() const;
  [[nodiscard]] stats::DsmemCounters dsmem_counters() const;
  /// Work that is counted already but comes at `now` or later: an access is counted when it begins. Everything before
  /// `now` must have happened, and nothing else.
  [[nodiscard]] StageWork counted_ahead(Cycle now) const { return units_ ? units_->memory.ahead(now) : StageWork(); }
  /// Work before `now` that is not counted yet: a WGMMA operation is counted when it ends.
  [[nodiscard]] StageWork uncounted(Cycle now) const;
  /// Adds those of its request port.
  void add_to(stats::NocCounters& counters, Cycle end) const;
  /// By CTA; empty unless the job asks for it.
  [[nodiscard]] std::span<const stats::CtaSpan> cta_spans() const;
  /// The last cycle in which something happened that more than one sub-core may hear of.
  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] Cycle last_drained() const { return units_ ? units_->residency.last_drained() : 0; }
  [[nodiscard]] Cycle last_acknowledged() const { return units_ ? units_->memory.last_acknowledged() : 0; }
  [[nodiscard]] bool idle() const { return !units_ || (units_->residency.is_empty() && units_->memory.idle()); }
  /// Every resident warp, in slot order.
  [[nodiscard]] std::vector<WarpWait> waiting_warps() const;

  /// The raw state of a warp slot and of a sub-core, for code that records cycles on its own. There are none before
  /// the first CTA.
  [[nodiscard]] std::uint32_t warp_slots() const { return units_ ? units_->warps.size() : 0; }
  [[nodiscard]] const Warp& warp(std::uint32_t slot) const { return units_->warps[slot]; }
  [[nodiscard]] std::uint32_t sub_cores() const { return units_ ? units_->sub_cores.size() : 0; }
  [[nodiscard]] const SubCore& sub_core(std::uint32_t index) const { return units_->sub_cores[index]; }
  [[nodiscard]] const std::optional<Scoreboard>& scoreboard() const { return units_->dependences.scoreboard(); }

 private:
  /// All that an SM is made of, in the order in which the parts need each other.
  struct Units {
    Units(const arch::Arch& arch, const SmWiring& wiring, const SmJob& job);

    /// For the host's speed alone, as Domain::prefetch().
    void prefetch() const;

    SmEvents events;
    Outbox outbox;
    WarpTable warps;
    CtaTable ctas;
    SubCores sub_cores;
    Dependences dependences;
    WaitCharger charger;
    InstructionL1 instruction_l1;
    FrontEnd front_end;
    ConstantCaches constants;
    std::optional<CtaLog> cta_log;
    MemoryUnit memory;
    WgmmaUnit wgmma;
    NamedBarriers barriers;
    Clusters clusters;
    Polls polls;
    Residency residency;
    Executor executor;
    Issuer issuer;
    Cycle reach;  ///< least_reach() of what issues
  };

  void prefetch(Cycle end) const;
  void step(Cycle now, Cycle end);
  void handle(const msg::Message& message, Cycle now);
  void handle(const SmEvent& event, Cycle now);
  void complete(const SmEvent& event, Cycle now);
  [[nodiscard]] bool has_to_send();
  void send_all(Cycle now);
  [[nodiscard]] WarpWait wait_of(const Warp& warp) const;

  const arch::Arch& arch_;
  SmWiring wiring_;
  SmJob job_;
  Cycle now_ = 0;
  std::unique_ptr<Units> units_;
};

}  // namespace gpusim::sm
