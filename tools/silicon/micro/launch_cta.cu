// SPDX-License-Identifier: MIT
// How CTAs get onto SMs. Every CTA notes where it ran and when it began and ended; from that come the turnaround
// (cycles from the end of a CTA to the beginning of the next one in its place), how far apart the CTAs of the first
// wave begin, how long after the end of the kernel before the first CTA begins, and the rate at which empty CTAs go
// through. The model guesses the turnaround and the rate today.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"
#include "tools/silicon/host/residency.h"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kWaves = 6;
constexpr std::uint64_t kDuration = 4000;  // cycles of a CTA: long beside its launch, short beside the clock's drift

__global__ void note_time(std::uint64_t* nanoseconds) {
  *nanoseconds = global_nanoseconds();
}

// All threads stay until the time is up, so that the CTA ends as one; after its end is noted nothing is left to do but
// to store it.
__global__ void live(Life* lives) {
  const std::uint64_t begin = sm_cycles();
  const std::uint64_t nanoseconds = global_nanoseconds();
  Life* const mine = lives + blockIdx.x;
  if (threadIdx.x == 0) {
    mine->begin = begin;
    mine->nanoseconds = nanoseconds;
    mine->sm = sm_id();
  }
  while (sm_cycles() - begin < kDuration) {
  }
  __syncthreads();
  const std::uint64_t end = sm_cycles();
  if (threadIdx.x == 0) {
    mine->end = end;
  }
}

struct Timeline {
  std::uint64_t before = 0;  ///< nanoseconds at the end of the kernel before
  std::vector<Life> lives;
};

Timeline timeline_of(const LaunchConfig& config) {
  Buffer<std::uint64_t> before(1);
  Buffer<Life> lives(config.grid.x);
  launch(note_time, {.block = 1}, before.get());
  launch(live, config, lives.get());
  return {before.to_host()[0], lives.to_host()};
}

// As much shared memory for each that `ctas` of them fit on an SM and no more. The driver keeps 1 KiB of each.
std::uint32_t smem_for(const cudaDeviceProp& device, std::uint32_t ctas) {
  constexpr std::uint32_t kReserved = 1024;
  const auto all = static_cast<std::uint32_t>(device.sharedMemPerMultiprocessor);
  const std::uint32_t each = (all / ctas - kReserved) / kReserved * kReserved;
  return std::min(each, static_cast<std::uint32_t>(device.sharedMemPerBlockOptin));
}

// `ctas_per_sm` 0: as many as fit, without shared memory, which the SM would be set up for first.
LaunchConfig config_of(Session& session, std::uint32_t threads, std::uint32_t& ctas_per_sm) {
  LaunchConfig config{.block = threads};
  if (ctas_per_sm != 0) {
    config.dynamic_smem = smem_for(session.device(), ctas_per_sm);
    SILICON_CHECK(
        cudaFuncSetAttribute(live, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
  } else {
    SILICON_CHECK(
        cudaFuncSetAttribute(live, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutDefault));
    int most = 0;
    SILICON_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, live, static_cast<int>(threads), 0));
    ctas_per_sm = static_cast<std::uint32_t>(most);
  }
  config.grid = kWaves * ctas_per_sm * session.sms();
  return config;
}

void measure_waves(Session& session, std::uint32_t threads, std::uint32_t ctas_per_sm) {
  const LaunchConfig config = config_of(session, threads, ctas_per_sm);
  const std::uint32_t at_once = ctas_per_sm * session.sms();
  Result result{.launch = launch_facts(live, config),
                .params = {{"threads", threads}, {"ctas_per_sm", ctas_per_sm}, {"dynamic_smem", config.dynamic_smem}}};
  const auto record = [&](const char* metric, const char* unit, const std::function<double(const Timeline&)>& value) {
    result.metric = metric;
    result.unit = unit;
    result.sampled = session.sample([&] { return value(timeline_of(config)); });
    session.record(result);
  };
  record("turnaround", "cycles", [](const Timeline& t) { return summarize(turnarounds(t.lives)).median; });
  record("turnaround_longest", "cycles", [](const Timeline& t) { return summarize(turnarounds(t.lives)).max; });
  record("first_wave", "ns", [&](const Timeline& t) {
    const FirstWave wave = first_wave(t.lives, at_once);
    return static_cast<double>(wave.last - wave.first);
  });
  record("kernel_to_first_cta", "ns", [&](const Timeline& t) {
    return static_cast<double>(first_wave(t.lives, 1).first - t.before);  // a double holds no time of day to the ns
  });
}

