// SPDX-License-Identifier: MIT
#include "sim/system/application/check.h"

#include <algorithm>

namespace gpusim::application {
namespace {

/// Calls that a list does, repeats and graphs unfolded.
class Counter {
 public:
  explicit Counter(const Application& application) : application_(application) {}

  double count(const Calls& calls) const {
    double sum = 0;
    for (const Call& call : calls) {
      sum += std::visit([this](const auto& is) { return of(is); }, call.is);
    }
    return sum;
  }

 private:
  template <class T>
  double of(const T&) const {
    return 1;
  }
  double of(const Repeat& repeat) const { return static_cast<double>(repeat.times) * (count(repeat.body) + 1); }
  double of(const Range& range) const { return count(range.body) + 1; }
  double of(const LaunchGraph& launch) const { return 1 + count(application_.graphs[launch.graph].calls); }

  const Application& application_;
};

/// Whether a graph can hold the call; false with the place of one that it cannot.
bool fits_graph(const Calls& calls, Place& at) {
  for (const Call& call : calls) {
    at = call.place;
    if (const auto* const repeat = std::get_if<Repeat>(&call.is)) {
      if (!fits_graph(repeat->body, at)) {
        return false;
      }
      continue;
    }
    const auto* const copy = std::get_if<Copy>(&call.is);
    const bool fits = std::holds_alternative<Launch>(call.is) || std::holds_alternative<Fill>(call.is) ||
                      std::holds_alternative<Record>(call.is) || std::holds_alternative<WaitForEvent>(call.is) ||
                      std::holds_alternative<RunCollective>(call.is) ||
                      (copy != nullptr && !copy->wait && copy->memory == HostMemory::kPinned);
    if (!fits) {
      return false;
    }
  }
  return true;
}

}  // namespace

double count_calls(const Application& application, const LaunchGraph& launch) {
  return Counter(application).count(application.graphs[launch.graph].calls);
}

void check(const Application& application) {
  ProblemList problems;
  const auto add = [&](Place at, std::string message, std::string hint) {
    problems.add({{application.path, at.line, at.column}, std::move(message), std::move(hint)});
  };
  for (const Graph& graph : application.graphs) {
    if (Place at; !fits_graph(graph.calls, at)) {
      add(at, "the graph '" + graph.name + "' cannot hold this call",
          "a graph holds launches, fills, copies of pinned memory, collectives, records, waits, and repeats of them");
    }
  }
  problems.throw_if_any();
  double calls = 0;
  const Counter counter(application);
  for (const Thread& thread : application.threads) {
    calls += counter.count(application.bodies[thread.body]) * (application.warm_up + application.repeats);
    calls += thread.setup ? counter.count(application.bodies[*thread.setup]) : 0;
  }
  if (calls > kMostCalls) {
    add({}, "the threads do more than 2 million calls", "lower 'times' or 'repeats'");
  }
  if (std::ranges::all_of(application.threads, &Thread::background)) {
    add({}, "no thread would ever end", "one thread at least is not in the background");
  }
  problems.throw_if_any();
}

}  // namespace gpusim::application
