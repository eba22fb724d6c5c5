// SPDX-License-Identifier: MIT
#include "sim/system/run/ops.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/base/problem.h"

namespace gpusim::run {
namespace {

/// More fill the memory of a small computer.
constexpr std::size_t kMostOps = 4'000'000;

}  // namespace

Ops::Ops(std::size_t gpus, const std::vector<application::Stream>& streams, std::size_t events)
    : streams_(streams),
      events_in_gpu_(events),
      last_(gpus * streams.size(), kNone),
      open_(gpus * streams.size(), 0),
      events_(gpus * events, kNone) {}

/// Marks are not work themselves, and pass on what they wait for.
void Ops::note_need(Index op, Index before) {
  const std::span<const Index> works = works_of(before);
  if (ops_[op].activity != kNone) {
    const bool is_order = ops_[before].activity != kNone && ops_[before].stream == ops_[op].stream;
    for (std::size_t i = 0; i < works.size() && !is_order; ++i) {
      needs_.push_back({ops_[op].activity, works[i]});
    }
    return;
  }
  std::vector<Index>& mine = ops_[op].stands_for;
  for (const Index work : works) {
    if (std::ranges::find(mine, work) == mine.end()) {
      mine.push_back(work);
    }
  }
}

void Ops::put_behind(Index op, Index before) {
  if (before == kNone || before == op) {
    return;
  }
  note_need(op, before);
  Op& first = ops_[before];
  if (!first.is_done) {
    first.after.push_back(op);
    ++ops_[op].before;
    return;
  }
  Op& second = ops_[op];
  if (first.last_end >= second.last_end) {
    second.last_end = first.last_end;
    second.last = before;
  }
}

/// A graph is one entry of its stream, whatever it has for nodes.
void Ops::note_open(const Op& op, int step) {
  if (ops_.size() > kMostOps) {
    throw CannotFinishError("more than " + std::to_string(kMostOps) +
                            " works were given to GPUs (lower 'times', 'repeats', or the nodes of graphs)");
  }
  counted_ += op.counts ? step : 0;
  warming_up_ += op.is_warm_up ? step : 0;
  if (!op.is_in_graph) {
    open_[op.gpu * streams_.size() + op.stream] += step;
  }
}

/// The legacy default stream waits for all streams that wait for it, and they for it.
Index Ops::push(Op op) {
  const auto id = static_cast<Index>(ops_.size());
  const Index gpu = op.gpu;
  const Index stream = op.stream;
  note_open(op, 1);
  ops_.push_back(std::move(op));
  put_behind(id, last(gpu, stream));
  if (stream != 0 && streams_[stream].waits_for_default) {
    put_behind(id, last(gpu, 0));
  }
  for (Index other = 1; stream == 0 && other < streams_.size(); ++other) {
    if (streams_[other].waits_for_default) {
      put_behind(id, last(gpu, other));
    }
  }
  last_of(gpu, stream) = id;
  return id;
}

Index Ops::push_behind(Op op, std::span<const Index> before) {
  const auto id = static_cast<Index>(ops_.size());
  note_open(op, 1);
  ops_.push_back(std::move(op));
  for (const Index first : before) {
    put_behind(id, first);
  }
  return id;
}

void Ops::end(Index id, double now, std::vector<Index>& ready, std::vector<Index>& woken) {
  Op& op = ops_[id];
  op.is_done = true;
  op.last_end = now;  // the end of those before it until now, from now on its own
  note_open(op, -1);
  for (const Index next : op.after) {
    Op& after = ops_[next];
    after.last = id;
    after.last_end = now;
    if (--after.before == 0) {
      ready.push_back(next);
    }
  }
  for (const Index thread : op.waiters) {
    if (--waits_of_thread_[thread] == 0) {
      woken.push_back(thread);
    }
  }
  op.after = {};
  op.waiters = {};
}

std::uint32_t Ops::wait(Index thread, std::span<const Index> ops) {
  if (waits_of_thread_.size() <= thread) {
    waits_of_thread_.resize(thread + 1, 0);
  }
  for (const Index id : ops) {
    if (id != kNone && !ops_[id].is_done) {
      ops_[id].waiters.push_back(thread);
      ++waits_of_thread_[thread];
    }
  }
  return waits_of_thread_[thread];
}

std::vector<Index> Ops::last_of_device(Index gpu) const {
  const auto first = last_.begin() + static_cast<std::ptrdiff_t>(gpu * streams_.size());
  return {first, first + static_cast<std::ptrdiff_t>(streams_.size())};
}

}  // namespace gpusim::run
