// SPDX-License-Identifier: MIT
// Atomics on global memory, which the L2 does: latency of a chain in which each needs the old value of the one before,
// line by line (near and far slices differ), and rate by CTAs. All on one word; all on one line; a line for each warp;
// a line for each lane. The model's atomic_interval of an L2 slice is a guess today, and that lanes on one word cost as
// much as their number is an assumption.
#include <algorithm>
#include <cstdint>

#include "tools/silicon/device/atomic.cuh"
#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"
#include "tools/silicon/device/timer.cuh"

namespace gpusim::silicon {
namespace {

using atomic::Pattern;

constexpr int kFew = 4;
constexpr int kMany = 20;
constexpr int kPasses = 4;
constexpr int kRound = 16;
constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kCtasPerSm = 4;
constexpr std::uint32_t kLine = 128;
constexpr Pattern kPatterns[] = {
    {"same_word", 0, 0}, {"one_line", 1, 0}, {"line_per_warp", 1, 256}, {"line_per_lane", kLine, 32 * kLine}};

template <typename Op, int kSteps>
__global__ void chain(std::uint64_t address, std::uint32_t lane_bytes, std::uint32_t lanes, typename Op::Value* values,
                      std::uint64_t* cycles) {
  address += threadIdx.x * lane_bytes;
  typename Op::Value x = values[threadIdx.x];
  const typename Op::Value other = values[32 + threadIdx.x];
  if (threadIdx.x < lanes) {
#pragma unroll 1
    for (int pass = 0; pass < kPasses; ++pass) {
      const std::uint64_t begin = sm_cycles();
#pragma unroll
      for (int i = 0; i < kSteps; ++i) {
        Op::global(x, address, other);
      }
      const std::uint64_t end = sm_cycles();
      cycles[pass] = end - begin;
    }
  }
  values[threadIdx.x] = x;
}

template <typename Op>
__global__ void rounds_of(std::uint64_t address, std::uint32_t lane_bytes, std::uint32_t warp_bytes,
                          typename Op::Value* values, int rounds) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  address += std::uint64_t{warp} * warp_bytes + lane * lane_bytes;
  typename Op::Value x = values[lane];
  const typename Op::Value other = values[32 + lane];
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kRound; ++i) {
      Op::global(x, address, other);
    }
  }
  values[64 + lane] = x;
}

template <typename Op>
struct Place {
  Buffer<typename Op::Value> values{96};
  Buffer<std::uint64_t> words;

  explicit Place(std::size_t bytes) : words(bytes / sizeof(std::uint64_t)) {
    values.fill(Input::Random);
    words.fill(Input::Zero);
  }
  [[nodiscard]] std::uint64_t address(std::uint64_t offset = 0) const {
    return reinterpret_cast<std::uint64_t>(words.get()) + offset;
  }
};

template <typename Op, int kSteps>
double cycles_of(const Place<Op>& place, std::uint64_t offset, std::uint32_t lane_bytes, std::uint32_t lanes) {
  Buffer<std::uint64_t> cycles(kPasses);
  launch(chain<Op, kSteps>, {}, place.address(offset), lane_bytes, lanes, place.values.get(), cycles.get());
  const std::vector<std::uint64_t> read = cycles.to_host();
  return summarize({read.begin() + 1, read.end()}).median;
}

template <typename Op>
void measure_latency(Session& session, const Place<Op>& place, const Pattern& pattern, std::uint32_t lanes,
                     std::uint64_t offset) {
  const std::uint32_t step = pattern.lane_step(sizeof(typename Op::Value));
  const Sampled cycles = session.sample(
      [&] {
        return (cycles_of<Op, kMany>(place, offset, step, lanes) - cycles_of<Op, kFew>(place, offset, step, lanes)) /
               (kMany - kFew);
      },
      {.times = 7, .warm_ups = 1});
  session.record({.metric = "latency",
                  .unit = "cycles",
                  .sampled = cycles,
                  .launch = launch_facts(chain<Op, kMany>, {}),
                  .params = {{"op", Op::kOp},
                             {"space", "global"},
                             {"returns", 1},
                             {"pattern", pattern.name},
                             {"lanes", lanes},
                             {"offset", offset}},
                  .input = Input::Random});
}

