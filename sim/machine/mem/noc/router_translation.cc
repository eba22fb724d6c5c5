// SPDX-License-Identifier: MIT
// Requests to L2 need the physical address: those whose page the GPC's TLBs do not know wait there.
#include "sim/machine/mem/noc/router.h"

namespace gpusim::mem::noc {

bool GpcRouter::passes_tlb(const msg::Message& message, Cycle now) {
  const tlb::GpcTlb::Outcome outcome = tlb_->look_up(message, local_of_sm_[message.requester], now);
  if (outcome.passes) {
    return true;
  }
  if (outcome.asks_at) {
    msg::Message ask;
    ask.kind = msg::Kind::kTranslate;
    ask.address = message.address;
    send(mmu_, *outcome.asks_at + noc_.gpc_to_l2_latency, ask);
  }
  translated_at_ = tlb_->next_answer();
  return false;
}

void GpcRouter::accept_translation(const msg::Message& message, Cycle now) {
  tlb_->accept(message.address, now, [this, now](const msg::Message& request) { enqueue(request, now); });
}

void GpcRouter::pass_translated(Cycle now) {
  tlb_->answer(now, [this, now](const msg::Message& request) { enqueue(request, now); });
  translated_at_ = tlb_->next_answer();
}

stats::TlbCounters GpcRouter::tlb_counters() const {
  return tlb_ ? tlb_->counters() : stats::TlbCounters();
}

}  // namespace gpusim::mem::noc
