// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/request_ports.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/machine/mem/noc/reply_ports.h"
#include "sim/model/arch/arch.h"

namespace gpusim::mem::noc {

RequestPorts::RequestPorts(const arch::Arch& arch, const arch::NocConfig& noc,
                           const std::vector<msg::DomainId>& sm_domains,
                           const std::vector<msg::DomainId>& slice_domains, engine::Outlet& outlet)
    : noc_(noc),
      outlet_(outlet),
      sm_window_(sm_window(arch.noc)),
      slice_window_(slice_window(arch.noc, arch.l2)),
      have_tpc_ports_(arch.noc.tpc_request_bytes_per_cycle != 0),
      sms_per_tpc_(arch.noc.sms_per_tpc(arch.sm.count)),
      sms_(sm_domains.size()),
      tpcs_((sm_domains.size() + sms_per_tpc_ - 1) / sms_per_tpc_),
      slices_(slice_domains.size()) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    sms_[i].domain = sm_domains[i];
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    slices_[i].domain = slice_domains[i];
  }
  restart();
}

void RequestPorts::restart() {
  gpc_ = BytePort(noc_.gpc_request_bytes_per_cycle);
  std::fill(tpcs_.begin(), tpcs_.end(), BytePort(noc_.tpc_request_bytes_per_cycle));
  credits_received_ = 0;
  credits_returned_ = 0;
  full_ = {};
  waiting_ = {};
  waiting_for_tpc_ = {};
  for (SmPort& sm : sms_) {
    sm.owed = 0;
  }
  for (SlicePort& slice : slices_) {
    slice.credits = slice_window_.places;
  }
}

void RequestPorts::enqueue(std::uint32_t sm, const msg::Message& message, Cycle now) {
  if (is_ideal()) {
    outlet_.send(slices_[slice_of(message)].domain, now + noc_.gpc_to_l2_latency, message);
    return;
  }
  SmPort& port = sms_[sm];
  assert(port.fifo.size() < sm_window_.places);
  const bool is_alone = port.fifo.empty();
  const bool nobody_waits = ready_.head == kNone && stalled_.head == kNone;
  if (is_alone && nobody_waits && may_start(sm, now) == now && take_credit(message)) {
    forward(sm, message, now);
    return;
  }
  port.fifo.push_back(message);
  if (port.fifo.size() + port.owed == sm_window_.places) {
    full_.begin(now);
  }
  if (is_alone) {
    enlist(sm, now);
  }
  arbitrate(now);
}

void RequestPorts::accept_credit(const msg::Message& message, Cycle now) {
  const auto& credit = message.as<msg::SliceCredit>();
  SlicePort& slice = slices_[credit.slice];
  slice.credits += credit.places;
  credits_received_ += credit.places;
  assert(slice.credits <= slice_window_.places);
  while (slice.credits > 0 && slice.waiting.head != kNone) {
    --slice.credits;
    append(ready_, take_first(slice.waiting));
    waiting_.end(now);
  }
  arbitrate(now);
}

bool RequestPorts::take_credit(const msg::Message& message) {
  SlicePort& slice = slices_[slice_of(message)];
  if (slice.credits == 0) {
    return false;
  }
  --slice.credits;
  return true;
}

/// Gives the SM, whose FIFO has a new head, its place in the ring or in the line for a credit.
void RequestPorts::enlist(std::uint32_t sm, Cycle now) {
  const msg::Message& head = sms_[sm].fifo.front();
  const bool has_credit = take_credit(head);
  if (!has_credit) {
    waiting_.begin(now);
  }
  append(has_credit ? ready_ : slices_[slice_of(head)].waiting, sm);
}

[[gnu::noinline]] void RequestPorts::arbitrate(Cycle now) {
  while (ready_.head != kNone && gpc_.is_free(now)) {
    const std::uint32_t sm = take_first(ready_);
    if (const Cycle start = may_start(sm, now); start != now) {
      waiting_for_tpc_.begin(now);
      stall(sm, start);
      continue;
    }
    SmPort& port = sms_[sm];
    forward(sm, port.fifo.front(), now);
    port.fifo.pop_front();
    if (!port.fifo.empty()) {
      enlist(sm, now);
    }
  }
  arbitrate_at_ = std::min(resume_at_, ready_.head == kNone ? kNever : gpc_.free_at(now));
}

