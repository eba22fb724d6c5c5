// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/router.h"

#include <algorithm>
#include <cassert>

#include "sim/model/arch/arch.h"

namespace gpusim::mem::noc {
namespace {

std::vector<msg::DomainId> domains_of(const RouterWiring& wiring) {
  std::vector<msg::DomainId> domains;
  for (const RouterWiring::Sm& sm : wiring.sms) {
    domains.push_back(sm.domain);
  }
  return domains;
}

std::vector<std::uint32_t> local_numbers(const RouterWiring& wiring) {
  constexpr std::uint32_t kOfAnotherGpc = 0xffffffffU;
  std::vector<std::uint32_t> local_of_sm;
  for (std::uint32_t i = 0; i < wiring.sms.size(); ++i) {
    const std::uint16_t index = wiring.sms[i].index;
    local_of_sm.resize(std::max<std::size_t>(local_of_sm.size(), index + std::size_t{1}), kOfAnotherGpc);
    local_of_sm[index] = i;
  }
  return local_of_sm;
}

}  // namespace

GpcRouter::GpcRouter(msg::DomainId id, const arch::Arch& arch, const RouterWiring& wiring)
    : GpcRouter(id, arch, wiring, domains_of(wiring)) {}

GpcRouter::GpcRouter(msg::DomainId id, const arch::Arch& arch, const RouterWiring& wiring,
                     const std::vector<msg::DomainId>& sm_domains)
    : Domain(id),
      noc_(arch.noc),
      local_of_sm_(local_numbers(wiring)),
      requests_(arch, noc_, sm_domains, wiring.partition_domain, outlet()),
      replies_(noc_, arch.noc.sms_per_tpc(arch.sm.count), sm_domains, outlet()),
      translation_(noc_, arch.tlb, static_cast<std::uint32_t>(sm_domains.size()), wiring.mmu, outlet()),
      clusters_(noc_, sm_domains, local_of_sm_, wiring.ctas_per_cluster, outlet()),
      multicast_(clusters_, replies_) {}

void GpcRouter::reset_timing() {
  assert(idle());
  restart();
  requests_.restart();
  replies_.restart();
  translation_.restart();
  clusters_.restart();
}

Cycle GpcRouter::next_event() const {
  return std::min({next_message(), requests_.next_event(), translation_.next_event()});
}

/// What a common message takes is inlined into it; what rarer ones take besides is called.
[[gnu::flatten]] void GpcRouter::run_until(Cycle end) {
  for (Cycle now = next_event(); now < end; now = next_event()) {
    requests_.resume_stalled(now);  // before anything that comes now
    receive(now, [this, now](const msg::Message& message) { handle(message, now); });
    if (translation_.next_event() == now) {
      translation_.answer(now, enqueue_at(now));
    }
    if (requests_.next_event() == now) {
      requests_.arbitrate(now);
    }
  }
}

void GpcRouter::handle(const msg::Message& message, Cycle now) {
  switch (message.kind()) {
    case msg::Kind::kRead:
    case msg::Kind::kWrite:
    case msg::Kind::kAtomic:
    case msg::Kind::kReduction: accept_request(message, now); break;
    case msg::Kind::kReadReply:
    case msg::Kind::kWriteAck: accept_reply(message, now); break;
    case msg::Kind::kReadReplyCopy: replies_.pass_copy_to_sm(local_of(message), message); break;
    case msg::Kind::kSliceCredit: requests_.accept_credit(message, now); break;
    case msg::Kind::kTranslated: translation_.accept_answer(message, now, enqueue_at(now)); break;
    case msg::Kind::kMulticastTo:
    case msg::Kind::kMulticastSize: multicast_.announce(message, now); break;
    default: clusters_.handle(message, now);
  }
}

void GpcRouter::accept_request(const msg::Message& message, Cycle now) {
  const std::uint32_t sm = local_of(message);
  if (translation_.passes(message, sm, now)) {
    requests_.enqueue(sm, message, now);
  }
}

void GpcRouter::accept_reply(const msg::Message& message, Cycle now) {
  const std::uint32_t sm = local_of(message);
  if (!multicast_.takes(message, sm, now)) {
    replies_.pass_to_sm(sm, message, replies_.pass_gpc(message, now));
  }
}

stats::NocCounters GpcRouter::noc_counters(Cycle end) const {
  stats::NocCounters counters;
  requests_.add_to(counters, end);
  replies_.add_to(counters, end);
  clusters_.add_to(counters, end);
  return counters;
}

bool GpcRouter::idle() const {
  return next_event() == kNever && requests_.idle() && translation_.idle() && clusters_.idle() && multicast_.idle();
}

}  // namespace gpusim::mem::noc
