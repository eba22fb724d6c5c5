// SPDX-License-Identifier: MIT
// Sum of n floats as a ladder. The first three rungs: one element per thread, one sum per CTA, no loop over data, so
// that the turnaround of n / 256 CTAs shows. The last: one wave of CTAs, 16-byte loads, one atomic per CTA.
//
// For a trace: CTAs of 256 threads.
//  interleaved  LDG.E, STS; steps s = 1, 2, .. 128, unrolled: BAR.SYNC, then LDS, LDS, FADD, STS predicated on
//               tid % 2s == 0, so that every warp issues all of them, from s = 32 on some with an empty mask. Bank
//               conflicts up to 32 / (distinct banks) of stride 2s
//  sequential   the same with s = 128 .. 1, predicated on tid < s: no conflicts
//  shuffle      five SHFL.BFLY and FADD a warp, one STS per warp, BAR.SYNC, then thread 0: two LDS.128, seven FADD, STG
//  vectorised   a real loop with two LDG.E.128 and eight FADD into two sums a thread (element
//               (2 * trip + j) * threads + thread, of 16 bytes), then as shuffle, but a RED instead of the STG
#include <cmath>
#include <cstdint>
#include <numeric>

#include "tools/silicon/device/warp.cuh"
#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kMostCtas = 1024;

__global__ void __launch_bounds__(kBlock) sum_interleaved(const float* in, float* of_cta) {
  __shared__ float shared[kBlock];
  const std::uint32_t thread = threadIdx.x;
  shared[thread] = in[blockIdx.x * kBlock + thread];
#pragma unroll
  for (std::uint32_t s = 1; s < kBlock; s *= 2) {
    __syncthreads();
    if (thread % (2 * s) == 0) {
      shared[thread] += shared[thread + s];
    }
  }
  if (thread == 0) {
    of_cta[blockIdx.x] = shared[0];
  }
}

__global__ void __launch_bounds__(kBlock) sum_sequential(const float* in, float* of_cta) {
  __shared__ float shared[kBlock];
  const std::uint32_t thread = threadIdx.x;
  shared[thread] = in[blockIdx.x * kBlock + thread];
#pragma unroll
  for (std::uint32_t s = kBlock / 2; s > 0; s /= 2) {
    __syncthreads();
    if (thread < s) {
      shared[thread] += shared[thread + s];
    }
  }
  if (thread == 0) {
    of_cta[blockIdx.x] = shared[0];
  }
}

__global__ void __launch_bounds__(kBlock) sum_shuffled(const float* in, float* of_cta) {
  __shared__ float of_warp[kBlock / 32];
  const float sum = over_cta(in[blockIdx.x * kBlock + threadIdx.x], of_warp, Sum{});
  if (threadIdx.x == 0) {
    of_cta[blockIdx.x] = sum;
  }
}

__device__ float sum_of(const Float4& item) {
  return (item.at[0] + item.at[1]) + (item.at[2] + item.at[3]);
}

__global__ void __launch_bounds__(kBlock) sum_vectorised(const Float4* in, float* total, std::uint32_t trips) {
  __shared__ float of_warp[kBlock / 32];
  const std::uint32_t threads = gridDim.x * kBlock;
  std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  float even = 0;
  float odd = 0;
#pragma unroll 1
  for (std::uint32_t trip = 0; trip < trips; ++trip) {
    const Float4 first = in[i];
    const Float4 second = in[i + threads];
    even += sum_of(first);
    odd += sum_of(second);
    i += 2 * threads;
  }
  const float sum = over_cta(even + odd, of_warp, Sum{});
  if (threadIdx.x == 0) {
    atomicAdd(total, sum);
  }
}

struct Problem {
  std::uint32_t n;
  Buffer<float> in{n};
  Buffer<float> out{n / kBlock};
  std::vector<double> of_cta;  // the reference
  double bytes = 4.0 * n;

  Work work() const { return {.bytes = bytes, .flops = static_cast<double>(n)}; }
};

std::vector<double> sums_of_ctas(const std::vector<float>& values) {
  std::vector<double> sums(values.size() / kBlock);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i / kBlock] += values[i];
  }
  return sums;
}

// 256 values in [-1, 1): eight levels of a tree whose partial sums are mostly below 20.
void measure_rung(Session& session, Problem& problem, const char* rung, void (*kernel)(const float*, float*)) {
  const LaunchConfig config{.grid = problem.n / kBlock, .block = kBlock};
  const auto run = [&] { launch(kernel, config, problem.in.get(), problem.out.get()); };
  const Params params{{"variant", rung}, {"n", problem.n}};
  problem.out.poison();
  run();
  const Comparison comparison = compare(problem.out.to_host(), problem.of_cta, {.relative = 1e-5, .absolute = 2e-5});
  if (session.verify("reduction", comparison, params)) {
    time_workload(session, {run, launch_facts(kernel, config), params, problem.work()});
  }
}

// The total adds 256 to 1024 partial sums in any order; its rounding errors grow as the root of n.
void measure_vectorised(Session& session, Problem& problem) {
  const std::uint32_t elements_of_trip = kBlock * 8;
  const std::uint32_t ctas = std::min(kMostCtas, problem.n / elements_of_trip);
  const std::uint32_t trips = problem.n / elements_of_trip / ctas;
  const LaunchConfig config{.grid = ctas, .block = kBlock};
  Buffer<float> total(1);
  const auto run = [&] {
    launch(sum_vectorised, config, reinterpret_cast<const Float4*>(problem.in.get()), total.get(), trips);
  };
  const Params params{{"variant", "vectorised"}, {"n", problem.n}};
  total.fill(Input::Zero);
  run();
  const std::vector<double> expected{std::accumulate(problem.of_cta.begin(), problem.of_cta.end(), 0.0)};
  const Tolerance tolerance{.relative = 1e-6, .absolute = 1e-5 * std::sqrt(problem.n)};
  if (!session.verify("reduction", compare(total.to_host(), expected, tolerance), params)) {
    return;
  }
  const LaunchFacts facts = launch_facts(sum_vectorised, config);
  session.expect_sass(facts, "LDG.E.128", 2);
  session.expect_sass(facts, "RED|REDG");
  time_workload(session, {run, facts, params, problem.work()});
}

void run(Session& session) {
  for (const std::uint32_t n : sizes_for<std::uint32_t>(session, {1u << 18, 1u << 22, 1u << 26})) {
    Problem problem{n};
    problem.in.fill(Input::Random);
    problem.of_cta = sums_of_ctas(problem.in.to_host());
    measure_rung(session, problem, "interleaved", sum_interleaved);
    measure_rung(session, problem, "sequential", sum_sequential);
    measure_rung(session, problem, "shuffle", sum_shuffled);
    measure_vectorised(session, problem);
  }
}

const Registered kReduction{{.name = "kernels/reduction", .priority = 70, .seconds = 2, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
