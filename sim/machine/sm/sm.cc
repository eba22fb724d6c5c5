// SPDX-License-Identifier: MIT
#include "sim/machine/sm/sm.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace gpusim::sm {

Sm::Sm(msg::DomainId id, const arch::Arch& arch, const SmWiring& wiring, const SmJob& job)
    : Domain(id),
      arch_(arch),
      wiring_(wiring),
      job_(job),
      warps_(arch.sm.limits.warps_per_sm, arch.sm.sub_cores),
      ctas_(job.ctas_per_sm, arch.sm.limits.warps_per_sm, arch.sm.sub_cores),
      sub_cores_(arch.sm),
      dependences_(*job.image, warps_, sub_cores_, events_),
      charger_(wiring.place.index, warps_, ctas_, sub_cores_, dependences_, job.watch),
      instruction_l1_(arch.sm.front_end, job.image->code_lines, job.image->constant_lines),
      front_end_(arch.sm, instruction_l1_, job.image->code_lines, events_),
      constants_(arch.sm, job.image->constants, instruction_l1_),
      cta_log_(job.cta_log_end == 0
                   ? std::nullopt
                   : std::optional<CtaLog>(std::in_place, wiring.place.index, job.ctas_per_sm, job.cta_log_end)),
      memory_(arch, wiring.place, {job.image->kernel, job.ctas_per_sm, job.l1_bytes}, constants_, events_),
      wgmma_(arch.sm, job.ctas_per_sm, job.image->kernel->warps_per_cta(), memory_.shared(), warps_, sub_cores_,
             events_),
      barriers_(ctas_, arch.sm.barrier_latency, events_),
      clusters_(arch.noc, *job.image, wiring.place.index, wiring.router, ctas_, warps_, sub_cores_, memory_, outbox_),
      polls_(*job.image, warps_, sub_cores_, memory_, events_),
      residency_(
          *job.image, wiring.place.index, wiring.dispatcher, arch.launch.completion_latency,
          {ctas_, warps_, sub_cores_, dependences_, front_end_, memory_, barriers_, clusters_, charger_, outbox_},
          cta_log_),
      executor_(*job.image, {warps_, sub_cores_, memory_, barriers_, clusters_, wgmma_, events_}),
      issuer_(arch.sm, *job.image,
              {warps_, sub_cores_, dependences_, charger_, front_end_, constants_, wgmma_, residency_, polls_,
               executor_, events_}) {
  if (job.warm_code) {
    instruction_l1_.load_all();
  }
}

Cycle Sm::next_event() const {
  return std::min({next_message(), events_.next_time(), sub_cores_.next_look()});
}

void Sm::run_until(Cycle end) {
  prefetch(end);
  PerWorker& worker = mine(*job_.workers);
  charger_.use(worker.profile, worker.series.get());
  executor_.use(worker);
  for (Cycle next = next_event(); next < end; next = next_event()) {
    step(next);
  }
}

/// Since this SM ran last, the others have pushed its state out of the host's cache.
void Sm::prefetch() const {
  const auto* const begin = reinterpret_cast<const char*>(this);
  const auto* const after_events = reinterpret_cast<const char*>(&events_ + 1);
  gpusim::prefetch(this, static_cast<std::size_t>(reinterpret_cast<const char*>(&events_) - begin));
  events_.prefetch();
  gpusim::prefetch(after_events, static_cast<std::size_t>(begin + sizeof(Sm) - after_events));
  for (const SubCore& sub_core : sub_cores_) {
    gpusim::prefetch(&sub_core, SubCore::kHotBytes);
  }
}

/// For the host's speed alone: what the window is known to need is fetched at once here and not, one wait after the
/// other, when it is needed.
void Sm::prefetch(Cycle end) const {
  front_end_.prefetch();
  constants_.prefetch();
  events_.prefetch_until(end);
  memory_.prefetch(due());
  events_.for_each_before(end,
                          [this](const SmEvent& event) { gpusim::prefetch(&warps_[event.warp], Warp::kHotBytes); });
  for (const msg::Message& message : due()) {
    if (message.kind() == msg::Kind::kReadReply) {
      gpusim::prefetch(&warps_[memory_.warp_of(message)], Warp::kHotBytes);
    }
  }
}

/// One cycle in which something happens: messages, then events, then issue.
void Sm::step(Cycle now) {
  now_ = now;
  if (next_message() == now) {
    receive(now, [this, now](const msg::Message& message) { handle(message, now); });
  }
  if (events_.next_time() == now) {
    events_.pop_all(now, [this, now](const SmEvent& event) { handle(event, now); });
  }
  for (std::uint32_t i = 0; i < sub_cores_.size(); ++i) {
    if (sub_cores_.is_due(i, now)) {
      issuer_.run(i, now);
    }
  }
  send_all(now);
}

