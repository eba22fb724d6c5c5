// SPDX-License-Identifier: MIT
// A streaming multiprocessor as a domain: the wiring of its units. It hands each message and each event to the unit
// that it is for, and gives the sub-cores their turns. Lives for one kernel. Cycles in which nothing can happen are
// skipped. The units are made when the first message comes: a kernel of few CTAs leaves most SMs empty. Owns the units
// (units.h) and the SM's clock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/sm/memory/place.h"
#include "sim/machine/sm/stage_work.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/kernel_record.h"

namespace gpusim::arch {
struct Arch;
}
namespace gpusim::lower {
struct KernelImage;
}
namespace gpusim::stats {
struct CountEnd;
struct CounterBlocks;
}  // namespace gpusim::stats
namespace gpusim::trace {
class Execution;
}

namespace gpusim::sm {

class Scoreboard;
class SmEvent;
class SubCore;
struct PerWorker;
struct Units;
struct Warp;
struct WarpWait;
struct Watch;

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
  std::vector<PerWorker>* workers = nullptr;
  Watch* watch = nullptr;                 ///< null unless this SM is watched
  bool warm_code = false;                 ///< the kernel ran before: its code is in the L1 instruction cache
  std::uint64_t cta_log_end = 0;          ///< CTAs below this number are logged; 0: none
  trace::Execution* execution = nullptr;  ///< for a kernel that is executed
};

class Sm final : public engine::Domain {
 public:
  Sm(msg::DomainId id, const arch::Arch& arch, const SmWiring& wiring, const SmJob& job);
  ~Sm() override;
  Sm(const Sm&) = delete;
  Sm& operator=(const Sm&) = delete;

  void run_until(Cycle end) override;
  [[nodiscard]] Cycle next_event() const override;

  /// What was counted; nothing before the first CTA. Warps that are resident count up to cycle `end`.
  [[nodiscard]] stats::SmCounters counters(Cycle end) const;
  [[nodiscard]] std::uint64_t shared_wavefronts() const;
  /// Issued so far.
  [[nodiscard]] std::uint64_t warp_instructions() const;
  [[nodiscard]] stats::L1Counters l1_counters() const;
  /// Work that is counted already but comes at `now` or later: an access is counted when it begins. Everything before
  /// `now` must have happened, and nothing else.
  [[nodiscard]] StageWork counted_ahead(Cycle now) const;
  /// Work before `now` that is not counted yet: a WGMMA operation is counted when it ends.
  [[nodiscard]] StageWork uncounted(Cycle now) const;
  /// Adds all that its units counted.
  void add_to(stats::CounterBlocks& blocks, const stats::CountEnd& end) const;
  /// By CTA; empty unless the job asks for it.
  [[nodiscard]] std::span<const stats::CtaSpan> cta_spans() const;
  /// The last cycle in which something happened that more than one sub-core may hear of.
  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] Cycle last_drained() const;
  [[nodiscard]] Cycle last_acknowledged() const;
  [[nodiscard]] bool idle() const;
  /// Every resident warp, in slot order.
  [[nodiscard]] std::vector<WarpWait> waiting_warps() const;

  /// The raw state of a warp slot and of a sub-core, for code that records cycles on its own. There are none before
  /// the first CTA.
  [[nodiscard]] std::uint32_t warp_slots() const;
  [[nodiscard]] const Warp& warp(std::uint32_t slot) const;
  [[nodiscard]] std::uint32_t sub_cores() const;
  [[nodiscard]] const SubCore& sub_core(std::uint32_t index) const;
  [[nodiscard]] const std::optional<Scoreboard>& scoreboard() const;

 private:
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
  std::unique_ptr<Units> units_;  ///< null before the first message
};

}  // namespace gpusim::sm
