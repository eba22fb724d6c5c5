// SPDX-License-Identifier: MIT
// Fences by scope, with and without stores on the way, alone and with many warps at it: cycles from one fence to the
// next. What a fence costs on A100 and Hopper is a guess today (sm.timing.fence), and that it waits for stores is an
// assumption. fence.sc is what membar.{cta,gl,sys} means since Volta, fence.acq_rel what __threadfence() may relax to.
#include <algorithm>
#include <cstdint>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kFew = 8;
constexpr int kMany = 40;
constexpr int kPasses = 4;
constexpr std::uint32_t kWords = 32 * 1024 / 4;  // of one warp's stores: 256 lines, which no two warps share

#define SILICON_FENCE(Name, ptx)                                          \
  struct Name {                                                           \
    static constexpr const char* kPtx = ptx;                              \
    static __device__ void step() { asm volatile(ptx ";" ::: "memory"); } \
  };
SILICON_FENCE(RelaxedCta, "fence.acq_rel.cta")
SILICON_FENCE(RelaxedGpu, "fence.acq_rel.gpu")
SILICON_FENCE(RelaxedSys, "fence.acq_rel.sys")
SILICON_FENCE(StrongCta, "fence.sc.cta")
SILICON_FENCE(StrongGpu, "fence.sc.gpu")
SILICON_FENCE(StrongSys, "fence.sc.sys")
#undef SILICON_FENCE

// Before every fence each warp stores to `kStores` lines of its own, so that nothing else is waited for.
template <typename Fence, int kStores, int kFences>
__global__ void chain(std::uint32_t* words, std::uint64_t* cycles) {
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  std::uint32_t* const mine = words + std::size_t{warp} * kWords + threadIdx.x % 32;
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    const std::uint64_t begin = sm_cycles();
#pragma unroll
    for (int i = 0; i < kFences; ++i) {
#pragma unroll
      for (int k = 0; k < kStores; ++k) {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(mine + (i * kStores + k) * 32 % kWords), "r"(pass) : "memory");
      }
      Fence::step();
    }
    const std::uint64_t end = sm_cycles();
    if (threadIdx.x % 32 == 0) {
      cycles[warp * kPasses + static_cast<std::uint32_t>(pass)] = end - begin;
    }
  }
}

// The median over warps and passes, the first pass left out.
template <typename Fence, int kStores, int kFences>
double cycles_of(const LaunchConfig& config, Buffer<std::uint32_t>& words) {
  const std::uint32_t warps = config.grid.x * config.block.x / 32;
  Buffer<std::uint64_t> cycles(std::size_t{warps} * kPasses);
  launch(chain<Fence, kStores, kFences>, config, words.get(), cycles.get());
  const std::vector<std::uint64_t> read = cycles.to_host();
  std::vector<double> warm;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (i % kPasses != 0) {
      warm.push_back(static_cast<double>(read[i]));
    }
  }
  return summarize(std::move(warm)).median;
}

template <typename Fence, int kStores>
void measure(Session& session) {
  for (const auto& [ctas, warps] : {std::pair{1u, 1u}, {1u, 8u}, {1u, 32u}, {session.sms(), 1u}}) {
    const LaunchConfig config{.grid = ctas, .block = warps * 32};
    Buffer<std::uint32_t> words(std::size_t{ctas} * warps * kWords);
    const Sampled cycles = session.sample(
        [&] {
          return (cycles_of<Fence, kStores, kMany>(config, words) - cycles_of<Fence, kStores, kFew>(config, words)) /
                 (kMany - kFew);
        },
        {.times = 7, .warm_ups = 1});
    session.record(
        {.metric = "latency",
         .unit = "cycles",
         .sampled = cycles,
         .launch = launch_facts(chain<Fence, kStores, kMany>, config),
         .params = {{"op", "MEMBAR"}, {"ptx", Fence::kPtx}, {"stores", kStores}, {"warps", warps}, {"ctas", ctas}}});
  }
  session.expect_sass(launch_facts(chain<Fence, kStores, kMany>, {}), "MEMBAR", kMany, true);
}

template <typename Fence>
void measure_stores(Session& session) {
  measure<Fence, 0>(session);
  measure<Fence, 1>(session);
  measure<Fence, 4>(session);
}

void run(Session& session) {
  measure_stores<RelaxedCta>(session);
  measure_stores<StrongCta>(session);
  measure_stores<RelaxedGpu>(session);
  measure_stores<StrongGpu>(session);
  measure_stores<RelaxedSys>(session);
  measure_stores<StrongSys>(session);
}

const Registered kFence{{.name = "micro/fence", .priority = 90, .seconds = 2, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
