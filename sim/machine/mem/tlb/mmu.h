// SPDX-License-Identifier: MIT
// The GPU's memory management unit: one TLB for all GPCs, and the page walkers behind it. Owns the entries of the TLB,
// the translations under way, and the walkers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/mem/tlb/outstanding.h"
#include "sim/machine/mem/tlb/tlb.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/tlb_config.h"
#include "sim/model/stats/counters.h"

namespace gpusim::mem::tlb {

/// Requests (kTranslate) come from GPC routers, which get kTranslated back. Cycles of one that arrives at t (L3 is
/// tlb.l3.latency, and nothing is in the way):
///   hit    answer departs at t + L3
///   miss   at t + L3 + tlb.walk_latency; later while all walkers are busy
/// The TLB takes one request per cycle (guess). Misses on one entry's pages share a walk.
class Mmu final : public engine::Domain {
 public:
  /// `reply_latency`: of the way back to a router.
  Mmu(msg::DomainId id, const arch::TlbConfig& config, std::uint32_t reply_latency);

  void run_until(Cycle end) override;
  [[nodiscard]] Cycle next_event() const override;

  [[nodiscard]] bool idle() const { return next_event() == kNever && outstanding_.empty(); }
  [[nodiscard]] const stats::TlbCounters& counters() const { return counters_; }

 private:
  struct Asker {
    msg::DomainId router = 0;
    Address address = 0;
    Cycle looked_up = 0;
  };
  struct Walk {
    Cycle done = 0;
    std::uint32_t slot = 0;  ///< in outstanding_
  };
  void accept(const msg::Message& request, Cycle now);
  void walk(std::uint32_t slot, Cycle from);
  void finish_walk(Cycle now);
  void reply(const Asker& asker, Cycle departs);

  std::uint32_t latency_;
  std::uint32_t walk_latency_;
  std::uint32_t reply_latency_;
  Tlb tlb_;
  OutstandingTable<Asker> outstanding_;
  Ring<Walk> walks_;                ///< under way or waiting for a walker, in order of their ends
  std::vector<Cycle> walker_free_;  ///< when each walker is free
  std::size_t next_walker_ = 0;     ///< walks begin and end in turn, so that the one that began first is free first
  Cycle free_ = 0;
  stats::TlbCounters counters_;
};

}  // namespace gpusim::mem::tlb
