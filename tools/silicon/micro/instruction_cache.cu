// SPDX-License-Identifier: MIT
// Instruction caches: cycles an instruction takes in a loop of straight-line code against the size of that code. One
// long body is left after as many blocks as are asked for, so that every size runs the same code. Knees are the
// capacities of L0, L1 and what is behind, plateaus the rate at which each level delivers; `cold` is the first pass
// through code that came from no nearer than the L2. All unknown on Hopper: front_end.icache.
#include <cstdint>
#include <utility>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kInstructionBytes = 16;
constexpr int kBlock = 128;   // instructions between two exits; 126 multiply-adds, a comparison and a branch
constexpr int kBlocks = 144;  // 288 KiB
constexpr int kPasses = 5;
constexpr std::uint32_t kMostWarps = 16;

// Four chains take turns: one multiply-add per cycle and warp, if it is there in time.
__device__ __forceinline__ void block_of_code(float (&x)[4], float a, float b) {
#pragma unroll
  for (int i = 0; i < kBlock - 2; ++i) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[i % 4]) : "f"(a), "f"(b));
  }
}

// Leaves after `blocks` of them. Not a loop: the compiler would not unroll one this long.
template <int... kIndices>
__device__ __forceinline__ void code_of(float (&x)[4], float a, float b, int blocks,
                                        std::integer_sequence<int, kIndices...>) {
  static_cast<void>(((block_of_code(x, a, b), kIndices + 1 != blocks) && ...));
}

__global__ void loop_of_code(float* values, int blocks, std::uint64_t* cycles) {
  float x[4];
  for (int k = 0; k < 4; ++k) {
    x[k] = values[k * 32 + threadIdx.x % 32];
  }
  const float a = values[4 * 32 + threadIdx.x % 32];
  const float b = values[5 * 32 + threadIdx.x % 32];
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    const std::uint64_t begin = sm_cycles();
    code_of(x, a, b, blocks, std::make_integer_sequence<int, kBlocks>{});
    const std::uint64_t end = sm_cycles();
    if (threadIdx.x % 32 == 0 && blockIdx.x == 0) {
      cycles[static_cast<std::uint32_t>(pass) * kMostWarps + threadIdx.x / 32] = end - begin;
    }
  }
  values[6 * 32 + threadIdx.x % 32] = x[0] + x[1] + x[2] + x[3];
}

struct Passes {
  double first = 0;  ///< cycles an instruction of each warp
  double later = 0;
};

Passes passes_of(const Session& session, Buffer<float>& values, const LaunchConfig& config, int blocks) {
  Buffer<std::uint64_t> cycles(kPasses * kMostWarps);
  // On every SM, since the CTA may land on any: throws out of L0 and L1 what comes first.
  launch(loop_of_code, {.grid = session.sms()}, values.get(), kBlocks, cycles.get());
  launch(loop_of_code, config, values.get(), blocks, cycles.get());
  const std::vector<std::uint64_t> read = cycles.to_host();
  std::vector<double> first;
  std::vector<double> later;
  for (std::uint32_t i = 0; i < kPasses * kMostWarps; ++i) {
    if (i % kMostWarps < config.block.x / 32) {
      (i < kMostWarps ? first : later).push_back(static_cast<double>(read[i]) / (blocks * kBlock));
    }
  }
  return {summarize(first).median, summarize(later).median};
}

void measure(Session& session, Buffer<float>& values, const LaunchConfig& config, int blocks) {
  const Repeat repeat{.times = 5, .warm_ups = 1};
  Result result{.metric = "time_per_instruction",
                .unit = "cycles",
                .sampled = session.sample([&] { return passes_of(session, values, config, blocks).later; }, repeat),
                .launch = launch_facts(loop_of_code, config),
                .params = {{"code_bytes", blocks * kBlock * kInstructionBytes},
                           {"warps", config.block.x / 32},
                           {"ctas", config.grid.x}},
                .input = Input::Random};
  session.record(result);
  if (config.grid.x == 1) {
    result.sampled = session.sample([&] { return passes_of(session, values, config, blocks).first; }, repeat);
    result.cache = Cache::Cold;
    session.record(result);
  }
}

void run(Session& session) {
  Buffer<float> values(7 * 32);
  values.fill(Input::Random);
  for (const auto& [ctas, warps] : {std::pair{1u, 1u}, {1u, 4u}, {1u, 16u}, {session.sms(), 4u}}) {
    for (const int blocks : {1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40, 48, 56, 64, 72, 80, 96, 112, 128, 144}) {
      measure(session, values, {.grid = ctas, .block = warps * 32}, blocks);
    }
  }
  session.expect_sass(launch_facts(loop_of_code, {}), "FFMA", kBlocks * (kBlock - 2), true);
}

const Registered kCode{{.name = "micro/cache/instruction", .priority = 70, .seconds = 1.5, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
