// SPDX-License-Identifier: MIT
// Requests to L2 need the physical address. This unit of a GPC's router owns the GPC's TLBs: those whose page they know
// pass, the others wait here, and the MMU is asked.
#pragma once

#include <optional>

#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/mem/tlb/gpc_tlb.h"
#include "sim/machine/msg/message.h"

namespace gpusim::arch {
struct NocConfig;
struct TlbConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::noc {

class Translation {
 public:
  /// Translates for `sms` SMs; with tlb.model off everything passes.
  Translation(const arch::NocConfig& noc, const arch::TlbConfig& tlb, std::uint32_t sms, msg::DomainId mmu,
              engine::Outlet& outlet);

  /// Whether a request passes at once. Otherwise it will be handed back, by one of the next two.
  [[nodiscard]] bool passes(const msg::Message& request, std::uint32_t sm, Cycle now) {
    return !tlb_ || tlb_->knows_latest(request.as<msg::L2Access>().address, sm) || !waits(request, sm, now);
  }
  /// kTranslated. Calls `pass(request)` for those that waited for it.
  template <class Pass>
  void accept_answer(const msg::Message& message, Cycle now, Pass&& pass) {
    tlb_->accept(message.as<msg::Translation>().address, now, pass);
  }
  /// Calls `pass(request)` for those that the GPC's own TLB answers at next_event().
  template <class Pass>
  void answer(Cycle now, Pass&& pass) {
    tlb_->answer(now, pass);
    next_event_ = tlb_->next_answer();
  }
  [[nodiscard]] Cycle next_event() const { return next_event_; }

  [[nodiscard]] bool idle() const { return !tlb_ || tlb_->idle(); }
  /// For a run that starts at cycle 0 again.
  void restart();
  /// All zero with tlb.model off.
  [[nodiscard]] stats::TlbCounters counters() const { return tlb_ ? tlb_->counters() : stats::TlbCounters(); }

 private:
  [[nodiscard]] bool waits(const msg::Message& request, std::uint32_t sm, Cycle now);

  std::optional<tlb::GpcTlb> tlb_;
  Cycle next_event_ = kNever;
  std::uint32_t latency_;  ///< to the MMU
  msg::DomainId mmu_;
  engine::Outlet& outlet_;
};

}  // namespace gpusim::mem::noc
