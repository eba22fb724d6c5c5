// SPDX-License-Identifier: MIT
// CTAs come from the dispatcher and leave when all their warps have exited and drained. Owns how many warps live on
// the SM, and since when.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/open_spans.h"
#include "sim/base/types.h"
#include "sim/machine/msg/message.h"
#include "sim/model/stats/counters.h"

namespace gpusim::lower {
struct KernelImage;
}
namespace gpusim::trace {
class Execution;
}

namespace gpusim::sm {

class Clusters;
class CtaLog;
class CtaTable;
class Dependences;
class FrontEnd;
class MemoryUnit;
class NamedBarriers;
class Outbox;
class SubCores;
class StallLedger;
class WarpTable;
struct Warp;

/// The units that a warp's coming or going concerns.
struct ResidencyUnits {
  CtaTable& ctas;
  WarpTable& warps;
  SubCores& cores;
  Dependences& dependences;
  FrontEnd& front_end;
  MemoryUnit& memory;
  NamedBarriers& barriers;
  Clusters& clusters;
  StallLedger& ledger;
  Outbox& outbox;
};

class Residency {
 public:
  /// `dispatcher` hears of a CTA's end `completion_latency` cycles after it. `log`: told of every CTA, if there is one.
  /// `execution`: of a kernel that is executed, else null.
  Residency(const lower::KernelImage& image, std::uint16_t sm, msg::DomainId dispatcher,
            std::uint32_t completion_latency, const ResidencyUnits& units, std::optional<CtaLog>& log,
            trace::Execution* execution)
      : image_(image),
        execution_(execution),
        sm_(sm),
        dispatcher_(dispatcher),
        completion_latency_(completion_latency),
        units_(units),
        log_(log) {}

  /// CTA number `linear` of the grid begins.
  void launch_cta(std::uint64_t linear, Cycle now);
  /// The warp's last lane has exited in the cycle before warp.gap_begin; it stays until its operations are done.
  void exit(Warp& warp, Cycle now);
  /// One of the warp's operations in flight is done.
  void operation_done(Warp& warp, Cycle now);

  [[nodiscard]] bool is_empty() const { return resident_warps_ == 0; }
  /// First cycle after the last warp left; 0 when none ever came.
  [[nodiscard]] Cycle last_drained() const { return last_drained_; }
  /// CTAs that ended, warp cycles and active cycles; the rest is 0. Warps that are resident count up to cycle `end`.
  [[nodiscard]] stats::SmCounters counters(Cycle end) const;

 private:
  void start_walk(Warp& warp);
  void launch_warp(std::uint32_t cta_slot, std::uint32_t warp_in_cta, Cycle now);
  void begin_first_instruction(Warp& warp, Cycle now);
  void retire(Warp& warp, Cycle end);
  void end_cta(std::uint32_t cta_slot, Cycle end);

  const lower::KernelImage& image_;
  trace::Execution* execution_;
  std::uint16_t sm_;
  msg::DomainId dispatcher_;
  std::uint32_t completion_latency_;
  ResidencyUnits units_;
  std::optional<CtaLog>& log_;
  std::uint64_t launched_ = 0;  ///< warps so far: their ages
  std::uint32_t resident_warps_ = 0;
  OpenSpans residence_;  ///< the residence of each warp
  OpenSpans active_;     ///< while any warp is resident
  std::uint64_t ctas_ = 0;
  Cycle last_drained_ = 0;
};

}  // namespace gpusim::sm
