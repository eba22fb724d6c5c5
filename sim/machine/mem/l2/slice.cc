// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/slice.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace gpusim::mem::l2 {
namespace {

using msg::Kind;
using msg::Message;

RateServer per_byte(std::uint32_t bytes_per_cycle) {
  return RateServer(Ratio::of(1, bytes_per_cycle));
}

}  // namespace

Slice::Slice(PartitionCore& core, std::uint16_t local)
    : core_(core),
      local_(local),
      global_(core.wiring().index * core.map().slices_per_partition() + local),
      config_(core.arch().l2),
      is_ideal_(config_.model == arch::L2Model::kIdeal),
      tags_(config_, global_),
      home_misses_(config_.mshrs),
      copy_misses_(config_.mshrs),
      atomic_unit_(config_) {
  std::size_t routers = 0;
  for (const msg::DomainId router : core.wiring().router_of_sm) {
    routers = std::max<std::size_t>(routers, router + std::size_t{1});
  }
  owed_credits_.resize(routers);
  restart();
}

void Slice::restart() {
  const arch::NocConfig& noc = core_.arch().noc;
  request_port_ = per_byte(noc.slice_request_bytes_per_cycle);
  reply_port_ = per_byte(noc.slice_reply_bytes_per_cycle);
  data_port_ = per_byte(config_.slice_bytes_per_cycle);
  tag_port_ = RateServer();
  far_turn_ = false;
  resume_from_ = 0;
  owed_credits_.assign(owed_credits_.size(), 0);
  atomic_unit_.restart();
  counters_ = {};
  data_bytes_ = 0;
}

// ---- Input: queues, tag pipeline, stalls --------------------------------------------------------------------------

bool Slice::is_from_mirror(const Message& m) {
  return m.kind == Kind::kFarRead || m.kind == Kind::kFarWrite || m.kind == Kind::kFarAtomic ||
         m.kind == Kind::kFarReduction || m.kind == Kind::kFarInvalidate;
}

Slice::Input& Slice::input_of(const Message& message) {
  return is_from_mirror(message) ? far_ : near_;
}

void Slice::accept(const Message& message, Cycle now) {
  const bool is_free = tag_port_.is_free(now) && (is_from_mirror(message) || request_port_.is_free(now));
  if (near_.queue.empty() && far_.queue.empty() && is_free) {
    start(message, now);
    return;
  }
  input_of(message).queue.push_back(message);
  schedule_serve(now);
}

void Slice::start(const Message& message, Cycle now) {
  tag_port_.take(now, 1);
  if (!is_from_mirror(message) && core_.has_ports()) {
    request_port_.take(now, msg::wire_bytes(message, core_.arch().noc.request_header_bytes));
  }
  core_.schedule(now + config_.tag_latency, {Work::kLookUp, local_, 0}, message);
}

/// Starts one request; when both origins have one that may start, they take turns.
void Slice::serve(Cycle now) {
  const bool near_can = !near_.queue.empty() && request_port_.is_free(now);
  const bool far_can = !far_.queue.empty();
  if (tag_port_.is_free(now) && (near_can || far_can)) {
    Input& input = far_can && (far_turn_ || !near_can) ? far_ : near_;
    far_turn_ = &input == &near_;
    start(input.queue.front(), now);
    input.queue.pop_front();
  }
  serve_at_ = kNever;
  schedule_serve(now);
}

void Slice::schedule_serve(Cycle now) {
  const Cycle tags = tag_port_.free_at(now);
  Cycle next = far_.queue.empty() ? kNever : tags;
  if (!near_.queue.empty()) {
    next = std::min(next, request_port_.free_at(tags));
  }
  if (next < serve_at_) {
    serve_at_ = next;
    core_.schedule(next, {Work::kServe, local_, 0});
  }
}

void Slice::look_up(const Message& message, Cycle now) {
  Input& input = input_of(message);
  if (input.stalled.empty()) {
    input.need = process(message, now);
    if (input.need == Need::kNothing) {
      return;
    }
  }
  input.stalled.push_back(message);
}

/// One stalled request of each origin moves a cycle, as long as what they need is there.
void Slice::wake(Cycle now) {
  if (resume_pending_ || !(can_resume(near_) || can_resume(far_))) {
    return;
  }
  if (now >= resume_from_) {
    resume(now);
  } else {
    resume_pending_ = true;
    core_.schedule(resume_from_, {Work::kResume, local_, 0});
  }
}

void Slice::resume(Cycle now) {
  resume_pending_ = false;
  resume_from_ = now + 1;
  for (Input* input : {&near_, &far_}) {
    if (can_resume(*input)) {
      input->need = process(input->stalled.front(), now);
      if (input->need == Need::kNothing) {
        input->stalled.pop_front();
      }
    }
  }
  wake(now);
}

void Slice::release_place(const Message& message, Cycle now) {
  if (!core_.has_ports()) {
    return;
  }
  std::uint32_t& owed = owed_credits_[core_.wiring().router_of_sm[message.requester]];
  if (++owed == core_.wiring().credit_lot) {
    Message credit;
    credit.kind = Kind::kCredit;
    credit.requester = message.requester;
    credit.slice = static_cast<std::uint16_t>(global_);
    credit.count = static_cast<std::uint16_t>(std::exchange(owed, 0));
    core_.send_to_router(credit, now);
  }
}

void Slice::handle(const Event& event, Cycle now) {
  switch (event.work) {
    case Work::kServe:
      if (serve_at_ == now) {
        serve(now);
      }
      break;
    case Work::kLookUp: look_up(core_.take_message(event.slot), now); break;
    case Work::kWake: wake(now); break;
    case Work::kResume: resume(now); break;
    case Work::kAtomic: finish_atomic(event.slot, now); break;
    default: assert(false && "not a slice's event");
  }
}

// ---- Results ----------------------------------------------------------------------------------------------------

stats::L2Counters Slice::counters() const {
  stats::L2Counters result = counters_;
  result.atomic_cycles = atomic_unit_.busy_cycles();
  result.busy_cycles = (data_bytes_ + config_.slice_bytes_per_cycle - 1) / config_.slice_bytes_per_cycle;
  return result;
}

std::string Slice::leftovers() const {
  const std::pair<const char*, std::size_t> kinds[] = {
      {"queued requests", near_.queue.size() + far_.queue.size()},
      {"stalled requests", near_.stalled.size() + far_.stalled.size()},
      {"MSHRs", std::size_t{home_misses_.size()} + copy_misses_.size()},
      {"requests to the other half", far_operations_.used()},
      {"atomics", atomic_unit_.held()},
  };
  std::string text;
  for (const auto& [name, count] : kinds) {
    if (count != 0) {
      text += "slice " + std::to_string(global_) + ": " + std::to_string(count) + " " + name + " left\n";
    }
  }
  return text;
}

}  // namespace gpusim::mem::l2
