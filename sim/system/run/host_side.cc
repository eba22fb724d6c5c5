// SPDX-License-Identifier: MIT
#include "sim/system/run/host_side.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/units.h"
#include "sim/system/application/check.h"
#include "sim/system/run/call_names.h"

namespace gpusim::run {

using application::Call;
using application::SyncOf;

namespace {

/// A lock and a condition variable, about: what handing something to another thread takes.
constexpr double kQueueNs = 500;
/// A block of the caching allocator, found or given back: a guess.
constexpr double kCacheNs = 500;

bool is_large_pageable(const application::Copy& copy, const system::CallCosts& costs) {
  return copy.memory == application::HostMemory::kPageable &&
         (copy.way == application::Way::kToHost ||
          (copy.way == application::Way::kToDevice && copy.bytes > costs.staged_bytes));
}

/// CPU time of calls, until they have their effect.
struct CallTime {
  const system::CallCosts& costs;
  const application::Application& application;

  double operator()(const application::Work& work) const { return work.ns; }
  double operator()(const application::Launch&) const { return static_cast<double>(costs.launch_ns); }
  double operator()(const application::Copy& copy) const {
    const bool is_staged = copy.memory == application::HostMemory::kPageable &&
                           copy.way == application::Way::kToDevice && !is_large_pageable(copy, costs);
    const double staging = static_cast<double>(copy.bytes) / static_cast<double>(costs.pageable) * kGiga;
    return static_cast<double>(costs.copy_ns) + (is_staged ? staging : 0);
  }
  double operator()(const application::Fill&) const { return static_cast<double>(costs.fill_ns); }
  double operator()(const application::Record&) const { return static_cast<double>(costs.record_ns); }
  double operator()(const application::WaitForEvent&) const { return static_cast<double>(costs.wait_ns); }
  double operator()(const application::Synchronize&) const { return static_cast<double>(costs.idle_ns); }
  double operator()(const application::RunCollective&) const { return static_cast<double>(costs.launch_ns); }
  double operator()(const application::LaunchGraph& launch) const {
    return static_cast<double>(costs.graph_ns) +
           static_cast<double>(costs.graph_node_ns) * application::count_calls(application, launch);
  }
  double operator()(const application::Put&) const { return kQueueNs; }
  double operator()(const application::Take&) const { return kQueueNs; }
  double operator()(const application::Allocate&) const { return kCacheNs; }
  double operator()(const application::Free&) const { return kCacheNs; }
  double operator()(const application::EmptyCache&) const { return kCacheNs; }
  double operator()(const application::Repeat&) const { return 0; }
  double operator()(const application::Range&) const { return 0; }
};

/// The threads of all sockets: nothing binds a thread to one of them.
double cpu_threads(const system::System& system) {
  double threads = 0;
  for (const system::NodeId host : system::nodes_of<system::Host>(system)) {
    threads += std::get<system::Host>(system.nodes[host].is).threads;
  }
  return threads;
}

}  // namespace

HostSide::HostSide(const Binding& binding, const std::vector<GpuFacts>& gpus, DeviceSide& devices, Calendar& calendar,
                   Recorder& recorder)
    : binding_(binding),
      devices_(devices),
      calendar_(calendar),
      recorder_(recorder),
      cpu_(cpu_threads(binding.system()), binding.application().threads.size()),
      queues_(binding.application().queues.size()),
      full_(binding.gpus().size() * binding.application().streams.size()) {
  const application::Application& application = binding.application();
  for (Index gpu = 0; gpu < gpus.size(); ++gpu) {
    memory_.emplace_back(gpus[gpu].offer, application, binding.gpu(gpu).arch);
  }
  for (const application::Thread& thread : application.threads) {
    Thread state;
    state.walk = ThreadWalk(application.bodies[thread.setup.value_or(thread.body)]);
    state.first = application.warm_up + (thread.setup ? 1 : 0);
    open_ += thread.background ? 0 : 1;
    warming_up_ += thread.background || state.first == 0 ? 0 : 1;
    threads_.push_back(std::move(state));
    recorder_.timeline.gpu_of_thread.push_back(binding.gpu_of(static_cast<Index>(threads_.size() - 1)));
    recorder_.timeline.threads.push_back(thread.name);
    recorder_.timeline.background.push_back(thread.background);
  }
}

void HostSide::start() {
  for (Index thread = 0; thread < threads_.size(); ++thread) {
    threads_[thread].walk.start_round();
    calendar_.add(0, EventKind::kThread, thread);
  }
}

double HostSide::cost_of(const Call& call) const {
  return std::visit(CallTime{binding_.system().calls, binding_.application()}, call.is);
}

std::size_t HostSide::stream_row(Index gpu, Index stream) const {
  return gpu * binding_.application().streams.size() + stream;
}

void HostSide::go_on(Index thread, double now) {
  Thread& state = threads_[thread];
  if (state.call != nullptr) {
    state.block = Block::kFree;
    if (!state.has_acted) {
      recorder_[state.activity].acted = now;
      if (!act(thread, now)) {
        return;
      }
    }
    end_call(thread, now);
  }
  next_call(thread, now);
}

/// False when the thread has ended.
bool HostSide::start_round(Index thread) {
  Thread& state = threads_[thread];
  const application::Application& application = binding_.application();
  const bool is_background = application.threads[thread].background;
  ++state.round;
  if (is_background ? has_ended() : state.round == state.first + application.repeats) {
    state.has_ended = true;
    open_ -= is_background ? 0 : 1;
    return false;
  }
  warming_up_ -= !is_background && state.round == state.first ? 1 : 0;
  if (state.round == 1 && application.threads[thread].setup) {
    state.walk = ThreadWalk(application.bodies[application.threads[thread].body]);
  }
  state.walk.start_round();
  return true;
}

void HostSide::next_call(Index thread, double now) {
  Thread& state = threads_[thread];
  std::vector<EndedRange> ended;
  do {
    state.call = state.walk.next(now, ended);
    if (static_cast<double>(state.walk.steps()) > application::kMostCalls) {
      throw CannotFinishError("the thread '" + binding_.application().threads[thread].name +
                              "' has done more calls than a run may (" +
                              std::to_string(static_cast<std::uint64_t>(application::kMostCalls)) + ")");
    }
  } while (state.call == nullptr && start_round(thread));
  for (const EndedRange& range : ended) {
    Activity activity;
    activity.kind = ActivityKind::kRange;
    activity.name = recorder_.name(range.range->name);
    activity.thread = thread;
    activity.gpu = binding_.gpu_of(thread);
    activity.begin = range.begin;
    activity.end = now;
    recorder_.add(activity);
  }
  if (state.call != nullptr) {
    begin_call(thread, now);
  }
}

void HostSide::begin_call(Index thread, double now) {
  Thread& state = threads_[thread];
  const Call& call = *state.call;
  Activity activity;
  const bool is_work = std::holds_alternative<application::Work>(call.is);
  activity.kind = is_work ? ActivityKind::kWork : ActivityKind::kCall;
  activity.waits_for_data = std::holds_alternative<application::Take>(call.is);
  activity.name = recorder_.name(name_of(call, binding_.application()));
  activity.thread = thread;
  activity.gpu = binding_.gpu_of(thread);
  activity.previous = state.last;
  activity.begin = now;
  state.activity = recorder_.add(activity);
  state.has_acted = false;
  const double cost = cost_of(call);
  if (cost > 0) {
    cpu_.begin(thread, cost, now);
    note_work();
  } else {
    calendar_.add(now, EventKind::kThread, thread);
  }
}

void HostSide::note_work() {
  for (const Index thread : cpu_.take_changed()) {
    if (cpu_.due(thread) >= 0) {
      calendar_.add(cpu_.due(thread), EventKind::kCpu, thread);
    }
  }
}

void HostSide::end_work(Index thread, double now) {
  if (cpu_.is_due(thread, now)) {
    cpu_.end(thread, now);
    note_work();
    go_on(thread, now);
  }
}

void HostSide::end_call(Index thread, double now) {
  Thread& state = threads_[thread];
  recorder_[state.activity].end = now;
  state.last = state.activity;
  state.call = nullptr;
}

bool HostSide::act(Index thread, double now) {
  Thread& state = threads_[thread];
  const Call& call = *state.call;
  if (const auto* const sync = std::get_if<application::Synchronize>(&call.is)) {
    state.has_acted = true;
    return synchronize(thread, *sync);
  }
  if (const auto* const put_call = std::get_if<application::Put>(&call.is)) {
    return put(thread, put_call->queue, now);
  }
  if (const auto* const take_call = std::get_if<application::Take>(&call.is)) {
    return take(thread, take_call->queue, now);
  }
  if (std::holds_alternative<application::Work>(call.is)) {
    return true;
  }
  const bool is_of_memory = std::holds_alternative<application::Allocate>(call.is) ||
                            std::holds_alternative<application::Free>(call.is) ||
                            std::holds_alternative<application::EmptyCache>(call.is);
  return is_of_memory ? use_memory(thread, now) : give(thread, now);
}

/// Work for a GPU: a stream takes no more than its depth.
bool HostSide::give(Index thread, double now) {
  Thread& state = threads_[thread];
  const Call& call = *state.call;
  const Index gpu = binding_.gpu_of(thread);
  const Index stream = stream_of(call);
  if (devices_.ops().open(gpu, stream) >= binding_.system().calls.queue_depth) {
    state.block = Block::kStream;
    recorder_[state.activity].blocked = now;
    full_[stream_row(gpu, stream)].push_back(thread);
    return false;
  }
  state.has_acted = true;
  const bool is_warm_up = state.round < state.first;
  const Index op = devices_.give({thread, state.activity, now, is_warm_up}, call);
  const auto* const copy = std::get_if<application::Copy>(&call.is);
  const bool waits = copy != nullptr && (copy->wait || is_large_pageable(*copy, binding_.system().calls));
  recorder_[state.activity].blocked = waits ? now : recorder_[state.activity].blocked;
  return !waits || wait_for(thread, {op});
}

/// Waits for the last work of a stream, or for an event.
bool HostSide::synchronize_with(Index thread, SyncNote::Kind kind, Index op) {
  const Index call = threads_[thread].activity;
  if (op != kNone) {
    const Op& last = devices_.ops()[op];
    recorder_.timeline.syncs.push_back({kind, call, last.stream, last.issuer, last.stream});
    for (const Index work : devices_.ops().works_of(op)) {
      devices_.ops().needs().push_back({call, work});
    }
  }
  return wait_for(thread, {op});
}

bool HostSide::synchronize(Index thread, const application::Synchronize& call) {
  const Index gpu = binding_.gpu_of(thread);
  switch (call.of) {
    case SyncOf::kDevice: return wait_for(thread, devices_.ops().last_of_device(gpu));
    case SyncOf::kStream:
      return synchronize_with(thread, SyncNote::Kind::kStream, devices_.ops().last(gpu, call.which));
    case SyncOf::kEvent: return synchronize_with(thread, SyncNote::Kind::kEvent, devices_.ops().event(gpu, call.which));
  }
  return true;
}

bool HostSide::use_memory(Index thread, double now) {
  Thread& state = threads_[thread];
  const Call& call = *state.call;
  GpuMemory& memory = memory_[binding_.gpu_of(thread)];
  state.has_acted = true;
  if (const auto* const free = std::get_if<application::Free>(&call.is)) {
    memory.free(*free, call.place, now);
    return true;
  }
  const auto* const allocate = std::get_if<application::Allocate>(&call.is);
  if (allocate == nullptr) {
    memory.empty_cache(now);
  } else if (!memory.allocate(*allocate, call.place, now, state.walk)) {
    return true;
  }
  calendar_.add(now + static_cast<double>(binding_.system().calls.malloc_ns), EventKind::kThread, thread);
  return false;
}

bool HostSide::wait_for(Index thread, const std::vector<Index>& ops) {
  if (devices_.ops().wait(thread, ops) == 0) {
    return true;
  }
  threads_[thread].block = Block::kWork;
  Activity& activity = recorder_[threads_[thread].activity];
  activity.blocked = activity.begin;
  return false;
}

void HostSide::wait_in(Index thread, Block block, Index queue) {
  Thread& state = threads_[thread];
  state.block = block;
  state.queue = queue;
  Activity& activity = recorder_[state.activity];
  activity.blocked = activity.begin;
}

/// The first that waits tries again.
void HostSide::release(std::deque<Index>& waiting, Index by, double now) {
  if (waiting.empty()) {
    return;
  }
  const Index thread = waiting.front();
  waiting.pop_front();
  recorder_[threads_[thread].activity].cause = threads_[by].activity;
  calendar_.add(now, EventKind::kThread, thread);
}

bool HostSide::put(Index thread, Index queue, double now) {
  Queue& into = queues_[queue];
  if (into.held == binding_.application().queues[queue].depth) {
    into.putters.push_back(thread);
    wait_in(thread, Block::kPut, queue);
    return false;
  }
  threads_[thread].has_acted = true;
  ++into.held;
  release(into.takers, thread, now);
  return true;
}

bool HostSide::take(Index thread, Index queue, double now) {
  Queue& from = queues_[queue];
  if (from.held == 0) {
    from.takers.push_back(thread);
    wait_in(thread, Block::kTake, queue);
    return false;
  }
  threads_[thread].has_acted = true;
  --from.held;
  release(from.putters, thread, now);
  return true;
}

void HostSide::wake(double now) {
  for (const DeviceSide::Woken& woken : devices_.take_woken()) {
    const Op& op = devices_.ops()[woken.op];
    recorder_[threads_[woken.thread].activity].cause = op.activity != kNone ? op.activity : op.cause;
    const double later = static_cast<double>(binding_.system().calls.synchronize_ns);
    calendar_.add(now + later, EventKind::kThread, woken.thread);
  }
  for (const DeviceSide::Freed& freed : devices_.take_freed()) {
    std::deque<Index>& waiting = full_[stream_row(freed.gpu, freed.stream)];
    if (!waiting.empty()) {
      recorder_[threads_[waiting.front()].activity].cause = freed.activity;
      calendar_.add(now, EventKind::kThread, waiting.front());
      waiting.pop_front();
    }
  }
}

}  // namespace gpusim::run
