// SPDX-License-Identifier: MIT
#include "sim/system/run/device_side.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/system/run/calendar.h"
#include "sim/system/run/call_names.h"
#include "sim/system/run/recorder.h"

namespace gpusim::run {

using application::Call;
using application::Way;

namespace {

/// A fill or a copy within a GPU of few bytes takes about as long, and of many bytes reaches this share of DRAM's peak:
/// 1.9 us from one copy of 4 bytes to the next, 2.81 of 3.35 TB/s with 64 MiB (micro/host/calls on an H100).
constexpr double kLeastMoveNs = 1'100;
constexpr double kMoveShare = 0.84;

std::vector<std::uint32_t> engines_of(const Binding& binding) {
  std::vector<std::uint32_t> engines;
  for (std::uint32_t i = 0; i < binding.gpus().size(); ++i) {
    engines.push_back(binding.gpu(i).copy_engines);
  }
  return engines;
}

std::vector<double> dram_of(const std::vector<GpuFacts>& gpus) {
  std::vector<double> peaks;
  std::ranges::transform(gpus, std::back_inserter(peaks), &GpuFacts::dram);
  return peaks;
}

OpKind kind_of(const Call& call) {
  if (std::holds_alternative<application::Launch>(call.is)) {
    return OpKind::kKernel;
  }
  if (std::holds_alternative<application::Copy>(call.is)) {
    return OpKind::kCopy;
  }
  if (std::holds_alternative<application::Fill>(call.is)) {
    return OpKind::kFill;
  }
  return std::holds_alternative<application::RunCollective>(call.is) ? OpKind::kCollective : OpKind::kMark;
}

}  // namespace

DeviceSide::DeviceSide(const Binding& binding, const std::vector<GpuFacts>& gpus, const Costs& costs,
                       Calendar& calendar, Recorder& recorder)
    : binding_(binding),
      gpus_(gpus),
      costs_(costs),
      calendar_(calendar),
      recorder_(recorder),
      ops_(gpus.size(), binding.application().streams, binding.application().events.size()),
      ranks_(binding, dram_of(gpus), links_),
      transfers_(binding.fabric(), engines_of(binding), links_),
      kernel_names_(binding.application().kernels.size(), kNone),
      left_(gpus.size(), kNone),
      copied_(gpus.size(), kNone) {
  for (const GpuFacts& gpu : gpus) {
    devices_.emplace_back(gpu.sms);
  }
}

Activity DeviceSide::make_activity(const Giver& giver, const Op& op) {
  Activity work;
  work.thread = giver.thread;
  work.gpu = op.gpu;
  work.stream = op.stream;
  work.call = giver.activity;
  if (const auto* const launch = std::get_if<application::Launch>(&op.call->is)) {
    work.kind = ActivityKind::kKernel;
    work.kernel = launch->kernel;
    Index& name = kernel_names_[launch->kernel];
    name = name == kNone ? recorder_.name(label_of(binding_.application().kernels[launch->kernel])) : name;
    work.name = name;
  } else if (const auto* const copy = std::get_if<application::Copy>(&op.call->is)) {
    work.kind = ActivityKind::kCopy;
    work.way = copy->way;
    work.bytes = static_cast<double>(copy->bytes);
  } else if (const auto* const fill = std::get_if<application::Fill>(&op.call->is)) {
    work.kind = ActivityKind::kFill;
    work.bytes = static_cast<double>(fill->bytes);
  } else if (const auto* const run = std::get_if<application::RunCollective>(&op.call->is)) {
    work.kind = ActivityKind::kCollective;
    work.bytes = static_cast<double>(run->bytes);
    work.name = recorder_.name(arch::word_of(run->of));
    work.group = group_of(giver, *run, op.call->place);
  }
  return work;
}

/// Where the timeline has the ranks of a group; kNone of all ranks.
Index DeviceSide::group_of(const Giver& giver, const application::RunCollective& run, const Place& at) {
  if (run.ranks == 0) {
    return kNone;
  }
  const auto [known, is_new] = groups_.try_emplace({giver.thread, run.ranks, run.stride, run.first}, kNone);
  if (is_new) {
    std::vector<std::uint32_t> ranks = binding_.group_of(run, giver.thread, at);
    auto& groups = recorder_.timeline.groups;
    const auto same = std::ranges::find(groups, ranks);
    known->second = static_cast<Index>(same - groups.begin());
    if (same == groups.end()) {
      groups.push_back(std::move(ranks));
    }
  }
  return known->second;
}

/// The op of a call, with its activity unless it is a mark.
Op DeviceSide::make_op(const Giver& giver, const Call& call) {
  const system::CallCosts& costs = binding_.system().calls;
  Op op;
  op.kind = kind_of(call);
  op.gpu = binding_.gpu_of(giver.thread);
  op.stream = stream_of(call);
  op.thread = giver.thread;
  op.cause = giver.activity;
  op.issuer = giver.activity;
  op.call = &call;
  op.counts = !binding_.application().threads[giver.thread].background;
  op.is_warm_up = op.counts && giver.is_warm_up;
  op.gap_ns = gpus_[op.gpu].gap_ns;
  op.arrival = giver.now + static_cast<double>(op.kind == OpKind::kCopy ? costs.copy_begin_ns : costs.submit_ns);
  if (op.kind != OpKind::kMark) {
    op.activity = recorder_.add(make_activity(giver, op));
  }
  return op;
}

Index DeviceSide::give(const Giver& giver, const Call& call) {
  Op op = make_op(giver, call);
  if (const auto* const wait = std::get_if<application::WaitForEvent>(&call.is)) {
    return give_wait(giver, *wait, std::move(op));
  }
  if (const auto* const launch = std::get_if<application::LaunchGraph>(&call.is)) {
    return give_graph(giver, *launch, std::move(op));
  }
  const auto* const record = std::get_if<application::Record>(&call.is);
  if (record != nullptr) {
    op.mark_ns = static_cast<double>(binding_.system().calls.event_ns);
  }
  const Index id = ops_.push(std::move(op));
  if (record != nullptr) {
    ops_.event(ops_[id].gpu, record->event) = id;
  }
  join_ranks(id, giver.thread, call);
  return start_when_ready(id);
}

void DeviceSide::join_ranks(Index op, Index thread, const Call& call) {
  if (ops_[op].kind == OpKind::kCollective) {
    meeting_of_[op] = ranks_.join(thread, call);
    recorder_[ops_[op].activity].algorithm = ranks_.algorithm(meeting_of_[op]);
  }
}

/// As CUDA does, a wait for an event that nobody has recorded yet waits for nothing.
Index DeviceSide::give_wait(const Giver& giver, const application::WaitForEvent& wait, Op op) {
  const Index recorded = ops_.event(binding_.gpu_of(giver.thread), wait.event);
  if (recorded == kNone) {
    return kNone;
  }
  const Index gpu = op.gpu;
  recorder_.timeline.syncs.push_back(
      {SyncNote::Kind::kStreamWait, giver.activity, wait.stream, ops_[recorded].issuer, ops_[recorded].stream});
  const std::array<Index, 2> before{ops_.last(gpu, wait.stream), recorded};
  const Index id = ops_.push_behind(std::move(op), before);
  ops_.set_last(gpu, wait.stream, id);
  return start_when_ready(id);
}

/// All nodes, between a mark that begins the graph and one that ends it.
Index DeviceSide::give_graph(const Giver& giver, const application::LaunchGraph& launch, Op entry) {
  Op exit = entry;
  const Index begin = ops_.push(std::move(entry));
  const application::Graph& graph = binding_.application().graphs[launch.graph];
  const double gap = graph.gap_ns.value_or(static_cast<double>(binding_.system().calls.graph_gap_ns));
  GraphWalk walk{giver, begin, gap, {}, {}};
  give_nodes(graph.calls, walk);
  std::vector<Index> tails{begin};
  std::ranges::transform(walk.last, std::back_inserter(tails), [](const auto& last) { return last.second; });
  const Index gpu = exit.gpu;
  const Index stream = exit.stream;
  exit.is_in_graph = true;
  const Index end = ops_.push_behind(std::move(exit), tails);
  ops_.set_last(gpu, stream, end);
  start_when_ready(begin);
  return start_when_ready(end);
}

void DeviceSide::give_nodes(const application::Calls& calls, GraphWalk& walk) {
  for (const Call& call : calls) {
    const auto* const repeat = std::get_if<application::Repeat>(&call.is);
    if (repeat == nullptr) {
      give_node(call, walk);
      continue;
    }
    for (std::uint64_t i = 0; i < repeat->times; ++i) {
      give_nodes(repeat->body, walk);
    }
  }
}

void DeviceSide::give_node(const Call& call, GraphWalk& walk) {
  Op op = make_op(walk.giver, call);
  op.is_in_graph = true;
  op.gap_ns = walk.gap_ns;
  const auto last = walk.last.find(op.stream);
  std::vector<Index> before{last == walk.last.end() ? walk.entry : last->second};
  if (const auto* const wait = std::get_if<application::WaitForEvent>(&call.is)) {
    const auto recorded = walk.events.find(wait->event);
    if (recorded != walk.events.end()) {
      before.push_back(recorded->second);
    }
  }
  const Index stream = op.stream;
  const Index id = ops_.push_behind(std::move(op), before);
  walk.last[stream] = id;
  if (const auto* const record = std::get_if<application::Record>(&call.is)) {
    walk.events[record->event] = id;
  }
  join_ranks(id, walk.giver.thread, call);
  start_when_ready(id);
}

Index DeviceSide::start_when_ready(Index op) {
  if (ops_[op].before == 0) {
    ready(op);
  }
  return op;
}

/// All before it have ended: it begins when it has arrived, and behind other work of a stream after the gap.
void DeviceSide::ready(Index id) {
  Op& op = ops_[id];
  const bool has_gap = op.kind != OpKind::kMark && op.last != kNone;
  const double behind = op.last_end + (has_gap ? op.gap_ns : 0);
  const bool is_behind = op.last != kNone && behind > op.arrival;
  if (is_behind) {
    const Op& last = ops_[op.last];
    op.cause = last.activity != kNone ? last.activity : last.cause;
  }
  if (op.activity != kNone) {
    recorder_[op.activity].cause = op.cause;
  }
  calendar_.add(is_behind ? behind : op.arrival, EventKind::kBegin, id);
}

void DeviceSide::begin(Index id, double now) {
  ops_[id].wanted = now;
  switch (ops_[id].kind) {
    case OpKind::kMark: calendar_.add(now + ops_[id].mark_ns, EventKind::kEnd, id); return;
    case OpKind::kCopy: begin_copy(id, now); break;
    default: begin_on_device(id, now); break;
  }
  note_changes(now);
}

void DeviceSide::begin_copy(Index id, double now) {
  const Op& op = ops_[id];
  const auto& copy = std::get<application::Copy>(op.call->is);
  if (copy.way == Way::kOnDevice) {
    begin_on_device(id, now);
    return;
  }
  Transfer transfer;
  transfer.op = id;
  transfer.gpu = op.gpu;
  transfer.way = copy.way;
  transfer.bytes = static_cast<double>(copy.bytes);
  // What is staged already goes at the rate of the link.
  const bool is_staged = copy.way == Way::kToDevice && copy.bytes <= binding_.system().calls.staged_bytes;
  const bool is_pageable = copy.memory == application::HostMemory::kPageable && !is_staged;
  transfer.most = is_pageable ? static_cast<double>(binding_.system().calls.pageable) : 0;
  transfer.uses = binding_.way_of(copy, op.gpu, op.call->place);
  transfers_.add(std::move(transfer), now);
}

void DeviceSide::begin_on_device(Index id, double now) {
  devices_[ops_[id].gpu].add(id, cost_of(id), now);
}

const KernelCost& DeviceSide::cost_of(Index id) {
  const Op& op = ops_[id];
  if (const auto* const launch = std::get_if<application::Launch>(&op.call->is)) {
    return costs_[gpus_[op.gpu].cost_row][launch->kernel];
  }
  if (op.kind == OpKind::kCollective) {
    return ranks_.cost(meeting_of_.at(id), op.gpu);
  }
  const Activity& work = recorder_[op.activity];
  return move_cost(op.gpu, work.kind == ActivityKind::kCopy ? 2 * work.bytes : work.bytes);
}

/// Bytes to and from DRAM, with few SMs.
const KernelCost& DeviceSide::move_cost(Index gpu, double bytes) {
  KernelCost& cost = moves_[{gpu, bytes}];
  if (cost.ns == 0) {
    cost.ns = std::max(kLeastMoveNs, bytes / (gpus_[gpu].dram * kMoveShare));
    cost.dram = bytes / cost.ns / gpus_[gpu].dram;
    cost.bound = Bound::kMemory;
  }
  return cost;
}

double DeviceSide::next_change() const {
  double next = transfers_.next_change();
  for (const Device& device : devices_) {
    next = std::min(next, device.next_change());
  }
  return next;
}

void DeviceSide::advance(double now) {
  for (Device& device : devices_) {
    device.advance(now);
  }
  transfers_.advance(now);
  note_changes(now);
}

/// What began late waited for what left.
void DeviceSide::note_begin(Index op, double now, const std::vector<Index>& left) {
  Activity& activity = recorder_[ops_[op].activity];
  activity.begin = now;
  const Index last = left[ops_[op].gpu];
  if (now > ops_[op].wanted && last != kNone && last != op) {
    activity.cause = ops_[last].activity;
  }
  if (ops_[op].kind != OpKind::kCollective) {
    return;
  }
  const Index meeting = meeting_of_.at(op);
  const auto end = ranks_.begin(meeting, op, now);
  if (!end) {
    return;
  }
  calendar_.add(*end, EventKind::kAgree, meeting);
  for (const Index other : ranks_.ops(meeting)) {  // they waited for this one
    Activity& waiting = recorder_[ops_[other].activity];
    waiting.cause = other == op ? waiting.cause : ops_[op].activity;
  }
}

/// What began or ended of itself. What made room without an end, in its last wave, is the first that still runs.
void DeviceSide::note_changes(double now) {
  for (Index gpu = 0; gpu < devices_.size(); ++gpu) {
    Device& device = devices_[gpu];
    Index left = device.first();
    for (const Index op : device.take_ended()) {
      end(op, now);
      left = op;
    }
    left_[gpu] = left;
    for (const Index op : device.take_begun()) {
      note_begin(op, now, left_);
    }
  }
  for (const Index op : transfers_.take_ended()) {
    end(op, now);
    copied_[ops_[op].gpu] = op;
  }
  for (const Index op : transfers_.take_begun()) {
    note_begin(op, now, copied_);
  }
}

void DeviceSide::end(Index id, double now) {
  if (ops_[id].activity != kNone) {
    recorder_[ops_[id].activity].end = now;
  }
  std::vector<Index> next;
  std::vector<Index> threads;
  ops_.end(id, now, next, threads);
  for (const Index op : next) {
    ready(op);
  }
  for (const Index thread : threads) {
    woken_.push_back({thread, id});
  }
  const Op& op = ops_[id];
  freed_.push_back({op.gpu, op.stream, op.activity != kNone ? op.activity : op.cause});
}

void DeviceSide::agree(Index meeting, double now) {
  for (const Index op : ranks_.ops(meeting)) {
    devices_[ops_[op].gpu].end(op, now);
    meeting_of_.erase(op);
  }
  note_changes(now);
}

std::vector<DeviceSide::Woken> DeviceSide::take_woken() {
  return std::exchange(woken_, {});
}

std::vector<DeviceSide::Freed> DeviceSide::take_freed() {
  return std::exchange(freed_, {});
}

}  // namespace gpusim::run