void Sm::handle(const msg::Message& message, Cycle now) {
  if (memory_.sync().waits().holds_any()) {
    memory_.sync().waits().wake(now);
  }
  if (message.kind() == msg::Kind::kCtaLaunch) {
    residency_.launch_cta(message.as<msg::CtaLaunch>().cta, now);
  } else if (msg::is_of_cluster(message.kind())) {
    clusters_.handle(message, now);
  } else {
    sub_cores_.open_queues(memory_.handle(message, now), now);
  }
}

void Sm::handle(const SmEvent& event, Cycle now) {
  Warp& warp = warps_[event.warp];  // of those events that name a warp
  switch (event.kind) {
    case SmEventKind::kWarpTimer:
      sub_cores_.of(warp).end_sleep(warp.slot);
      sub_cores_.look_now(warp.sub_core, now);
      break;
    case SmEventKind::kTick: sub_cores_.look_now(event.as<SubCoreEvent>().sub_core, now); break;
    case SmEventKind::kCounterRelease: complete(event, now); break;
    case SmEventKind::kOperationDone:
      dependences_.release_registers(warp, event.as<OperationEnd>().pc, now);
      residency_.operation_done(warp, now);
      break;
    case SmEventKind::kFenceDone: sub_cores_.end_stall(warp, Stall::kMembar, now); break;
    case SmEventKind::kBarrierRelease: sub_cores_.end_stall(warp, Stall::kBarrier, now); break;
    case SmEventKind::kFetch:
      front_end_.wake(warp, now);
      sub_cores_.look_now(warp.sub_core, now);
      break;
    case SmEventKind::kInstruction: sub_cores_.end_stall(warp, Stall::kNoInstruction, now); break;
    case SmEventKind::kConstant:
      warp.has_constant = true;
      sub_cores_.end_stall(warp, Stall::kImcMiss, now);
      break;
    case SmEventKind::kPollYes:
    case SmEventKind::kPollNo:
      polls_.note_answer(warp, event);
      complete(event, now);
      break;
    case SmEventKind::kPollDeadline: memory_.sync().waits().expire(event, polls_.only_polls_remain(), now); break;
    case SmEventKind::kWgmmaDone:
      wgmma_.end(now, [this, now](Warp& done) { residency_.operation_done(done, now); });
      break;
    case SmEventKind::kAddressReady:
    case SmEventKind::kMbarrierSignal:
    case SmEventKind::kTmaStep:
    case SmEventKind::kLsuFree:
    case SmEventKind::kPortFree: sub_cores_.open_queues(memory_.handle(event, now), now); break;
  }
}

/// An operation of the warp is done, of those that count down a counter or none.
void Sm::complete(const SmEvent& event, Cycle now) {
  Warp& warp = warps_[event.warp];
  const auto& end = event.as<OperationEnd>();
  if (end.counter == isa::kNoBarrier) {
    dependences_.release_registers(warp, end.pc, now);
  } else if (!dependences_.release_counter(warp, event, now)) {
    return;
  }
  residency_.operation_done(warp, now);
}

void Sm::send_all(Cycle now) {
  outbox_.empty([this](msg::DomainId to, Cycle arrival, const msg::Message& message) { send(to, arrival, message); });
  for (const msg::Message& message : memory_.departed()) {
    send(wiring_.router, now + arch_.noc.sm_to_gpc_latency, message);
  }
  memory_.departed().clear();
  for (const msg::Message& message : memory_.dsmem().departed()) {
    send(wiring_.router, now + arch::NocConfig::to_switch(arch_.noc.dsmem_latency), message);
  }
  memory_.dsmem().departed().clear();
}

stats::SmCounters Sm::counters() const {
  stats::SmCounters sum = issuer_.counters();
  stats::add(sum, residency_.counters());
  stats::add(sum, wgmma_.counters());
  stats::add(sum, memory_.shared().counters());
  return sum;
}

StageWork Sm::uncounted(Cycle now) const {
  return {0, wgmma_.wavefronts_so_far(now, memory_.ahead(now).shared_wavefronts)};
}

std::vector<WarpWait> Sm::waiting_warps() const {
  std::vector<WarpWait> all;
  for (const Warp& warp : warps_) {
    if (!warp.resident) {
      continue;
    }
    WarpWait wait{warps_.slot_of(warp), ctas_[warp.cta_slot].linear, warp.warp_in_cta, warp.next.pc, warp.waits,
                  warp.exited};
    const auto& barriers = ctas_[warp.cta_slot].barriers;
    for (std::uint32_t b = 0; b < kNamedBarriers; ++b) {
      if ((barriers[b].waiting >> warps_.slot_of(warp) & 1U) != 0) {
        wait.barrier = b;
        wait.barrier_arrivals = barriers[b].arrivals;
        wait.barrier_needed = barriers[b].needed;
      }
    }
    wait.poll = polls_.of(warp);
    wait.wgmma_missing = wgmma_.missing(warp);
    wait.cluster = clusters_.place_of(warp.cta_slot).cluster;
    wait.cluster_arrived = clusters_.has_arrived(warp);
    wait.cluster_waits = clusters_.is_waiting(warp);
    all.push_back(wait);
  }
  return all;
}

}  // namespace gpusim::sm