/// When a request of an SM can pass the ports of its TPC and its GPC, as far as is known now.
Cycle RequestPorts::may_start(std::uint32_t sm, Cycle now) {
  const Cycle in_gpc = gpc_.free_at(now);
  return have_tpc_ports_ ? std::max(in_gpc, tpc_of(sm).free_at(now)) : in_gpc;
}

void RequestPorts::forward(std::uint32_t sm, const msg::Message& message, Cycle now) {
  SmPort& port = sms_[sm];
  const std::uint32_t bytes = msg::wire_bytes(message, noc_.request_header_bytes);
  gpc_.take(now, bytes);
  if (have_tpc_ports_) {
    tpc_of(sm).take(now, bytes);
  }
  outlet_.send(slices_[slice_of(message)].domain, now + noc_.gpc_to_l2_latency, message);
  if (++port.owed == sm_window_.batch) {
    return_credits(port, now);
  }
}

[[gnu::noinline]] void RequestPorts::return_credits(SmPort& sm, Cycle now) {
  const msg::SmCredit credit{static_cast<std::uint16_t>(std::exchange(sm.owed, 0))};
  credits_returned_ += credit.places;
  if (sm.fifo.size() + credit.places == sm_window_.places + 1) {  // the request that is passed on is still in front
    full_.end(now);
  }
  outlet_.send(sm.domain, now + noc_.gpc_to_sm_latency, msg::make(msg::Kind::kSmCredit, credit));
}

void RequestPorts::stall(std::uint32_t sm, Cycle until) {
  append(stalled_, sm);
  resume_at_ = std::min(resume_at_, until);
}

/// In the order in which they were stalled.
[[gnu::noinline]] void RequestPorts::move_resumed(Cycle now) {
  SmList waiting;
  std::swap(waiting, stalled_);
  resume_at_ = kNever;
  while (waiting.head != kNone) {
    const std::uint32_t sm = take_first(waiting);
    if (const Cycle free = tpc_of(sm).free_at(now); free > now) {
      stall(sm, free);
    } else {
      waiting_for_tpc_.end(now);
      append(ready_, sm);
    }
  }
}

void RequestPorts::append(SmList& list, std::uint32_t sm) {
  sms_[sm].next = kNone;
  (list.head == kNone ? list.head : sms_[list.tail].next) = sm;
  list.tail = sm;
}

std::uint32_t RequestPorts::take_first(SmList& list) {
  const std::uint32_t first = list.head;
  list.head = sms_[first].next;
  return first;
}

void RequestPorts::add_to(stats::NocCounters& counters, Cycle end) const {
  counters.gpc_request_bytes += gpc_.bytes();
  counters.gpc_request_busy_cycles += gpc_.busy_cycles(end);
  counters.gpc_request_full_cycles += full_.cycles(end);
  counters.gpc_request_stall_cycles += waiting_.cycles(end);
  for (const BytePort& tpc : tpcs_) {
    counters.tpc_request_bytes += tpc.bytes();
    counters.tpc_request_busy_cycles += tpc.busy_cycles(end);
  }
  counters.tpc_request_stall_cycles += waiting_for_tpc_.cycles(end);
  counters.sm_credits_returned += credits_returned_;
  for (const SmPort& sm : sms_) {
    counters.sm_credits_returned += sm.owed;
  }
  // Credits taken: those at the start and those received, less those that are still here.
  counters.slice_credits_taken += credits_received_;
  for (const SlicePort& slice : slices_) {
    counters.slice_credits_taken += slice_window_.places - slice.credits;
  }
}

bool RequestPorts::idle() const {
  const auto is_empty = [](const SmPort& sm) { return sm.fifo.empty(); };
  const auto is_home = [this](const SlicePort& s) { return s.credits + slice_window_.batch > slice_window_.places; };
  return next_event() == kNever && std::all_of(sms_.begin(), sms_.end(), is_empty) &&
         std::all_of(slices_.begin(), slices_.end(), is_home);
}

}  // namespace gpusim::mem::noc
