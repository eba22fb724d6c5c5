// SPDX-License-Identifier: MIT
// bar.sync by number of warps: how long a warp takes from one barrier to the next when all come at once, how long after
// the last one came all are let go (and how far apart), and how many barriers an SM gets done when several CTAs have
// one each. sm.barrier_latency is a guess today, and whether it grows with the warps.
#include <algorithm>
#include <cstdint>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kFew = 16;
constexpr int kMany = 144;
constexpr int kPasses = 6;
constexpr int kWarmPass = 2;  // from here on the code is in the instruction cache
constexpr std::uint32_t kMostWarps = 32;

// One barrier; the kinds a kernel uses.
struct Sync {
  static constexpr const char* kName = "bar.sync";
  static constexpr const char* kMnemonic = "BAR.SYNC";
  static __device__ void step(std::uint32_t&) { asm volatile("bar.sync 0;" ::: "memory"); }
};
struct SyncCount {
  static constexpr const char* kName = "bar.sync id, threads";
  static constexpr const char* kMnemonic = "BAR.SYNC";
  static __device__ void step(std::uint32_t& threads) { asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory"); }
};
struct Reduce {
  static constexpr const char* kName = "bar.red.popc";
  static constexpr const char* kMnemonic = "BAR.RED";
  static __device__ void step(std::uint32_t& value) {  // each votes with what the one before counted
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 7; bar.red.popc.u32 %0, 0, p; }" : "+r"(value)::"memory");
  }
};
struct SyncWarp {
  static constexpr const char* kName = "bar.warp.sync";
  static constexpr const char* kMnemonic =
      "WARPSYNC|NOP";  // a NOP wherever the compiler knows the warp to be converged
  static __device__ void step(std::uint32_t&) { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
};

template <typename Kind, int kBarriers>
__global__ void chain(std::uint32_t value, std::uint64_t* cycles) {
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    const std::uint64_t begin = sm_cycles();
#pragma unroll
    for (int i = 0; i < kBarriers; ++i) {
      Kind::step(value);
    }
    const std::uint64_t end = sm_cycles();
    if (threadIdx.x == 0) {
      cycles[pass] = end - begin;
    }
  }
}

template <typename Kind, int kBarriers>
double cycles_of(const LaunchConfig& config) {
  Buffer<std::uint64_t> cycles(kPasses);
  launch(chain<Kind, kBarriers>, config, config.block.x, cycles.get());
  const std::vector<std::uint64_t> read = cycles.to_host();
  return summarize({read.begin() + kWarmPass, read.end()}).median;
}

template <typename Kind>
void measure_chain(Session& session) {
  session.expect_sass(launch_facts(chain<Kind, kMany>, {}), Kind::kMnemonic, kMany, true);
  for (const std::uint32_t warps : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 32u}) {
    const LaunchConfig config{.block = warps * 32};
    const Sampled cycles = session.sample(
        [&] { return (cycles_of<Kind, kMany>(config) - cycles_of<Kind, kFew>(config)) / (kMany - kFew); });
    session.record({.metric = "latency",
                    .unit = "cycles",
                    .sampled = cycles,
                    .launch = launch_facts(chain<Kind, kMany>, config),
                    .params = {{"op", Kind::kName}, {"warps", warps}}});
  }
}

// Every warp notes when it comes and when it is let go. `late`: the warp that comes that many multiply-adds later.
__global__ void stamped(std::uint64_t* came, std::uint64_t* left, float* values, std::uint32_t late, int steps) {
  const std::uint32_t warp = threadIdx.x / 32;
  float x = values[threadIdx.x];
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    if (warp == late) {
#pragma unroll 1
      for (int i = 0; i < steps; ++i) {
        x = fmaf(x, 0.5f, 0.25f);
      }
    }
    const std::uint64_t begin = sm_cycles();
    asm volatile("bar.sync 0;" ::: "memory");
    const std::uint64_t end = sm_cycles();
    if (threadIdx.x % 32 == 0) {
      came[pass * kMostWarps + warp] = begin;
      left[pass * kMostWarps + warp] = end;
    }
  }
  values[threadIdx.x] = x;
}

struct Release {
  double first = 0;  ///< cycles from the last warp's coming to the first one's leaving
  double last = 0;   ///< and to the last one's
};

