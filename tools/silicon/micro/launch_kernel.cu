// SPDX-License-Identifier: MIT
// What it takes to launch: empty kernels back to back in a stream, with everything queued before the GPU gets to it;
// the same as nodes of a graph, one after the other and side by side; an empty kernel between two events and two events
// with nothing between; and the host's part. launch.{kernel_back_to_back,graph_node} of the architecture files.
#include <cstdint>
#include <functional>

#include "tools/silicon/device/session.cuh"
#include "tools/silicon/device/timer.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kBatch = 200;

struct Small {
  std::uint32_t words[1];
};
struct Large {
  std::uint32_t words[1000];
};

template <typename Parameters>
__global__ void empty(const __grid_constant__ Parameters parameters, std::uint32_t* sink) {
  if (sink != nullptr) {  // never: so that the parameters count
    *sink = parameters.words[threadIdx.x];
  }
}

template <typename Parameters>
void launch_empty(const LaunchConfig& config) {
  launch(empty<Parameters>, config, Parameters{}, nullptr);
}

template <typename Parameters>
void measure_stream(Session& session, const LaunchConfig& config) {
  session.record({.metric = "time_per_kernel",
                  .unit = "us",
                  .sampled = session.sample_us([&] { launch_empty<Parameters>(config); }, {.batch = kBatch}),
                  .launch = launch_facts(empty<Parameters>, config),
                  .params = {{"how", "stream"}, {"parameter_bytes", sizeof(Parameters)}}});
}

// The launch call alone, and a launch waited for.
void measure_host(Session& session) {
  const LaunchConfig config{};
  const LaunchFacts facts = launch_facts(empty<Small>, config);
  const Sampled call = session.sample([&] {
    SILICON_CHECK(cudaDeviceSynchronize());
    return host_microseconds([&] {
             for (int i = 0; i < kBatch; ++i) {
               launch_empty<Small>(config);
             }
           }) /
           kBatch;
  });
  session.record({.metric = "host_time_per_launch", .unit = "us", .sampled = call, .launch = facts});
  const Sampled round_trip = session.sample(
      [&] {
        SILICON_CHECK(cudaDeviceSynchronize());
        return host_microseconds([&] {
          launch_empty<Small>(config);
          SILICON_CHECK(cudaDeviceSynchronize());
        });
      },
      {.times = 51});
  session.record({.metric = "launch_and_wait", .unit = "us", .sampled = round_trip, .launch = facts});
}

void measure_one(Session& session) {
  const Repeat repeat{.times = 51};
  session.record({.metric = "time_between_events",
                  .unit = "us",
                  .sampled = session.sample_us([] {}, repeat),
                  .launch = launch_facts(empty<Small>, {}),
                  .params = {{"kernels", 0}}});
  for (const std::uint32_t ctas : {1u, session.sms(), 16 * session.sms(), 256 * session.sms()}) {
    const LaunchConfig config{.grid = ctas, .block = 128};
    session.record({.metric = "time_between_events",
                    .unit = "us",
                    .sampled = session.sample_us([&] { launch_empty<Small>(config); }, repeat),
                    .launch = launch_facts(empty<Small>, config),
                    .params = {{"kernels", 1}, {"ctas", ctas}}});
  }
}

void run_stream(Session& session) {
  for (const std::uint32_t ctas : {1u, session.sms()}) {
    for (const std::uint32_t threads : {32u, 256u, 1024u}) {
      measure_stream<Small>(session, {.grid = ctas, .block = threads});
    }
  }
  measure_stream<Large>(session, {});
  measure_host(session);
  measure_one(session);
}

class Graph {
 public:
  /// `nodes` empty kernels, each after the one before or all at once.
  Graph(int nodes, bool chained) {
    cudaGraph_t graph = nullptr;
    SILICON_CHECK(cudaGraphCreate(&graph, 0));
    Small parameters{};
    std::uint32_t* sink = nullptr;
    void* arguments[] = {&parameters, &sink};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(empty<Small>);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    cudaGraphNode_t last = nullptr;
    for (int i = 0; i < nodes; ++i) {
      cudaGraphNode_t node = nullptr;
      SILICON_CHECK(cudaGraphAddKernelNode(&node, graph, &last, chained && i > 0 ? 1 : 0, &kernel));
      last = node;
    }
    SILICON_CHECK(cudaGraphInstantiate(&executable_, graph, 0));
    SILICON_CHECK(cudaGraphDestroy(graph));
    SILICON_CHECK(cudaGraphUpload(executable_, nullptr));
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { cudaGraphExecDestroy(executable_); }

  void run() const { SILICON_CHECK(cudaGraphLaunch(executable_, nullptr)); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

void measure_graphs(Session& session, bool chained) {
  constexpr int kFew = 10;
  constexpr int kMany = 110;
  const char* const how = chained ? "graph_chain" : "graph_parallel";
  const LaunchFacts facts = launch_facts(empty<Small>, {});
  Sampled few;
  for (const int nodes : {1, kFew, kMany}) {
    const Graph graph(nodes, chained);
    const Sampled us = session.sample_us([&] { graph.run(); }, {.times = 31});
    session.record({.metric = "graph_time",
                    .unit = "us",
                    .sampled = us,
                    .launch = facts,
                    .params = {{"how", how}, {"nodes", nodes}}});
    if (nodes == kFew) {
      few = us;
    }
    if (nodes == kMany) {
      session.record({.metric = "time_per_kernel",
                      .unit = "us",
                      .sampled = us.map([&](double t) { return (t - few.median()) / (kMany - kFew); }),
                      .launch = facts,
                      .params = {{"how", how}, {"parameter_bytes", sizeof(Small)}}});
    }
  }
}

void run_graph(Session& session) {
  measure_graphs(session, true);
  measure_graphs(session, false);
  const Graph graph(1, true);
  session.record({.metric = "host_time_per_launch",
                  .unit = "us",
                  .sampled = session.sample(
                      [&] {
                        SILICON_CHECK(cudaDeviceSynchronize());
                        return host_microseconds([&] { graph.run(); });
                      },
                      {.times = 31}),
                  .launch = launch_facts(empty<Small>, {}),
                  .params = {{"how", "graph"}, {"nodes", 1}}});
}

const Registered kStream{{.name = "micro/launch/kernel", .priority = 70, .seconds = 0.6, .run = run_stream}};
const Registered kGraph{{.name = "micro/launch/graph", .priority = 70, .seconds = 0.3, .run = run_graph}};

}  // namespace
}  // namespace gpusim::silicon
