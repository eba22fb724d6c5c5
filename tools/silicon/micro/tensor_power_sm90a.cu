// SPDX-License-Identifier: MIT
// What the whole GPU makes of its tensor cores when they never wait: rate and SM clock after a second under load, with
// random operands and with zeros. Power decides, so the clock is the kernel's own. Every SM multiplies tiles of its
// shared memory, as much of it as a matrix product would use, and begins its sums anew as often as one with K = 4096.
#include <type_traits>
#include <vector>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"
#include "tools/silicon/device/wgmma.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kThreads = 256;  // two warpgroups
constexpr std::uint32_t kRowBytes = 128;
constexpr std::uint32_t kTileOfA = 64 * kRowBytes;
constexpr std::uint32_t kTileOfB = 256 * kRowBytes;
constexpr std::uint32_t kStages = 4;  // tiles of k, each four steps deep
constexpr std::uint32_t kStageBytes = 2 * kTileOfA + kTileOfB;
constexpr std::uint32_t kSharedBytes = kStages * kStageBytes + 1024;
constexpr int kStagesASum = 64;
constexpr int kHeatMs = 1000;

// Each pass: the four stages, 16 wgmma a warpgroup.
template <typename Type>
__global__ void __launch_bounds__(kThreads, 1)
    load_tensor_cores(const uint4* data, int passes, float* out, Stamp* stamps) {
  extern __shared__ char raw[];
  char* aligned = raw + (1024 - shared_address(raw) % 1024) % 1024;
  for (std::uint32_t i = threadIdx.x; i < kStages * kStageBytes / 16; i += kThreads) {
    reinterpret_cast<uint4*>(aligned)[i] = data[i];  // random in any order is random
  }
  fence_async_shared();
  __syncthreads();
  const std::uint64_t a = k_major(shared_address(aligned) + threadIdx.x / 128 * kTileOfA);
  const std::uint64_t b = k_major(shared_address(aligned) + 2 * kTileOfA);
  float d[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) {
    d[i] = 0;
  }
  const Stamp begin = stamp();
  wgmma_settled(d);
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    wgmma_fence();
#pragma unroll
    for (std::uint32_t i = 0; i < 4 * kStages; ++i) {
      const std::uint32_t offset = i / 4 * kStageBytes + i % 4 * 32;
      wgmma<Type>(d, advance(a, offset), advance(b, offset), i > 0 || pass % (kStagesASum / kStages) != 0);
    }
    wgmma_commit();
    wgmma_wait<0>();
    wgmma_settled(d);
  }
  const Stamp end = stamp();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 128; ++i) {
    sum += d[i];
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
  if (threadIdx.x == 0) {
    stamps[2 * blockIdx.x] = begin;
    stamps[2 * blockIdx.x + 1] = end;
  }
}

template <typename Type>
using Stored = std::conditional_t<std::is_same_v<typename Type::Element, Tf32>, float, typename Type::Element>;

template <typename Type>
struct Load {
  static constexpr int kPasses = 4096;  // 65536 wgmma of 128 cycles by each of two warpgroups: 9 ms at 1.8 GHz
  std::uint32_t sms;
  Buffer<Stored<Type>> data{kStages * kStageBytes / sizeof(Stored<Type>)};
  Buffer<float> out{sms * kThreads};
  Buffer<Stamp> stamps{2 * sms};
  LaunchConfig config{.grid = sms, .block = kThreads, .dynamic_smem = kSharedBytes};

  void run() const {
    launch(load_tensor_cores<Type>, config, reinterpret_cast<const uint4*>(data.get()), kPasses, out.get(),
           stamps.get());
  }
  [[nodiscard]] double flops() const { return 2.0 * 128 * 256 * Type::kK * 4 * kStages * kPasses * sms; }
};

// The median over all SMs of what each one's clock did during the last run.
double clock_of(const std::vector<Stamp>& stamps) {
  std::vector<double> clocks;
  for (std::size_t i = 0; i < stamps.size(); i += 2) {
    clocks.push_back(mhz_between(stamps[i], stamps[i + 1]));
  }
  return summarize(std::move(clocks)).median;
}

template <typename Type>
void heat(const Load<Type>& load) {
  constexpr int kMsARun = 9;
  for (int i = 0; i < kHeatMs / kMsARun; ++i) {
    load.run();
  }
}

template <typename Type>
void measure(Session& session, Input input) {
  Load<Type> load{session.sms()};
  load.data.fill(input);
  if (!session.profiling()) {
    heat(load);
  }
  Sampled us = session.sample_us([&] { load.run(); }, {.times = 3, .warm_ups = 0, .batch = 16});
  us.clock = {clock_of(load.stamps.to_host()), 0};
  Result result{.metric = "throughput",
                .unit = "TFLOP/s",
                .sampled = us.map([&](double t) { return load.flops() / t * 1e-6; }),
                .launch = launch_facts(load_tensor_cores<Type>, load.config),
                .params = {{"ptx", Type::kDense}, {"n", 256}, {"heated_ms", kHeatMs}},
                .input = input};
  session.record(result);
  result.metric = "clock";
  result.unit = "MHz";
  result.sampled.values = {us.clock.mhz};
  session.record(result);
}

void run(Session& session) {
  for (const Input input : {Input::Random, Input::Zero}) {
    measure<WgmmaBf16>(session, input);
    measure<WgmmaE4m3>(session, input);
  }
}

const Registered kPower{
    {.name = "micro/tensor/power", .priority = 70, .seconds = 6, .needs = {Feature::Sm90a}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
