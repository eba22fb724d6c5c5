// SPDX-License-Identifier: MIT
#include "sim/system/generate/frame.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gpusim::generate {

using namespace application;

Application begin_step(std::string name, std::string description, bool comm) {
  Application out;
  out.name = std::move(name);
  out.description = std::move(description);
  out.warm_up = 1;
  out.repeats = 2;
  out.streams = {{std::string(kDefaultStream), true}};
  if (comm) {
    out.streams.push_back({"comm", false});
  }
  return out;
}

namespace {

/// Ranges are not part of a graph.
Calls without_ranges(Calls calls) {
  Calls out;
  for (Call& call : calls) {
    if (auto* const range = std::get_if<Range>(&call.is)) {
      std::ranges::move(without_ranges(std::move(range->body)), std::back_inserter(out));
      continue;
    }
    if (auto* const repeat = std::get_if<Repeat>(&call.is)) {
      repeat->body = without_ranges(std::move(repeat->body));
    }
    out.push_back(std::move(call));
  }
  return out;
}

Calls as_graph(Application& application, Calls calls) {
  const auto graph = static_cast<Index>(application.graphs.size());
  const std::string name = graph == 0 ? "step" : "step of stage " + std::to_string(graph);
  application.graphs.push_back({name, without_ranges(std::move(calls)), {}});
  return {Call{LaunchGraph{graph, kCompute}, {}}};
}

}  // namespace

Calls as_launched(Mode mode, Application& application, Calls calls) {
  // Guards, and the way through PyTorch: a step of one compiled element-wise kernel takes 103 us on our H200's host
  // with a synchronization, of which the kernel, its launch and the wait take 46.
  constexpr double kCallNs = 57'000;
  Calls launched = is_one_graph(mode) ? as_graph(application, std::move(calls)) : std::move(calls);
  if (is_compiled(mode)) {
    launched.insert(launched.begin(), Call{Work{kCallNs, "call of a compiled function"}, {}});
  }
  return launched;
}

void add_threads(Application& application, const Threads& threads, Calls setup, Calls calls) {
  calls.push_back({Synchronize{}, {}});
  std::optional<Index> once;
  if (!setup.empty()) {
    once = static_cast<Index>(application.bodies.size());
    application.bodies.push_back(std::move(setup));
  }
  const auto body = static_cast<Index>(application.bodies.size());
  application.bodies.push_back(std::move(calls));
  for (std::uint32_t rank = threads.first; rank < threads.first + threads.count; ++rank) {
    const std::string number = std::to_string(rank);
    application.threads.push_back({threads.alone ? "main" : "rank" + number, "gpu" + number, body, false, {}, once});
  }
}

}  // namespace gpusim::generate