Release release_of(Buffer<float>& values, std::uint32_t warps, std::uint32_t late, int steps) {
  Buffer<std::uint64_t> came(kPasses * kMostWarps);
  Buffer<std::uint64_t> left(kPasses * kMostWarps);
  launch(stamped, {.block = warps * 32}, came.get(), left.get(), values.get(), late, steps);
  const std::vector<std::uint64_t> from = came.to_host();
  const std::vector<std::uint64_t> to = left.to_host();
  std::vector<double> first;
  std::vector<double> last;
  for (int pass = kWarmPass; pass < kPasses; ++pass) {
    const auto row = pass * kMostWarps;
    const auto last_came = static_cast<double>(*std::max_element(&from[row], &from[row] + warps));
    first.push_back(static_cast<double>(*std::min_element(&to[row], &to[row] + warps)) - last_came);
    last.push_back(static_cast<double>(*std::max_element(&to[row], &to[row] + warps)) - last_came);
  }
  return {summarize(first).median, summarize(last).median};
}

void measure_release(Session& session) {
  constexpr int kLateSteps = 2000;  // 8000 cycles and more: all others wait by then
  Buffer<float> values(kMostWarps * 32);
  values.fill(Input::Random);
  for (const std::uint32_t warps : {2u, 4u, 8u, 16u, 32u}) {
    for (const std::uint32_t late : {0u, warps - 1}) {
      const LaunchConfig config{.block = warps * 32};
      Result result{.metric = "release_first",
                    .unit = "cycles",
                    .sampled = session.sample([&] { return release_of(values, warps, late, kLateSteps).first; }),
                    .launch = launch_facts(stamped, config),
                    .params = {{"op", "bar.sync"}, {"warps", warps}, {"late_warp", late}}};
      session.record(result);
      result.metric = "release_last";
      result.sampled = session.sample([&] { return release_of(values, warps, late, kLateSteps).last; });
      session.record(result);
    }
  }
}

// Every CTA goes through its own barrier again and again; spans as each SM's clock sees them.
__global__ void rounds_of_barriers(int rounds, std::uint64_t* spans) {
  __syncthreads();
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int k = 0; k < kFew; ++k) {
      asm volatile("bar.sync 0;" ::: "memory");
    }
  }
  const std::uint64_t end = sm_cycles();
  if (threadIdx.x == 0) {
    spans[blockIdx.x * 2] = begin;
    spans[blockIdx.x * 2 + 1] = end - begin;
  }
}

double median_span(const LaunchConfig& config, int rounds) {
  Buffer<std::uint64_t> spans(std::size_t{config.grid.x} * 2);
  launch(rounds_of_barriers, config, rounds, spans.get());
  const std::vector<std::uint64_t> read = spans.to_host();
  std::vector<double> lengths;
  for (std::size_t i = 1; i < read.size(); i += 2) {
    lengths.push_back(static_cast<double>(read[i]));
  }
  return summarize(std::move(lengths)).median;
}

// All CTAs run at once, the same number on every SM, long enough that when each begins does not matter.
void measure_throughput(Session& session) {
  constexpr int kFewRounds = 200;
  constexpr int kManyRounds = 1200;
  for (const std::uint32_t warps : {1u, 2u, 4u, 8u, 16u}) {
    for (const std::uint32_t ctas : {1u, 2u, 4u, 8u, 16u}) {
      if (warps * ctas > 2 * kMostWarps) {
        continue;
      }
      const LaunchConfig config{.grid = ctas * session.sms(), .block = warps * 32};
      const double barriers = static_cast<double>(ctas) * kFew * (kManyRounds - kFewRounds);
      session.record(
          {.metric = "throughput",
           .unit = "barriers/cycle/SM",
           .sampled = session.sample(
               [&] { return barriers / (median_span(config, kManyRounds) - median_span(config, kFewRounds)); },
               {.times = 5, .warm_ups = 1}),
           .launch = launch_facts(rounds_of_barriers, config),
           .params = {{"op", "bar.sync"}, {"warps", warps}, {"ctas_per_sm", ctas}}});
    }
  }
}

void run(Session& session) {
  measure_chain<Sync>(session);
  measure_release(session);
  measure_throughput(session);
}

void run_other(Session& session) {
  measure_chain<SyncCount>(session);
  measure_chain<Reduce>(session);
  measure_chain<SyncWarp>(session);
}

const Registered kBarrier{{.name = "micro/barrier/sync", .priority = 90, .seconds = 1.5, .run = run}};
const Registered kOther{{.name = "micro/barrier/other", .priority = 60, .seconds = 1, .run = run_other}};

}  // namespace
}  // namespace gpusim::silicon
