// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/translation.h"

#include "sim/model/arch/noc_config.h"
#include "sim/model/arch/tlb_config.h"

namespace gpusim::mem::noc {

Translation::Translation(const arch::NocConfig& noc, const arch::TlbConfig& tlb, std::uint32_t sms, msg::DomainId mmu,
                         engine::Outlet& outlet)
    : latency_(noc.gpc_to_l2_latency), mmu_(mmu), outlet_(outlet) {
  if (tlb.is_modelled()) {
    tlb_.emplace(tlb, sms);
  }
}

[[gnu::noinline]] bool Translation::waits(const msg::Message& request, std::uint32_t sm, Cycle now) {
  const tlb::GpcTlb::Outcome outcome = tlb_->look_up(request, sm, now);
  if (outcome.passes) {
    return false;
  }
  if (outcome.asks_at) {
    const msg::Translation ask{request.as<msg::L2Access>().address};
    outlet_.send(mmu_, *outcome.asks_at + latency_, msg::make(msg::Kind::kTranslate, ask));
  }
  next_event_ = tlb_->next_answer();
  return true;
}

void Translation::restart() {
  if (tlb_) {
    tlb_->restart();
  }
}

}  // namespace gpusim::mem::noc
