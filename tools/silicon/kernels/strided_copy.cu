// SPDX-License-Identifier: MIT
// to[i * stride] = from[i * stride] over a fixed footprint: what is left of the bandwidth when a warp's 32 accesses of
// 4 bytes spread over more sectors. Strides 2, 4 and 8 use 16, 8 and 4 bytes of each sector of 32; from 8 on a warp
// touches 32 sectors, and larger strides skip sectors (16), lines (32), and 64-byte pieces of the DRAM's pages.
//
// For a trace: CTAs of 256 threads, at most 1024; a real loop with one LDG.E and one STG.E, element
// (trip * threads + thread) * stride. Bytes are those asked for, 8 an element.
#include <cstdint>

#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kMostCtas = 1024;

__global__ void __launch_bounds__(kBlock)
    copy_strided(const float* from, float* to, std::uint32_t stride, std::uint32_t trips) {
  std::uint32_t i = (blockIdx.x * kBlock + threadIdx.x) * stride;
  const std::uint32_t step = gridDim.x * kBlock * stride;
#pragma unroll 1
  for (std::uint32_t trip = 0; trip < trips; ++trip) {
    to[i] = from[i];
    i += step;
  }
}

struct Problem {
  std::size_t bytes;  // of each array, touched or not
  Buffer<float> from{bytes / sizeof(float)};
  Buffer<float> to{bytes / sizeof(float)};
};

// Exactly the elements that a thread has are copied; the others are still poisoned.
bool is_right(Session& session, const Problem& problem, std::uint32_t stride, const Params& params) {
  const Rectangle part = sampled_rows(problem.to.size(), 4096);
  const std::vector<float> from = to_host(problem.from, part);
  const std::vector<float> to = to_host(problem.to, part);
  std::vector<double> got;
  std::vector<double> expected;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const bool is_touched = part.index(i) % stride == 0;
    expected.push_back(is_touched ? from[i] : 0.0);
    got.push_back(is_touched ? to[i] : to[i] == to[i] ? 1.0 : 0.0);  // NaN where nobody wrote
  }
  return session.verify("strided copy", compare(got, expected, {}), params);
}

void measure(Session& session, Problem& problem, std::uint32_t stride) {
  const auto elements = static_cast<std::uint32_t>(problem.bytes / sizeof(float) / stride);
  const std::uint32_t ctas = std::min(kMostCtas, elements / kBlock);
  const std::uint32_t trips = elements / (ctas * kBlock);
  const LaunchConfig config{.grid = ctas, .block = kBlock};
  const auto run = [&] { launch(copy_strided, config, problem.from.get(), problem.to.get(), stride, trips); };
  const Params params{{"footprint", problem.bytes}, {"stride", stride}};
  problem.to.poison();
  run();
  if (is_right(session, problem, stride, params)) {
    time_workload(session, {run, launch_facts(copy_strided, config), params, {.bytes = 8.0 * elements}});
  }
}

void run(Session& session) {
  for (const std::size_t mebibytes : sizes_for<std::size_t>(session, {1, 16, 512})) {
    Problem problem{mebibytes << 20};
    problem.from.fill(Input::Random);
    for (const std::uint32_t stride : {2u, 4u, 8u, 16u, 32u}) {
      measure(session, problem, stride);
    }
  }
}

const Registered kStridedCopy{{.name = "kernels/strided_copy", .priority = 60, .seconds = 2.5, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
