// SPDX-License-Identifier: MIT
// The SM clock from the first moment of a load on: after a second of rest, two seconds of multiply-adds on every SM, on
// random data and on zeros. What the clock of a measurement of an ALU kernel may be taken to be.
#include <chrono>
#include <cstdint>
#include <thread>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kChains = 8;
constexpr int kUnroll = 512;
constexpr std::uint64_t kSliceNs = 10'000'000;
constexpr int kSlices = 200;
constexpr int kSlicesEach = 10;  // that one figure is the median of

// x' = r - x * x wanders about without end for r = 1.9, so that operands stay random; from 0, and r = 0, nothing
// changes. Only the first CTA's first thread keeps the time; the others work on until it is up, by the clock that all
// share.
__global__ void work(const float* inputs, float* outputs, float r, std::uint64_t duration_ns, Stamp* stamps) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x[kChains];
  for (int k = 0; k < kChains; ++k) {
    x[k] = inputs[thread * kChains + k];
  }
  const Stamp begin = stamp();
  while (global_nanoseconds() - begin.nanoseconds < duration_ns) {
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      asm volatile("{ .reg .f32 n; neg.f32 n, %0; fma.rn.f32 %0, %0, n, %1; }" : "+f"(x[i % kChains]) : "f"(r));
    }
  }
  const Stamp end = stamp();
  float sum = 0;
  for (int k = 0; k < kChains; ++k) {
    sum += x[k];
  }
  outputs[thread] = sum;
  if (thread == 0) {
    stamps[0] = begin;
    stamps[1] = end;
  }
}

// Everything is queued before anything is read, so that the load has no gaps.
std::vector<double> clocks_of(Session& session, Input input) {
  const LaunchConfig config{.grid = 2 * session.sms(), .block = 512};
  const std::size_t threads = std::size_t{config.grid.x} * config.block.x;
  Buffer<float> inputs(threads * kChains);
  Buffer<float> outputs(threads);
  inputs.fill(input);
  SILICON_CHECK(cudaDeviceSynchronize());
  std::this_thread::sleep_for(std::chrono::seconds(1));
  Buffer<Stamp> stamps(2 * kSlices);
  const float r = input == Input::Random ? 1.9f : 0.0f;
  for (int slice = 0; slice < kSlices; ++slice) {
    launch(work, config, inputs.get(), outputs.get(), r, kSliceNs, stamps.get() + 2 * slice);
  }
  const std::vector<Stamp> read = stamps.to_host();
  std::vector<double> mhz;
  for (int slice = 0; slice < kSlices; ++slice) {
    mhz.push_back(mhz_between(read[2 * slice], read[2 * slice + 1]));
  }
  return mhz;
}

void measure(Session& session, Input input) {
  const std::vector<double> mhz = clocks_of(session, input);
  const LaunchFacts facts = launch_facts(work, {.grid = 2 * session.sms(), .block = 512});
  for (int first = 0; first < kSlices; first += kSlicesEach) {
    Sampled sampled{{mhz.begin() + first, mhz.begin() + first + kSlicesEach}, {}};
    sampled.clock = {sampled.median(), summarize(sampled.values).spread()};
    session.record({.metric = "sm_clock",
                    .unit = "MHz",
                    .sampled = sampled,
                    .launch = facts,
                    .params = {{"load", "FFMA"}, {"milliseconds", first * 10}},
                    .input = input});
  }
}

void run(Session& session) {
  if (session.profiling()) {
    return;  // there is nothing to profile in a load
  }
  measure(session, Input::Random);
  measure(session, Input::Zero);
}

const Registered kClock{{.name = "micro/clock/alu_load", .priority = 50, .seconds = 6.5, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
