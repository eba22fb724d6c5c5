// SPDX-License-Identifier: MIT
// How kernels on the tensor cores are measured: random data and zeros, hot, with the clock that power left them.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include <cuda_bf16.h>

#include "tools/silicon/device/session.cuh"
#include "tools/silicon/kernels/busy_clock.cuh"
#include "tools/silicon/kernels/portable.h"

namespace gpusim::silicon {

struct TensorKernel {
  std::function<void(Stamp* totals)> run;
  double flops = 0;  ///< of the algorithm, a multiplication and an addition as two
  LaunchFacts launch{};
  Params params{};  ///< the problem's size
  TraceOf trace{};
};

inline std::vector<float> widened(std::span<const __nv_bfloat16> values) {
  std::vector<float> wide(values.size());
  std::transform(values.begin(), values.end(), wide.begin(), [](__nv_bfloat16 x) { return static_cast<float>(x); });
  return wide;
}

inline Bf16Bits* bits(const Buffer<__nv_bfloat16>& buffer) {
  return reinterpret_cast<Bf16Bits*>(buffer.get());
}

/// Microseconds of a launch, and TFLOP/s. Launches follow each other for some 2 ms a sample, 40 ms in all, so that
/// power settles; `input` is what the caller filled.
inline void measure_tensor_kernel(Session& session, const TensorKernel& kernel, Input input) {
  constexpr double kSampleUs = 5000;
  constexpr double kFlopsPerUs = 400e6;  // about; decides only how many launches make a sample
  constexpr double kMostLaunches = 100;
  const double launches = std::clamp(kSampleUs * kFlopsPerUs / kernel.flops, 1.0, kMostLaunches);
  if (session.profiling() && input == Input::Zero) {
    return;  // a profile would say the same once more
  }
  BusyClock clock;
  clock.reset();
  Sampled us = session.sample_us([&] { kernel.run(clock.get()); },
                                 {.times = 11, .warm_ups = 10, .batch = static_cast<int>(std::lround(launches))});
  us.clock = clock.read();
  Params params = kernel.params;
  params.emplace_back("flops", kernel.flops);
  Result result{.metric = "time",
                .unit = "us",
                .sampled = us,
                .launch = kernel.launch,
                .params = params,
                .input = input,
                .trace = kernel.trace,
                .note = "the clock is the mean over the CTAs while they ran, warm-up included"};
  session.record(result);
  result.metric = "throughput";
  result.unit = "TFLOP/s";
  result.sampled = us.map([&](double t) { return kernel.flops / t * 1e-6; });
  session.record(result);
}

}  // namespace gpusim::silicon
