// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <cuda_profiler_api.h>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"
#include "tools/silicon/device/timer.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint64_t kReadingNs = 100'000;
constexpr std::uint64_t kHeatNs = 20'000'000;
constexpr int kMostHeats = 50;
constexpr std::uint64_t kQueueNs = 50'000;           // what queueing two events takes the host, generously
constexpr std::uint64_t kQueueNsPerLaunch = 10'000;  // and each launch between them
constexpr double kSteady = 0.003;                    // two readings this close: the clock has settled

// From one tick of the timer to another, so that its coarseness does not matter.
__global__ void read_clocks(Stamp* stamps, std::uint64_t duration_ns) {
  const std::uint64_t before = global_nanoseconds();
  Stamp begin = stamp();
  while (begin.nanoseconds == before) {
    begin = stamp();
  }
  Stamp end = begin;
  std::uint64_t tick = begin.nanoseconds;
  while (end.nanoseconds == tick || end.nanoseconds - begin.nanoseconds < duration_ns) {
    tick = end.nanoseconds;
    end = stamp();
  }
  stamps[0] = begin;
  stamps[1] = end;
}

__global__ void heat(float* sink, std::uint64_t duration_ns) {
  float x = static_cast<float>(threadIdx.x);
  const std::uint64_t begin = global_nanoseconds();
  while (global_nanoseconds() - begin < duration_ns) {
    for (int i = 0; i < 256; ++i) {
      x = fmaf(x, 0.999f, 0.5f);
    }
  }
  if (x < 0) {  // never, which the compiler cannot know
    *sink = x;
  }
}

__global__ void wait(std::uint64_t duration_ns) {
  const std::uint64_t begin = global_nanoseconds();
  while (global_nanoseconds() - begin < duration_ns) {
  }
}

__global__ void overwrite(std::uint32_t* data, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] += 1;
  }
}

// `data` is all zero, so nothing is ever written to `sink`, which the compiler cannot know.
__global__ void sweep(const std::uint32_t* data, std::size_t count, std::uint32_t* sink) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  std::uint32_t seen = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    seen |= data[i];
  }
  if (seen != 0) {
    *sink = seen;
  }
}

Clock clock_of(double before, double after) {
  return {(before + after) / 2, std::abs(after - before)};
}

}  // namespace

Sampled Sampled::map(const std::function<double(double)>& convert) const {
  Sampled converted = *this;
  std::transform(values.begin(), values.end(), converted.values.begin(), convert);
  return converted;
}

Session::Session(std::string experiment, Sink sink, bool profiling)
    : experiment_(std::move(experiment)), sink_(std::move(sink)), profiling_(profiling) {
  SILICON_CHECK(cudaGetDeviceProperties(&properties_, 0));
  if (!profiling_) {
    sink_(to_json(experiment_, device_facts().value()));
    heat_up();
  }
}

void Session::heat_up() {
  Buffer<float> sink(1);
  double last = 0;
  for (int i = 0; i < kMostHeats; ++i) {
    launch(heat, {.grid = 2 * sms(), .block = 512}, sink.get(), kHeatNs);
    const double mhz = read_mhz();
    if (std::abs(mhz - last) < kSteady * mhz) {
      return;
    }
    last = mhz;
  }
}

double Session::read_mhz() {
  Buffer<Stamp> stamps(2);
  launch(read_clocks, {.block = 1}, stamps.get(), kReadingNs);
  const std::vector<Stamp> read = stamps.to_host();
  return mhz_between(read[0], read[1]);
}

void Session::flush_l2() {
  constexpr int kTimes = 3;  // an L2 with hashing and two partitions keeps some lines of a buffer of its own size
  if (!dirty_area_) {
    const std::size_t words = kTimes * static_cast<std::size_t>(properties_.l2CacheSize) / sizeof(std::uint32_t);
    dirty_area_.emplace(words);
    clean_area_.emplace(words).fill(Input::Zero);
  }
  const LaunchConfig config{.grid = 4 * sms(), .block = 512};
  launch(overwrite, config, dirty_area_->get(), dirty_area_->size());
  // Overwriting alone would leave an L2 full of lines that differ from DRAM. Whoever is measured next would evict them,
  // and their write-back would compete with its own traffic: up to the size of the L2 in bytes that it never asked for.
  // Reading drives them out; the lines of the other area cost nothing to evict.
  launch(sweep, config, clean_area_->get(), clean_area_->size(), dirty_area_->get());
}

