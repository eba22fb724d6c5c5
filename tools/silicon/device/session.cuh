// SPDX-License-Identifier: MIT
// What an experiment works with: the device, repeated timing with the SM clock beside it, and where results go.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/silicon/device/buffer.cuh"
#include "tools/silicon/device/launch.cuh"
#include "tools/silicon/host/measurement.h"
#include "tools/silicon/host/registry.h"

namespace gpusim::silicon {

/// The values of repeated runs and the SM clock around them.
struct Sampled {
  std::vector<double> values;
  Clock clock;

  /// Each run's value in another unit: `us.map([&](double t) { return bytes / t * 1e-3; })` is GB/s.
  [[nodiscard]] Sampled map(const std::function<double(double)>& convert) const;
  [[nodiscard]] double median() const { return summarize(values).median; }
};

struct Repeat {
  int times = 11;
  int warm_ups = 2;
  int batch = 1;  ///< launches between two events, for sample_us() of kernels shorter than some 20 us
  Cache cache = Cache::Warm;
};

/// One result, on its way to record().
struct Result {
  std::string metric;
  std::string unit;
  Sampled sampled;
  LaunchFacts launch;
  Params params;
  Input input = Input::None;
  Cache cache = Cache::Warm;
  TraceOf trace;
  std::string note;
};

class Session {
 public:
  using Sink = std::function<void(std::string_view line)>;

  /// `profiling`: a profiler watches; every sample is one bare run, between cudaProfilerStart and Stop, and nothing is
  /// recorded.
  Session(std::string experiment, Sink sink, bool profiling);

  [[nodiscard]] const cudaDeviceProp& device() const { return properties_; }
  [[nodiscard]] std::uint32_t sms() const { return static_cast<std::uint32_t>(properties_.multiProcessorCount); }
  [[nodiscard]] bool profiling() const { return profiling_; }

  /// Calls `once` again and again; it returns what it measured. Cold: the L2 is flushed before every call.
  [[nodiscard]] Sampled sample(const std::function<double()>& once, const Repeat& repeat = {});
  /// Microseconds of one launch, between events on the default stream. Everything is queued before the GPU gets to it,
  /// so the host's time to launch is not in it; what the GPU needs between an event and a kernel is (about 1 us, which
  /// a batch divides).
  [[nodiscard]] Sampled sample_us(const std::function<void()>& launch, const Repeat& repeat = {});

  void record(const Result& result);
  /// False, and "wrong" on record with the difference, when the numbers are off: do not time that kernel then.
  [[nodiscard]] bool verify(std::string_view what, const Comparison& comparison, const Params& params);
  /// A figure of `kernel` counts only if its SASS has this; tools/silicon/run looks it up in the listing.
  void expect_sass(const LaunchFacts& kernel, std::string_view mnemonic, std::uint32_t at_least = 1,
                   bool between_clocks = false);

  /// Leaves nothing in the L2 of what was there before, and nothing that would have to be written back.
  void flush_l2();
  /// The SM clock at this moment, over 100 us.
  [[nodiscard]] double read_mhz();
  [[nodiscard]] bool any_wrong() const { return any_wrong_; }

 private:
  void heat_up();
  void occupy(std::uint64_t nanoseconds);
  Sampled profile_once(const std::function<double()>& once, Cache cache);

  std::string experiment_;
  Sink sink_;
  bool profiling_;
  bool any_wrong_ = false;
  cudaDeviceProp properties_{};
  std::optional<Buffer<std::uint32_t>> dirty_area_;  // flush_l2() writes it
  std::optional<Buffer<std::uint32_t>> clean_area_;  // and then reads this one, which nobody ever writes again
};

/// Facts of device 0; nothing when there is no CUDA device. Throws CudaError when there is one that does not answer.
[[nodiscard]] std::optional<DeviceFacts> device_facts();
[[nodiscard]] std::optional<ComputeCapability> device_capability();
/// Whether the program holds machine code for device 0.
[[nodiscard]] bool has_code_for_device();

}  // namespace gpusim::silicon
