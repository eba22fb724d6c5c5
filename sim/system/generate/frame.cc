// SPDX-License-Identifier: MIT
#include "sim/system/generate/frame.h"

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

Calls as_graph(Application& application, Calls calls) {
  Graph graph{"step", {}, {}};
  for (Call& call : calls) {  // ranges are not part of a graph
    auto& body = std::get<Range>(call.is).body;
    std::ranges::move(body, std::back_inserter(graph.calls));
  }
  application.graphs.push_back(std::move(graph));
  return {Call{LaunchGraph{0, kCompute}, {}}};
}

void add_ranks(Application& application, Calls calls, std::uint32_t gpus) {
  calls.push_back({Synchronize{}, {}});
  application.bodies.push_back(std::move(calls));
  for (std::uint32_t rank = 0; rank < gpus; ++rank) {
    const std::string number = std::to_string(rank);
    application.threads.push_back({gpus == 1 ? "main" : "rank" + number, "gpu" + number, 0, false, {}});
  }
}

}  // namespace gpusim::generate
