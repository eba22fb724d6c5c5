// SPDX-License-Identifier: MIT
// Atomics on shared memory: latency of a chain in which each needs the old value of the one before, and rate by warps;
// all lanes on one word, each on a word of its own in one line, each in a row of its own (all in one bank), and a
// line for each warp. What the hardware has no instruction for becomes a loop of compare-and-swap, which is measured as
// it is.
#include <algorithm>
#include <cstdint>

#include "tools/silicon/device/atomic.cuh"
#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

using atomic::Pattern;

constexpr int kFew = 4;
constexpr int kMany = 20;
constexpr int kPasses = 4;
constexpr int kWords = 4096 + 1024;
constexpr int kFewRounds = 2;
constexpr int kManyRounds = 10;
constexpr int kRound = 16;
constexpr std::uint32_t kMostWarps = 32;

// All inside 20 KiB for elements of eight bytes and 32 warps.
constexpr Pattern kPatterns[] = {{"same_word", 0, 0}, {"one_line", 1, 0}, {"one_bank", 128, 0}, {"own_line", 1, 256}};

__device__ std::uint32_t address_of(const std::uint64_t* words, std::uint32_t lane_bytes, std::uint32_t warp_bytes) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * lane_bytes +
         threadIdx.x / 32 * warp_bytes;
}

__device__ void clear(std::uint64_t* words) {
  for (int i = static_cast<int>(threadIdx.x); i < kWords / 2; i += static_cast<int>(blockDim.x)) {
    words[i] = 0;
  }
  __syncthreads();
}

template <typename Op, int kSteps>
__global__ void chain(std::uint32_t lane_bytes, std::uint32_t lanes, typename Op::Value* values,
                      std::uint64_t* cycles) {
  __shared__ std::uint64_t words[kWords / 2];
  clear(words);
  const std::uint32_t address = address_of(words, lane_bytes, 0);
  typename Op::Value x = values[threadIdx.x];
  const typename Op::Value other = values[32 + threadIdx.x];
  if (threadIdx.x < lanes) {
#pragma unroll 1
    for (int pass = 0; pass < kPasses; ++pass) {
      const std::uint64_t begin = sm_cycles();
#pragma unroll
      for (int i = 0; i < kSteps; ++i) {
        Op::shared(x, address, other);
      }
      const std::uint64_t end = sm_cycles();
      cycles[pass] = end - begin;
    }
  }
  values[threadIdx.x] = x;
}

template <typename Op>
__global__ void rounds_of(std::uint32_t lane_bytes, std::uint32_t warp_bytes, typename Op::Value* values, int rounds,
                          std::uint64_t* spans) {
  __shared__ std::uint64_t words[kWords / 2];
  clear(words);
  const std::uint32_t address = address_of(words, lane_bytes, warp_bytes);
  typename Op::Value x = values[threadIdx.x % 32];
  const typename Op::Value other = values[32 + threadIdx.x % 32];
  __syncthreads();
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kRound; ++i) {
      Op::shared(x, address, other);
    }
  }
  __syncthreads();  // and with it every reduction that the LSU still holds in order
  const std::uint64_t end = sm_cycles();
  if (threadIdx.x == 0) {
    *spans = end - begin;
  }
  values[threadIdx.x] = x;
}

template <typename Op>
using Values = Buffer<typename Op::Value>;

template <typename Op, int kSteps>
double cycles_of(Values<Op>& values, const Pattern& pattern, std::uint32_t lanes) {
  Buffer<std::uint64_t> cycles(kPasses);
  launch(chain<Op, kSteps>, {}, pattern.lane_step(sizeof(typename Op::Value)), lanes, values.get(), cycles.get());
  const std::vector<std::uint64_t> read = cycles.to_host();
  return summarize({read.begin() + 1, read.end()}).median;
}

Params params_of(const char* op, bool returns, const Pattern& pattern, std::uint32_t warps, std::uint32_t lanes) {
  return {{"op", op},       {"space", "shared"}, {"returns", static_cast<int>(returns)}, {"pattern", pattern.name},
          {"warps", warps}, {"lanes", lanes}};
}

template <typename Op>
void measure_latency(Session& session) {
  Values<Op> values(64);
  values.fill(Input::Random);
  for (const Pattern& pattern : kPatterns) {
    for (const std::uint32_t lanes : {1u, 2u, 8u, 32u}) {
      if (pattern.warp_bytes != 0) {
        continue;  // one warp: the same as one_line
      }
      const Sampled cycles = session.sample(
          [&] {
            return (cycles_of<Op, kMany>(values, pattern, lanes) - cycles_of<Op, kFew>(values, pattern, lanes)) /
                   (kMany - kFew);
          },
          {.times = 7, .warm_ups = 1});
      session.record({.metric = "latency",
                      .unit = "cycles",
                      .sampled = cycles,
                      .launch = launch_facts(chain<Op, kMany>, {}),
                      .params = params_of(Op::kOp, true, pattern, 1, lanes),
                      .input = Input::Random});
    }
  }
  session.expect_sass(launch_facts(chain<Op, kMany>, {}), "ATOMS", kMany, true);
}

template <typename Op>
double span_of(Values<Op>& values, const Pattern& pattern, const LaunchConfig& config, int rounds) {
  Buffer<std::uint64_t> span(1);
  launch(rounds_of<Op>, config, pattern.lane_step(sizeof(typename Op::Value)), pattern.warp_bytes, values.get(), rounds,
         span.get());
  return static_cast<double>(span.to_host()[0]);
}

template <typename Op>
void measure_throughput(Session& session) {
  Values<Op> values(kMostWarps * 32);
  values.fill(Input::Random);
  for (const Pattern& pattern : kPatterns) {
    for (const std::uint32_t warps : {1u, 4u, 16u, 32u}) {
      const LaunchConfig config{.block = warps * 32};
      const double issued = static_cast<double>(warps) * kRound * (kManyRounds - kFewRounds);
      const Sampled rate = session.sample(
          [&] {
            span_of<Op>(values, pattern, config, 1);  // fetches the code
            return issued / (span_of<Op>(values, pattern, config, kManyRounds) -
                             span_of<Op>(values, pattern, config, kFewRounds));
          },
          {.times = 5, .warm_ups = 1});
      session.record({.metric = "throughput",
                      .unit = "inst/cycle/SM",
                      .sampled = rate,
                      .launch = launch_facts(rounds_of<Op>, config),
                      .params = params_of(Op::kOp, Op::kReturns, pattern, warps, 32),
                      .input = Input::Random});
    }
  }
  session.expect_sass(launch_facts(rounds_of<Op>, {}), "ATOMS", kRound, true);
}

void run_latency(Session& session) {
#define SILICON_MEASURE(Name, ...) measure_latency<atomic::Name>(session);
  SILICON_ATOMICS(SILICON_MEASURE)
#undef SILICON_MEASURE
}

void run_throughput(Session& session) {
#define SILICON_MEASURE(Name, ...) measure_throughput<atomic::Name>(session);
  SILICON_ATOMICS(SILICON_MEASURE)
  SILICON_REDUCTIONS(SILICON_MEASURE)
#undef SILICON_MEASURE
}

const Registered kLatency{{.name = "micro/atomic/shared_latency", .priority = 90, .seconds = 1, .run = run_latency}};
const Registered kRate{{.name = "micro/atomic/shared_rate", .priority = 70, .seconds = 2, .run = run_throughput}};

}  // namespace
}  // namespace gpusim::silicon