// Which SM the CTAs of the first wave went to, in the order of their indices: what the CTA scheduler of the model
// should do.
void record_order(Session& session, std::uint32_t ctas_per_sm) {
  const LaunchConfig config = config_of(session, 256, ctas_per_sm);
  Result result{.metric = "sms_of_first_ctas",
                .unit = "SMs",
                .launch = launch_facts(live, config),
                .params = {{"threads", 256}, {"ctas_per_sm", ctas_per_sm}, {"ctas", session.sms()}}};
  result.sampled = session.sample(
      [&] {
        const Timeline timeline = timeline_of(config);
        std::set<std::uint64_t> different;
        result.note.clear();
        for (std::uint32_t cta = 0; cta < ctas_per_sm * session.sms(); ++cta) {
          const std::uint64_t sm = timeline.lives[cta].sm;
          result.note += std::to_string(sm);
          result.note += ' ';
          if (cta < session.sms()) {
            different.insert(sm);
          }
        }
        return static_cast<double>(different.size());
      },
      {.times = 3});
  session.record(result);
}

void run_waves(Session& session) {
  record_order(session, 1);
  record_order(session, 2);
  for (const std::uint32_t ctas_per_sm : {0u, 1u, 2u, 8u}) {
    for (const std::uint32_t threads : {32u, 256u, 1024u}) {
      if (ctas_per_sm * threads <= static_cast<std::uint32_t>(session.device().maxThreadsPerMultiProcessor)) {
        measure_waves(session, threads, ctas_per_sm);
      }
    }
  }
}

__global__ void nothing() {}

// Uses as many registers as it is allowed, so that they must be found for every CTA.
template <int kRegisters>
__global__ void __maxnreg__(kRegisters) with_registers(float* values, int rounds) {
  constexpr int kValues = kRegisters - 40;  // the rest for addresses
  float x[kValues];
  if (rounds == 0) {
    return;
  }
  for (int i = 0; i < kValues; ++i) {
    x[i] = values[i];
  }
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < kValues; ++i) {
      x[i] = fmaf(x[i], x[(i + 1) % kValues], 1.0f);
    }
  }
  for (int i = 0; i < kValues; ++i) {
    values[i] = x[i];
  }
}

// CTAs that end at once: the difference of two grids, so that the launch of the kernel is not in it.
void measure_rate(Session& session, const char* kind, LaunchConfig config, const LaunchFacts& facts,
                  const std::function<void(const LaunchConfig&)>& launch_it) {
  const std::uint32_t few = 64 * session.sms();
  const std::uint32_t many = 512 * session.sms();
  config.grid = few;
  const Sampled base = session.sample_us([&] { launch_it(config); });
  config.grid = many;
  const Sampled us = session.sample_us([&] { launch_it(config); });
  session.record({.metric = "cta_rate",
                  .unit = "CTAs/us",
                  .sampled = us.map([&](double t) { return (many - few) / (t - base.median()); }),
                  .launch = facts,
                  .params = {{"kind", kind}, {"threads", config.block.x}, {"dynamic_smem", config.dynamic_smem}}});
}

void run_rate(Session& session) {
  Buffer<float> values(256);
  values.fill(Input::Random);
  for (const std::uint32_t threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    LaunchConfig config{.block = threads};
    const auto plain = [](const LaunchConfig& c) { launch(nothing, c); };
    measure_rate(session, "empty", config, launch_facts(nothing, config), plain);
    config.dynamic_smem = 48 * 1024;
    measure_rate(session, "smem", config, launch_facts(nothing, config), plain);
  }
  const LaunchConfig config{.block = 256};
  measure_rate(session, "registers", config, launch_facts(with_registers<128>, config),
               [&](const LaunchConfig& c) { launch(with_registers<128>, c, values.get(), 0); });
}

const Registered kCtas{{.name = "micro/launch/cta_waves", .priority = 90, .seconds = 0.8, .run = run_waves}};
const Registered kRate{{.name = "micro/launch/cta_rate", .priority = 90, .seconds = 0.4, .run = run_rate}};

}  // namespace
}  // namespace gpusim::silicon
