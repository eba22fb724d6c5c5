// SPDX-License-Identifier: MIT
// to = from with accesses of 4, 8 and 16 bytes, one or four of them in flight a thread.
//
// For a trace: CTAs of 256 threads, one wave of at most 1024. A real loop (not unrolled) over `trips`; in each, item j
// of a thread is element (trip * items + j) * threads + thread, so a warp reads 32 neighbours: all LDG of a trip, then
// all STG. Of interest: items x width bytes a thread in flight, which with 2048 threads an SM is 8 to 128 KiB. 1 MiB
// and 16 MiB stay in the L2 when warm, 512 MiB come from the DRAM.
#include <cstdint>

#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kMostCtas = 1024;

template <typename T, std::uint32_t kItems>
__global__ void __launch_bounds__(kBlock) copy_items(const T* from, T* to, std::uint32_t trips) {
  const std::uint32_t threads = gridDim.x * kBlock;
  std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
#pragma unroll 1
  for (std::uint32_t trip = 0; trip < trips; ++trip) {
    T item[kItems];
#pragma unroll
    for (std::uint32_t j = 0; j < kItems; ++j) {
      item[j] = from[i + j * threads];
    }
#pragma unroll
    for (std::uint32_t j = 0; j < kItems; ++j) {
      to[i + j * threads] = item[j];
    }
    i += kItems * threads;
  }
}

struct Problem {
  std::size_t bytes;
  Buffer<float> from{bytes / sizeof(float)};
  Buffer<float> to{bytes / sizeof(float)};
};

bool is_right(Session& session, const Problem& problem, const Params& params) {
  const Rectangle part = sampled_rows(problem.to.size(), 4096);
  const std::vector<float> from = to_host(problem.from, part);
  const std::vector<double> expected(from.begin(), from.end());
  return session.verify("copy", compare(to_host(problem.to, part), expected, {}), params);
}

template <typename T, std::uint32_t kItems>
void measure(Session& session, Problem& problem) {
  const auto elements = static_cast<std::uint32_t>(problem.bytes / sizeof(T));
  const std::uint32_t ctas = std::min(kMostCtas, elements / (kBlock * kItems));
  const std::uint32_t trips = elements / (ctas * kBlock * kItems);
  const LaunchConfig config{.grid = ctas, .block = kBlock};
  const auto run = [&] {
    launch(copy_items<T, kItems>, config, reinterpret_cast<const T*>(problem.from.get()),
           reinterpret_cast<T*>(problem.to.get()), trips);
  };
  const Params params{{"bytes", problem.bytes}, {"width", sizeof(T)}, {"items", kItems}};
  problem.to.poison();
  run();
  if (!is_right(session, problem, params)) {
    return;
  }
  const LaunchFacts facts = launch_facts(copy_items<T, kItems>, config);
  session.expect_sass(facts, sizeof(T) == 16 ? "LDG.E.128" : sizeof(T) == 8 ? "LDG.E.64" : "LDG.E", kItems);
  time_workload(session, {run, facts, params, {.bytes = 2.0 * static_cast<double>(problem.bytes)}});
}

void run(Session& session) {
  for (const std::size_t mebibytes : sizes_for<std::size_t>(session, {1, 16, 512})) {
    Problem problem{mebibytes << 20};
    problem.from.fill(Input::Random);
    measure<float, 1>(session, problem);
    measure<float2, 1>(session, problem);
    measure<float4, 1>(session, problem);
    measure<float, 4>(session, problem);
    measure<float2, 4>(session, problem);
    measure<float4, 4>(session, problem);
  }
}

const Registered kCopy{{.name = "kernels/copy", .priority = 70, .seconds = 2.5, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
