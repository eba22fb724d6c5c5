// SPDX-License-Identifier: MIT
// A kernel of the suite "kernels/" whose numbers were found right: timed warm and cold, as time, GB/s and TFLOP/s.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {

/// What the algorithm needs at least: every input read once, every output written once.
struct Work {
  double bytes = 0;
  double flops = 0;
};

struct Workload {
  std::function<void()> run;  ///< launches it once
  LaunchFacts launch;
  Params params;
  Work work;
  TraceOf trace{};
  std::string note{};
};

/// Records "time", and "bandwidth" and "throughput" where there are bytes and FLOPs, warm and cold. Kernels below
/// 20 us are timed in batches when warm; the gap between two launches on one stream is then in their time, and the
/// note says so. Under a profiler, which sets up the caches itself, only once.
void time_workload(Session& session, const Workload& workload);

/// All sizes, smallest first; under a profiler, which takes long for each, the largest.
template <typename T>
[[nodiscard]] std::vector<T> sizes_for(const Session& session, const std::vector<T>& sizes) {
  return session.profiling() ? std::vector<T>{sizes.back()} : sizes;
}

/// `rows` times `width` elements of a buffer, `pitch` elements apart.
struct Rectangle {
  std::size_t first = 0;
  std::size_t pitch = 0;
  std::size_t width = 0;
  std::size_t rows = 0;

  [[nodiscard]] std::size_t elements() const { return width * rows; }
  /// Where element `i` of what was copied stands in the buffer.
  [[nodiscard]] std::size_t index(std::size_t i) const { return first + i / width * pitch + i % width; }
};

/// What is compared with the reference of a buffer made of rows of `width`: everything up to 4 Mi elements, beyond that
/// evenly spread rows with the last among them, one at least.
[[nodiscard]] inline Rectangle sampled_rows(std::size_t size, std::size_t width) {
  constexpr std::size_t kMostElements = std::size_t{1} << 22;
  const std::size_t rows = size / width;
  const std::size_t every = std::clamp<std::size_t>(size / kMostElements, 1, rows);
  return {(every - 1) * width, every * width, width, rows / every};
}

/// Waits for everything launched so far.
template <typename T>
[[nodiscard]] std::vector<T> to_host(const Buffer<T>& buffer, const Rectangle& part) {
  std::vector<T> values(part.elements());
  const std::size_t row_bytes = part.width * sizeof(T);
  SILICON_CHECK(cudaMemcpy2D(values.data(), row_bytes, buffer.get() + part.first, part.pitch * sizeof(T), row_bytes,
                             part.rows, cudaMemcpyDeviceToHost));
  return values;
}

}  // namespace gpusim::silicon
