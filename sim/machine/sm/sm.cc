// SPDX-License-Identifier: MIT
#include "sim/machine/sm/sm.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/base/prefetch.h"
#include "sim/machine/sm/per_worker.h"
#include "sim/machine/sm/units.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/counter_blocks.h"

namespace gpusim::sm {
Sm::Sm(msg::DomainId id, const arch::Arch& arch, const SmWiring& wiring, const SmJob& job)
    : Domain(id), arch_(arch), wiring_(wiring), job_(job) {}

Sm::~Sm() = default;

Cycle Sm::next_event() const {
  return units_ ? std::min({next_message(), units_->events.next_time(), units_->sub_cores.next_look()})
                : next_message();
}

void Sm::run_until(Cycle end) {
  if (!units_) {
    units_ = std::make_unique<Units>(arch_, wiring_, job_);
  }
  prefetch(end);
  PerWorker& worker = mine(*job_.workers);
  units_->ledger.use(worker.profile, worker.series.get());
  units_->executor.use(worker);
  for (Cycle next = next_event(); next < end; next = next_event()) {
    step(next, end);
  }
}

/// For the host's speed alone: what the window is known to need is fetched at once here and not, one wait after the
/// other, when it is needed.
void Sm::prefetch(Cycle end) const {
  units_->front_end.prefetch();
  units_->constants.prefetch();
  units_->events.prefetch_until(end);
  units_->memory.prefetch(due());
  units_->events.for_each_before(end, [this](const SmEvent& event) { units_->warps.prefetch(event.warp); });
  for (const msg::Message& message : due()) {
    if (message.kind() == msg::Kind::kReadReply) {
      units_->warps.prefetch(units_->memory.warp_of(message));
    }
  }
}

/// One cycle in which something happens: messages, then events, then issue. A sub-core runs on by itself as long as
/// nobody else can reach it: up to the next message or event, and for as many cycles as it takes another sub-core to.
/// What a common cycle takes is inlined into it, but for the issue; what rarer ones take besides is called.
[[gnu::flatten]] void Sm::step(Cycle now, Cycle end) {
  now_ = now;
  if (next_message() == now) {
    receive(now, [this, now](const msg::Message& message) { handle(message, now); });
  }
  if (units_->events.next_time() == now) {
    units_->events.pop_all(now, [this, now](const SmEvent& event) { handle(event, now); });
  }
  const Cycle horizon = std::min({end, next_message(), now + units_->reach});
  if (units_->sub_cores.next_look() == now) {
    units_->sub_cores.look(now, [&](std::uint32_t i) { return units_->issuer.run(i, now, horizon); });
  }
  if (has_to_send()) {
    send_all(now);
  }
}

void Sm::handle(const msg::Message& message, Cycle now) {
  units_->memory.sync().waits().wake(now);
  if (message.kind() == msg::Kind::kCtaLaunch) {
    units_->residency.launch_cta(message.as<msg::CtaLaunch>().cta, now);
  } else if (msg::is_of_cluster(message.kind())) {
    units_->clusters.handle(message, now);
  } else {
    units_->sub_cores.open_queues(units_->memory.handle(message, now), now);
  }
}

void Sm::handle(const SmEvent& event, Cycle now) {
  Warp& warp = units_->warps[event.warp];  // for events that name a warp
  switch (event.kind) {
    case SmEventKind::kWarpTimer:
      units_->sub_cores.of(warp).end_sleep(warp.slot);
      units_->sub_cores.look_now(warp.sub_core, now);
      break;
    case SmEventKind::kTick: units_->sub_cores.look_now(event.as<SubCoreEvent>().sub_core, now); break;
    case SmEventKind::kCounterRelease: complete(event, now); break;
    case SmEventKind::kOperationDone:
      units_->dependences.release_registers(warp, event.as<OperationEnd>().pc, now);
      units_->residency.operation_done(warp, now);
      break;
    case SmEventKind::kFenceDone: units_->sub_cores.end_stall(warp, Stall::kMembar, now); break;
    case SmEventKind::kBarrierRelease: units_->sub_cores.end_stall(warp, Stall::kBarrier, now); break;
    case SmEventKind::kFetch:
      units_->front_end.wake(warp, now);
      units_->sub_cores.look_now(warp.sub_core, now);
      break;
    case SmEventKind::kInstruction: units_->sub_cores.end_stall(warp, Stall::kNoInstruction, now); break;
    case SmEventKind::kConstant: units_->issuer.note_constant(warp, now); break;
    case SmEventKind::kPollYes:
    case SmEventKind::kPollNo:
      units_->polls.note_answer(warp, event);
      complete(event, now);
      break;
    case SmEventKind::kPollDeadline:
      units_->memory.sync().waits().expire(event, units_->polls.only_polls_remain(), now);
      break;
    case SmEventKind::kWgmmaDone:
      units_->wgmma.end(now, [this, now](Warp& done) { units_->residency.operation_done(done, now); });
      break;
    case SmEventKind::kWgmmaWrites: units_->wgmma.begin_writes(now); break;
    case SmEventKind::kWgmmaWritten:
      units_->wgmma.end_writes(now, [this, now](Warp& done) { units_->residency.operation_done(done, now); });
      break;
    case SmEventKind::kAddressReady:
    case SmEventKind::kMbarrierSignal:
    case SmEventKind::kTmaStep:
    case SmEventKind::kLsuFree:
    case SmEventKind::kPortFree: units_->sub_cores.open_queues(units_->memory.handle(event, now), now); break;
  }
}

/// An operation of the warp is done, of those that count down a counter or none.
void Sm::complete(const SmEvent& event, Cycle now) {
  Warp& warp = units_->warps[event.warp];
  const auto& end = event.as<OperationEnd>();
  if (end.counter == isa::kNoBarrier) {
    units_->dependences.release_registers(warp, end.pc, now);
  } else if (!units_->dependences.release_counter(warp, event, now)) {
    return;
  }
  units_->residency.operation_done(warp, now);
}

bool Sm::has_to_send() {
  return !units_->outbox.is_empty() || units_->memory.has_departed();
}

void Sm::send_all(Cycle now) {
  units_->outbox.empty(
      [this](msg::DomainId to, Cycle arrival, const msg::Message& message) { send(to, arrival, message); });
  for (const msg::Message& message : units_->memory.departed()) {
    send(wiring_.router, now + arch_.noc.sm_to_gpc_latency, message);
  }
  units_->memory.departed().clear();
  for (const msg::Message& message : units_->memory.departed_to_sms()) {
    const Cycle leaves = std::max(now, message.time);  // the data of a copy by the TMA is still being read
    send(wiring_.router, leaves + arch::NocConfig::to_switch(arch_.noc.dsmem_latency), message);
  }
  units_->memory.departed_to_sms().clear();
}

stats::SmCounters Sm::counters(Cycle end) const {
  stats::SmCounters sum;
  if (units_) {
    stats::add(sum, units_->issuer.counters());
    stats::add(sum, units_->residency.counters(end));
    stats::add(sum, units_->wgmma.counters());
    stats::add(sum, units_->memory.shared().counters());
  }
  return sum;
}

stats::L1Counters Sm::l1_counters() const {
  return units_ ? units_->memory.l1_counters() : stats::L1Counters();
}

void Sm::add_to(stats::CounterBlocks& blocks, const stats::CountEnd& end) const {
  if (!units_) {
    return;
  }
  stats::add(blocks.sm, counters(end.warps));
  stats::add(blocks.fetch, units_->front_end.counters());
  stats::add(blocks.constant, units_->constants.counters());
  units_->memory.add_to(blocks, end.ports);
}

std::span<const stats::CtaSpan> Sm::cta_spans() const {
  return units_ && units_->cta_log ? units_->cta_log->spans() : std::span<const stats::CtaSpan>();
}

std::uint64_t Sm::shared_wavefronts() const {
  return units_ ? units_->memory.shared().counters().shared_wavefronts : 0;
}

std::uint64_t Sm::warp_instructions() const {
  return units_ ? units_->issuer.warp_instructions() : 0;
}

StageWork Sm::counted_ahead(Cycle now) const {
  return units_ ? units_->memory.ahead(now) : StageWork();
}

Cycle Sm::last_drained() const {
  return units_ ? units_->residency.last_drained() : 0;
}

Cycle Sm::last_acknowledged() const {
  return units_ ? units_->memory.writes().last_acknowledged() : 0;
}

bool Sm::idle() const {
  return !units_ || (units_->residency.is_empty() && units_->memory.idle());
}

std::uint32_t Sm::warp_slots() const {
  return units_ ? units_->warps.size() : 0;
}

const Warp& Sm::warp(std::uint32_t slot) const {
  return units_->warps[slot];
}

std::uint32_t Sm::sub_cores() const {
  return units_ ? units_->sub_cores.size() : 0;
}

const SubCore& Sm::sub_core(std::uint32_t index) const {
  return units_->sub_cores[index];
}

const std::optional<Scoreboard>& Sm::scoreboard() const {
  return units_->dependences.scoreboard();
}

StageWork Sm::uncounted(Cycle now) const {
  return units_ ? StageWork{0, 0, units_->wgmma.wavefronts_so_far(now, units_->memory.ahead(now).shared_wavefronts)}
                : StageWork();
}

std::vector<WarpWait> Sm::waiting_warps() const {
  std::vector<WarpWait> all;
  for (std::uint32_t slot = 0; slot < warp_slots(); ++slot) {
    if (warp(slot).resident) {
      all.push_back(wait_of(warp(slot)));
    }
  }
  return all;
}

WarpWait Sm::wait_of(const Warp& warp) const {
  const Units& units = *units_;
  const std::uint32_t slot = units.warps.slot_of(warp);
  WarpWait wait{slot, units.ctas[warp.cta_slot].linear, warp.warp_in_cta, warp.next->pc, warp.waits, warp.exited};
  const CtaBarriers& barriers = units.barriers.of_cta(warp.cta_slot);
  for (std::uint32_t b = 0; b < kNamedBarriers; ++b) {
    if ((barriers[b].waiting >> slot & 1U) != 0) {
      wait.barrier = b;
      wait.barrier_arrivals = barriers[b].arrivals;
      wait.barrier_needed = barriers[b].needed;
    }
  }
  wait.poll = units.polls.of(warp);
  wait.wgmma_missing = units.wgmma.missing(warp);
  wait.cluster = units.clusters.place_of(warp.cta_slot).cluster;
  wait.cluster_arrived = units.clusters.has_arrived(warp);
  wait.cluster_waits = units.clusters.is_waiting(warp);
  return wait;
}

}  // namespace gpusim::sm