void Session::occupy(std::uint64_t nanoseconds) {
  if (!profiling_) {
    launch(wait, {.block = 1}, nanoseconds);
  }
}

Sampled Session::profile_once(const std::function<double()>& once, Cache cache) {
  if (cache == Cache::Cold) {
    flush_l2();
  }
  SILICON_CHECK(cudaDeviceSynchronize());
  SILICON_CHECK(cudaProfilerStart());
  const double value = once();
  SILICON_CHECK(cudaDeviceSynchronize());
  SILICON_CHECK(cudaProfilerStop());
  return {{value}, {}};
}

Sampled Session::sample(const std::function<double()>& once, const Repeat& repeat) {
  if (profiling_) {
    return profile_once(once, repeat.cache);
  }
  for (int i = 0; i < repeat.warm_ups; ++i) {
    once();
  }
  Sampled sampled;
  const double before = read_mhz();
  for (int i = 0; i < repeat.times; ++i) {
    if (repeat.cache == Cache::Cold) {
      flush_l2();
    }
    sampled.values.push_back(once());
  }
  sampled.clock = clock_of(before, read_mhz());
  return sampled;
}

Sampled Session::sample_us(const std::function<void()>& launch_once, const Repeat& repeat) {
  const EventTimer timer;
  const int batch = profiling_ ? 1 : repeat.batch;
  return sample(
      [&] {
        occupy(kQueueNs + kQueueNsPerLaunch * batch);
        return timer.microseconds([&] {
          for (int i = 0; i < batch; ++i) {
            launch_once();
          }
        }) / batch;
      },
      repeat);
}

void Session::record(const Result& result) {
  if (!profiling_) {
    sink_(to_json(experiment_,
                  Measurement{result.metric, result.unit, summarize(result.sampled.values), result.sampled.clock,
                              result.launch, result.params, result.input, result.cache, result.trace, result.note}));
  }
}

bool Session::verify(std::string_view what, const Comparison& comparison, const Params& params) {
  if (!comparison.ok) {
    any_wrong_ = true;
    sink_(to_json(experiment_, WrongNumbers{std::string(what), params, comparison}));
  }
  return comparison.ok;
}

void Session::expect_sass(const LaunchFacts& kernel, std::string_view mnemonic, std::uint32_t at_least,
                          bool between_clocks) {
  if (!profiling_) {
    sink_(to_json(experiment_, SassExpectation{kernel.kernel, std::string(mnemonic), at_least, between_clocks}));
  }
}

LaunchFacts launch_facts(const void* kernel, const LaunchConfig& config) {
  cudaFuncAttributes attributes{};
  SILICON_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  const char* symbol = nullptr;
  SILICON_CHECK(cudaFuncGetName(&symbol, kernel));
  LaunchFacts facts;
  facts.kernel = symbol;
  facts.grid = {config.grid.x, config.grid.y, config.grid.z};
  facts.block = {config.block.x, config.block.y, config.block.z};
  facts.cluster = config.cluster;
  facts.dynamic_smem = config.dynamic_smem;
  facts.static_smem = static_cast<std::uint32_t>(attributes.sharedSizeBytes);
  facts.registers = static_cast<std::uint32_t>(attributes.numRegs);
  facts.local_bytes = static_cast<std::uint32_t>(attributes.localSizeBytes);
  return facts;
}

std::optional<DeviceFacts> device_facts() {
  int devices = 0;
  // Without a driver this is an error, without a device another; both mean that there is nothing to measure.
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    return std::nullopt;
  }
  cudaDeviceProp properties{};
  SILICON_CHECK(cudaGetDeviceProperties(&properties, 0));
  DeviceFacts facts;
  facts.gpu = properties.name;
  facts.compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  facts.sms = static_cast<std::uint32_t>(properties.multiProcessorCount);
  facts.l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  SILICON_CHECK(cudaDriverGetVersion(&facts.driver));
  SILICON_CHECK(cudaRuntimeGetVersion(&facts.runtime));
  return facts;
}

std::optional<ComputeCapability> device_capability() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    return std::nullopt;
  }
  ComputeCapability capability;
  SILICON_CHECK(cudaDeviceGetAttribute(&capability.major, cudaDevAttrComputeCapabilityMajor, 0));
  SILICON_CHECK(cudaDeviceGetAttribute(&capability.minor, cudaDevAttrComputeCapabilityMinor, 0));
  return capability;
}

bool has_code_for_device() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, read_clocks) == cudaSuccess;
}

}  // namespace gpusim::silicon