template <typename Op>
void measure_patterns(Session& session) {
  const Place<Op> place(1 << 20);
  measure_latency<Op>(session, place, kPatterns[0], 1, 0);
  for (const Pattern& pattern : kPatterns) {
    if (pattern.warp_bytes != 256) {
      measure_latency<Op>(session, place, pattern, 32, 0);
    }
  }
  session.expect_sass(launch_facts(chain<Op, kMany>, {}), "ATOMG|ATOM", kMany, true);
}

// Lines 5 KiB apart fall into different slices, near and far, however addresses are hashed.
void measure_slices(Session& session) {
  const Place<atomic::AddU32> place(1 << 20);
  for (std::uint64_t line = 1; line < 16; ++line) {
    measure_latency<atomic::AddU32>(session, place, kPatterns[0], 1, line * 5 * 1024);
  }
}

template <typename Op>
double microseconds_of(const EventTimer& timer, const Place<Op>& place, const Pattern& pattern,
                       const LaunchConfig& config, int rounds) {
  return timer.microseconds([&] {
    launch(rounds_of<Op>, config, place.address(), pattern.lane_step(sizeof(typename Op::Value)), pattern.warp_bytes,
           place.values.get(), rounds);
  });
}

// Rounds that take some 200 us: rates differ by a factor of a thousand.
template <typename Op>
int rounds_for(const EventTimer& timer, const Place<Op>& place, const Pattern& pattern, const LaunchConfig& config) {
  return rounds_that_take(200, {.trial = 16, .least = 4, .most = 4096},
                          [&](int rounds) { return microseconds_of<Op>(timer, place, pattern, config, rounds); });
}

template <typename Op>
void measure_rate(Session& session, const Place<Op>& place, const Pattern& pattern, std::uint32_t ctas) {
  const EventTimer timer;
  const LaunchConfig config{.grid = ctas, .block = kBlock};
  const int rounds = session.profiling() ? 4 : rounds_for<Op>(timer, place, pattern, config);
  const double operations = 1.0 * ctas * kBlock * kRound * (rounds - rounds / 4);
  // The difference of two lengths: what the launch takes is in both.
  const Sampled rate = session.sample(
      [&] {
        const double few = microseconds_of<Op>(timer, place, pattern, config, rounds / 4);
        return operations * 1e-3 / (microseconds_of<Op>(timer, place, pattern, config, rounds) - few);
      },
      {.times = 5, .warm_ups = 1});
  session.record({.metric = "throughput",
                  .unit = "operations/ns",
                  .sampled = rate,
                  .launch = launch_facts(rounds_of<Op>, config),
                  .params = {{"op", Op::kOp},
                             {"space", "global"},
                             {"returns", static_cast<int>(Op::kReturns)},
                             {"pattern", pattern.name},
                             {"ctas", ctas},
                             {"warps", kBlock / 32}},
                  .input = Input::Random});
}

template <typename Op>
void measure_rates(Session& session) {
  const std::uint32_t most = kCtasPerSm * session.sms();
  const Place<Op> place(std::size_t{most} * kBlock * kLine);
  for (const Pattern& pattern : kPatterns) {
    for (const std::uint32_t ctas : {1u, 8u, session.sms(), most}) {
      measure_rate<Op>(session, place, pattern, ctas);
    }
  }
  session.expect_sass(launch_facts(rounds_of<Op>, {}), Op::kReturns ? "ATOMG|ATOM" : "RED|REDG", kRound);
}

void run_latency(Session& session) {
  measure_slices(session);
#define SILICON_MEASURE(Name, ...) measure_patterns<atomic::Name>(session);
  SILICON_ATOMICS(SILICON_MEASURE)
#undef SILICON_MEASURE
}

void run_atomics(Session& session) {
#define SILICON_MEASURE(Name, ...) measure_rates<atomic::Name>(session);
  SILICON_ATOMICS(SILICON_MEASURE)
#undef SILICON_MEASURE
}

void run_reductions(Session& session) {
#define SILICON_MEASURE(Name, ...) measure_rates<atomic::Name>(session);
  SILICON_REDUCTIONS(SILICON_MEASURE)
#undef SILICON_MEASURE
}

const Registered kLatency{{.name = "micro/atomic/global_latency", .priority = 90, .seconds = 1, .run = run_latency}};
const Registered kRate{{.name = "micro/atomic/global_rate", .priority = 70, .seconds = 2, .run = run_atomics}};
const Registered kRed{{.name = "micro/atomic/global_red_rate", .priority = 70, .seconds = 1, .run = run_reductions}};

}  // namespace
}  // namespace gpusim::silicon
