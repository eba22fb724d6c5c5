// SPDX-License-Identifier: MIT
// Histogram of 256 bins over 32-bit keys, by atomics on global memory and by atomics on a copy in shared memory that
// each CTA adds to the global one at its end. Keys are uniform, or skewed: bin b with probability 2^-(b + 1), so that
// of a warp's 32 keys 16 meet in one bin.
//
// For a trace: one wave of at most 1024 CTAs of 256 threads. A real loop over `trips`, each with one LDG.E.128 (item
// trip * threads + thread) and four atomics without a result, bin = key & 255: RED on 1 KiB of the L2 (32 sectors), or
// ATOMS.POPC.INC on 1 KiB of shared memory. "shared" begins with one STS per thread and BAR.SYNC, ends with BAR.SYNC,
// one LDS and one RED per thread (skipped where the count is zero).
#include <cstdint>

#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kBins = 256;
constexpr std::uint32_t kMostCtas = 1024;
static_assert(kBins == kBlock, "a thread clears and adds one bin");

// Random bits become the number of leading zeros: k with probability 2^-(k + 1).
__global__ void skew(std::uint32_t* keys, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    keys[i] = static_cast<std::uint32_t>(__clz(static_cast<int>(keys[i])));
  }
}

__device__ void count_keys(const uint4* keys, std::uint32_t* bins, std::uint32_t trips) {
  const std::uint32_t threads = gridDim.x * kBlock;
  std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
#pragma unroll 1
  for (std::uint32_t trip = 0; trip < trips; ++trip) {
    const uint4 key = keys[i];
    atomicAdd(&bins[key.x % kBins], 1u);
    atomicAdd(&bins[key.y % kBins], 1u);
    atomicAdd(&bins[key.z % kBins], 1u);
    atomicAdd(&bins[key.w % kBins], 1u);
    i += threads;
  }
}

__global__ void __launch_bounds__(kBlock)
    histogram_global(const uint4* keys, std::uint32_t* bins, std::uint32_t trips) {
  count_keys(keys, bins, trips);
}

__global__ void __launch_bounds__(kBlock)
    histogram_shared(const uint4* keys, std::uint32_t* bins, std::uint32_t trips) {
  __shared__ std::uint32_t of_cta[kBins];
  of_cta[threadIdx.x] = 0;
  __syncthreads();
  count_keys(keys, of_cta, trips);
  __syncthreads();
  if (const std::uint32_t count = of_cta[threadIdx.x]; count > 0) {
    atomicAdd(&bins[threadIdx.x], count);
  }
}

struct Variant {
  const char* name;
  void (*kernel)(const uint4*, std::uint32_t*, std::uint32_t);
  const char* sass;
};

struct Problem {
  std::uint32_t n;
  const char* keys_are;
  Buffer<std::uint32_t> keys{n};
  Buffer<std::uint32_t> bins{kBins};
  std::vector<double> expected = std::vector<double>(kBins);

  void fill(bool skewed) {
    keys.fill(Input::Random);
    if (skewed) {
      launch(skew, {.grid = 1024, .block = 256}, keys.get(), keys.size());
    }
    for (const std::uint32_t key : keys.to_host()) {
      expected[key % kBins] += 1;
    }
  }
};

void measure(Session& session, Problem& problem, const Variant& variant) {
  const std::uint32_t ctas = std::min(kMostCtas, problem.n / 4 / kBlock);
  const std::uint32_t trips = problem.n / 4 / kBlock / ctas;
  const LaunchConfig config{.grid = ctas, .block = kBlock};
  const auto run = [&] {
    launch(variant.kernel, config, reinterpret_cast<const uint4*>(problem.keys.get()), problem.bins.get(), trips);
  };
  const Params params{{"variant", variant.name}, {"keys", problem.keys_are}, {"n", problem.n}};
  problem.bins.fill(Input::Zero);
  run();
  if (!session.verify("histogram", compare(problem.bins.to_host(), problem.expected, {}), params)) {
    return;
  }
  const LaunchFacts facts = launch_facts(variant.kernel, config);
  session.expect_sass(facts, variant.sass, 4);
  time_workload(session, {run, facts, params, {.bytes = 4.0 * problem.n + 8.0 * kBins}});
}

void run(Session& session) {
  for (const std::uint32_t n : sizes_for<std::uint32_t>(session, {1u << 16, 1u << 20, 1u << 24})) {
    for (const bool skewed : {false, true}) {
      Problem problem{n, skewed ? "skewed" : "uniform"};
      problem.fill(skewed);
      measure(session, problem, {"global", histogram_global, "RED|REDG"});
      measure(session, problem, {"shared", histogram_shared, "ATOMS"});
    }
  }
}

const Registered kHistogram{{.name = "kernels/histogram", .priority = 70, .seconds = 3, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
