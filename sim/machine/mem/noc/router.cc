// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/router.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/base/prefetch.h"

namespace gpusim::mem::noc {
namespace {

/// One that is not there may have any width.
RateServer port_of(std::uint32_t bytes_per_cycle) {
  return RateServer(Ratio::of(1, std::max(bytes_per_cycle, 1U)));
}

}  // namespace

GpcRouter::GpcRouter(msg::DomainId id, const arch::Arch& arch, RouterWiring wiring)
    : Domain(id),
      noc_(arch.noc),
      sm_window_(sm_window(arch.noc)),
      slice_window_(slice_window(arch.noc, arch.l2)),
      sms_per_tpc_(arch.noc.sms_per_tpc(arch.sm.count)),
      sms_(wiring.sms.size()),
      tpcs_((wiring.sms.size() + sms_per_tpc_ - 1) / sms_per_tpc_),
      slices_(wiring.partition_domain.size()),
      clusters_(wiring.ctas_per_cluster),
      mmu_(wiring.mmu) {
  if (arch.tlb.is_modelled()) {
    tlb_.emplace(arch.tlb, static_cast<std::uint32_t>(sms_.size()));
  }
  for (std::uint32_t i = 0; i < sms_.size(); ++i) {
    const RouterWiring::Sm& sm = wiring.sms[i];
    sms_[i].domain = sm.domain;
    local_of_sm_.resize(std::max<std::size_t>(local_of_sm_.size(), sm.index + std::size_t{1}), kNone);
    local_of_sm_[sm.index] = i;
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    slices_[i].domain = wiring.partition_domain[i];
  }
  start_afresh();
}

void GpcRouter::start_afresh() {
  request_port_ = port_of(noc_.gpc_request_bytes_per_cycle);
  reply_port_ = port_of(noc_.gpc_reply_bytes_per_cycle);
  for (SmPort& sm : sms_) {
    sm.reply_port = port_of(noc_.sm_reply_bytes_per_cycle);
    sm.to_sms = port_of(noc_.dsmem_bytes_per_cycle);
    sm.from_sms = sm.to_sms;
    sm.owed = 0;
  }
  for (TpcPort& tpc : tpcs_) {
    tpc = {port_of(noc_.tpc_request_bytes_per_cycle), port_of(noc_.tpc_reply_bytes_per_cycle)};
  }
  for (SlicePort& slice : slices_) {
    slice.credits = slice_window_.places;
  }
  if (tlb_) {
    tlb_->restart();
  }
}

void GpcRouter::reset_timing() {
  assert(idle());
  restart();
  start_afresh();
}

Cycle GpcRouter::next_event() const {
  return std::min({next_message(), arbitrate_at_, translated_at_});
}

void GpcRouter::prefetch() const {
  gpusim::prefetch(sms_);
  gpusim::prefetch(slices_);
}

void GpcRouter::run_until(Cycle end) {
  for (Cycle now = next_event(); now < end; now = next_event()) {
    unpark(now);  // before anybody who comes now
    receive(now, [this, now](const msg::Message& message) { handle(message, now); });
    if (translated_at_ == now) {
      pass_translated(now);
    }
    if (arbitrate_at_ == now) {
      serve_ready(now);
    }
  }
}

void GpcRouter::handle(const msg::Message& message, Cycle now) {
  switch (message.kind) {
    case msg::Kind::kRead:
    case msg::Kind::kWrite:
    case msg::Kind::kAtomic:
    case msg::Kind::kReduction: accept_request(message, now); break;
    case msg::Kind::kReadReply:
    case msg::Kind::kWriteAck: accept_reply(message, now); break;
    case msg::Kind::kCredit: accept_credit(message, now); break;
    case msg::Kind::kTranslated: accept_translation(message, now); break;
    default: handle_cluster(message, now);
  }
}

void GpcRouter::accept_request(const msg::Message& message, Cycle now) {
  if (!tlb_ || passes_tlb(message, now)) {
    enqueue(message, now);
  }
}

void GpcRouter::enqueue(const msg::Message& message, Cycle now) {
  const std::uint32_t local = local_of_sm_[message.requester];
  SmPort& sm = sms_[local];
  if (is_ideal()) {
    send(slices_[message.slice].domain, now + noc_.gpc_to_l2_latency, message);
    return;
  }
  assert(sm.fifo.size() < sm_window_.places);
  const bool is_alone = sm.fifo.empty();
  const bool nobody_waits = ready_.head == kNone && parked_.head == kNone;
  if (is_alone && nobody_waits && request_may_start(local, now) == now && take_credit(message)) {
    forward(local, message, now);
    return;
  }
  sm.fifo.push_back(message);
  if (is_alone) {
    enlist(local);
  }
  serve_ready(now);
}

void GpcRouter::accept_reply(const msg::Message& message, Cycle now) {
  if (Multicast* copy = multicasts_.find(message)) [[unlikely]] {
    accept_multicast(*copy, message, now);
    return;
  }
  // Two queues in a row that never push back: their times are known on arrival.
  pass_to_sm(local_of_sm_[message.requester], message, through_gpc_port(message, now));
}

Cycle GpcRouter::through_gpc_port(const msg::Message& message, Cycle now) {
  if (is_ideal()) {
    return now;
  }
  const Cycle start = reply_port_.free_at(now);
  reply_port_.take(start, msg::wire_bytes(message, noc_.request_header_bytes));
  return start;
}

void GpcRouter::pass_to_sm(std::uint32_t sm, const msg::Message& message, Cycle start) {
  SmPort& port = sms_[sm];
  if (!is_ideal()) {
    const std::uint32_t bytes = msg::wire_bytes(message, noc_.request_header_bytes);
    start = port.reply_port.free_at(through_tpc_port(sm, bytes, start));
    port.reply_port.take(start, bytes);
  }
  send(port.domain, start + noc_.gpc_to_sm_latency, message);
}

void GpcRouter::accept_credit(const msg::Message& message, Cycle now) {
  SlicePort& slice = slices_[message.slice];
  slice.credits += message.count;
  assert(slice.credits <= slice_window_.places);
  while (slice.credits > 0 && slice.waiting.head != kNone) {
    --slice.credits;
    append(ready_, take_first(slice.waiting));
  }
  serve_ready(now);
}

bool GpcRouter::take_credit(const msg::Message& message) {
  SlicePort& slice = slices_[message.slice];
  if (slice.credits == 0) {
    return false;
  }
  --slice.credits;
  return true;
}

/// Gives the SM, whose FIFO has a new head, its place in the ring or in the line for a credit.
void GpcRouter::enlist(std::uint32_t sm) {
  const msg::Message& head = sms_[sm].fifo.front();
  append(take_credit(head) ? ready_ : slices_[head.slice].waiting, sm);
}

/// Forwards heads in turn while the port is free, and sees to it that this goes on when it is free again.
void GpcRouter::serve_ready(Cycle now) {
  while (ready_.head != kNone && request_port_.is_free(now)) {
    const std::uint32_t local = take_first(ready_);
    if (const Cycle start = request_may_start(local, now); start != now) {
      park(local, start);
      continue;
    }
    SmPort& sm = sms_[local];
    forward(local, sm.fifo.front(), now);
    sm.fifo.pop_front();
    if (!sm.fifo.empty()) {
      enlist(local);
    }
  }
  arbitrate_at_ = std::min(unpark_at_, ready_.head == kNone ? kNever : request_port_.free_at(now));
}

void GpcRouter::forward(std::uint32_t local, const msg::Message& message, Cycle now) {
  SmPort& sm = sms_[local];
  take_request_ports(local, msg::wire_bytes(message, noc_.request_header_bytes), now);
  send(slices_[message.slice].domain, now + noc_.gpc_to_l2_latency, message);
  if (++sm.owed == sm_window_.lot) {
    msg::Message credit;
    credit.kind = msg::Kind::kCredit;
    credit.requester = message.requester;
    credit.count = static_cast<std::uint16_t>(std::exchange(sm.owed, 0));
    send(sm.domain, now + noc_.gpc_to_sm_latency, credit);
  }
}

void GpcRouter::append(SmList& list, std::uint32_t sm) {
  sms_[sm].next = kNone;
  (list.head == kNone ? list.head : sms_[list.tail].next) = sm;
  list.tail = sm;
}

std::uint32_t GpcRouter::take_first(SmList& list) {
  const std::uint32_t first = list.head;
  list.head = sms_[first].next;
  return first;
}

bool GpcRouter::idle() const {
  const auto is_empty = [](const SmPort& sm) { return sm.fifo.empty(); };
  const auto is_home = [this](const SlicePort& s) { return s.credits + slice_window_.lot > slice_window_.places; };
  return next_event() == kNever && clusters_.empty() && multicasts_.empty() && (!tlb_ || tlb_->idle()) &&
         std::all_of(sms_.begin(), sms_.end(), is_empty) && std::all_of(slices_.begin(), slices_.end(), is_home);
}

}  // namespace gpusim::mem::noc
