// SPDX-License-Identifier: MIT
// Short kernels one after another in a stream, each allowed to begin before the one before it has ended (programmatic
// launch): time of one of many, beside the same kernels launched as usual and with clusters. What is between them is
// what the model charges for launching.
#include "tools/silicon/device/async.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kBatch = 200;

enum class Begin { InOrder, WhenDone, Early };

// Each kernel adds one to its element after those before it are done: the check that grid_wait() waits.
template <Begin begin>
__global__ void count(std::uint32_t* counters) {
  if constexpr (begin == Begin::Early) {
    grid_launch_dependents();
  }
  if constexpr (begin != Begin::InOrder) {
    grid_wait();
  }
  counters[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

template <Begin begin>
void launch_count(const LaunchConfig& config, std::uint32_t* counters) {
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {config.cluster, 1, 1};
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t call{};
  call.gridDim = config.grid;
  call.blockDim = config.block;
  call.stream = config.stream;
  call.attrs = attributes;
  call.numAttrs = begin == Begin::InOrder ? 1 : 2;
  SILICON_CHECK(cudaLaunchKernelEx(&call, count<begin>, counters));
}

template <Begin begin>
void measure(Session& session, const char* what, std::uint32_t cluster) {
  const std::uint32_t ctas = session.sms() / 8 * 8;
  const LaunchConfig config{.grid = ctas, .block = 128, .cluster = cluster};
  Buffer<std::uint32_t> counters(ctas * 128);
  counters.fill(Input::Zero);
  const Params params{{"what", what}, {"cluster", cluster}, {"ctas", ctas}};
  for (int i = 0; i < kBatch; ++i) {
    launch_count<begin>(config, counters.get());
  }
  const std::vector<double> expected(counters.size(), kBatch);
  if (!session.verify("programmatic launch", compare(counters.to_host(), expected, {}), params)) {
    return;
  }
  const Sampled us =
      session.sample_us([&] { launch_count<begin>(config, counters.get()); }, {.times = 7, .batch = kBatch});
  session.record({.metric = "time_a_kernel",
                  .unit = "us",
                  .sampled = us,
                  .launch = launch_facts(count<begin>, config),
                  .params = params,
                  .note = "one CTA per SM, one load and store a thread"});
}

void run(Session& session) {
  for (const std::uint32_t cluster : {1u, 2u, 4u, 8u}) {
    measure<Begin::InOrder>(session, "as usual", cluster);
  }
  measure<Begin::WhenDone>(session, "programmatic, without an early trigger", 1);
  measure<Begin::Early>(session, "programmatic, triggered at once", 1);
}

const Registered kLaunch{
    {.name = "micro/launch/programmatic", .priority = 60, .seconds = 1, .needs = {Feature::Sm90}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
