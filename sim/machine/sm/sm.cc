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
      sub_core_count_(arch.sm.sub_cores),
      sub_cores_(arch.sm.sub_cores,
                 SubCore(warp_policy(arch.sm.scheduler.policy), arch.sm.register_file, arch.sm.scheduler.active_warps)),
      instruction_l1_(arch.sm.front_end, job.image->code_lines, job.image->constant_lines),
      front_end_(arch.sm, instruction_l1_, job.image->code_lines, events_),
      constants_(arch.sm, job.image->constants, instruction_l1_),
      memory_(arch, wiring.place, {job.image->kernel, job.ctas_per_sm, job.l1_bytes}, constants_, events_),
      tensor_(job.ctas_per_sm, job.image->kernel->warps_per_cta()),
      ctas_(job.ctas_per_sm, arch.sm.limits.warps_per_sm, arch.sm.sub_cores),
      cluster_barriers_(job.ctas_per_sm),
      warps_(arch.sm.limits.warps_per_sm) {
  if (job.image->registers != nullptr) {
    scoreboard_.emplace(*job.image, arch.sm.limits.warps_per_sm);
  }
  for (std::uint32_t i = 0; i < warps_.size(); ++i) {
    warps_[i].sub_core = i % arch.sm.sub_cores;
    warps_[i].slot = i / arch.sm.sub_cores;
  }
  looks_.fill(kNever);
  is_plain_ = !scoreboard_ && job.watch == nullptr && !sub_cores_.front().is_two_level();
  if (job.warm_code) {
    instruction_l1_.load_all();
  }
}

Cycle Sm::next_event() const {
  Cycle next = std::min(next_message(), events_.next_time());
  for (std::uint32_t i = 0; i < sub_core_count_; ++i) {
    next = std::min(next, looks_[i]);
  }
  return next;
}

void Sm::run_until(Cycle end) {
  prefetch(end);
  profile_ = &mine(*job_.workers).profile;
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
    if (message.kind == msg::Kind::kReadReply) {
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
  for (std::uint32_t i = 0; i < sub_core_count_; ++i) {
    if (looks_[i] == now) {
      look_at(i, now);
    }
  }
  send_departed(now);
}

void Sm::handle(const msg::Message& message, Cycle now) {
  if (memory_.sync().waits().holds_any()) {
    memory_.sync().waits().wake(now);
  }
  if (message.kind == msg::Kind::kCtaLaunch) {
    launch_cta(message.address, now);
  } else if (msg::is_of_cluster(message.kind)) {
    handle_cluster(message, now);
  } else {
    open_queues(memory_.handle(message, now), now);
  }
}

void Sm::handle(const SmEvent& event, Cycle now) {
  switch (event.kind) {
    case SmEventKind::kWarpTimer:
      sub_cores_[warps_[event.warp].sub_core].end_sleep(warps_[event.warp].slot);
      look_now(warps_[event.warp].sub_core);
      break;
    case SmEventKind::kTick: look_now(event.warp); break;
    case SmEventKind::kCounterRelease: release_counter(warps_[event.warp], event, now); break;
    case SmEventKind::kOperationDone:
      release_registers(warps_[event.warp], event.pc, now);
      operation_done(warps_[event.warp], now);
      break;
    case SmEventKind::kFenceDone:
      warps_[event.warp].release.put().membar = now;
      end_wait(warps_[event.warp], kWaitsForFence);
      break;
    case SmEventKind::kBarrierRelease:
      warps_[event.warp].release.put().barrier = now;
      end_wait(warps_[event.warp], kWaitsForBarrier);
      break;
    case SmEventKind::kFetch:
      front_end_.wake(warps_[event.warp], now);
      look_now(warps_[event.warp].sub_core);
      break;
    case SmEventKind::kInstruction:
      warps_[event.warp].release.put().fetch = now;
      end_wait(warps_[event.warp], kWaitsForInstruction);
      break;
    case SmEventKind::kConstant:
      warps_[event.warp].release.put().constant = now;
      warps_[event.warp].has_constant = true;
      end_wait(warps_[event.warp], kWaitsForConstant);
      break;
    case SmEventKind::kPollYes:
    case SmEventKind::kPollNo: poll_answered(event, now); break;
    case SmEventKind::kPollDeadline: memory_.sync().waits().expire(event, only_polls_remain(), now); break;
    case SmEventKind::kProductDone: end_product(now); break;
    case SmEventKind::kAddressReady:
    case SmEventKind::kMbarrierSignal:
    case SmEventKind::kTmaStep:
    case SmEventKind::kLsuFree:
    case SmEventKind::kPortFree: open_queues(memory_.handle(event, now), now); break;
  }
}

/// Queues that were full have room again.
void Sm::open_queues(std::uint32_t sub_cores, Cycle now) {
  for (; sub_cores != 0; sub_cores &= sub_cores - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(sub_cores));
    if (sub_cores_[i].gate(isa::Pipe::kLsu).is_held()) {
      sub_cores_[i].open(isa::Pipe::kLsu, now);
      look_now(i);
    }
  }
}

void Sm::send_departed(Cycle now) {
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
  stats::SmCounters sum = counters_;
  stats::add(sum, memory_.shared().counters());
  sum.issue_cycles = sum.warp_instructions;
  return sum;
}

std::vector<WarpWait> Sm::waiting_warps() const {
  std::vector<WarpWait> all;
  for (const Warp& warp : warps_) {
    if (!warp.resident) {
      continue;
    }
    const bool sleeps = sub_cores_[warp.sub_core].is_asleep(warp.slot);
    const auto waits = static_cast<std::uint8_t>(warp.waits | (sleeps ? kWaitsForTimer : 0));
    WarpWait wait{slot_of(warp), ctas_[warp.cta_slot].linear, warp.warp_in_cta, warp.next.pc, waits, warp.exited};
    const auto& barriers = ctas_[warp.cta_slot].barriers;
    for (std::uint32_t b = 0; b < kNamedBarriers; ++b) {
      if ((barriers[b].waiting >> slot_of(warp) & 1U) != 0) {
        wait.barrier = b;
        wait.barrier_arrivals = barriers[b].arrivals;
        wait.barrier_needed = barriers[b].needed;
      }
    }
    wait.poll = poll_of(warp);
    wait.product_missing = tensor_.missing({slot_of(warp), warp.cta_slot, warp.warp_in_cta});
    wait.cluster = place_of(warp.cta_slot).cluster;
    wait.cluster_arrived = cluster_barriers_[warp.cta_slot].has_arrived(slot_of(warp));
    all.push_back(wait);
  }
  return all;
}

}  // namespace gpusim::sm
