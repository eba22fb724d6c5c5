// SPDX-License-Identifier: MIT
// Time between two events on the default stream, and on the host's clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

#include "tools/silicon/device/check.cuh"

namespace gpusim::silicon {

class EventTimer {
 public:
  EventTimer() {
    SILICON_CHECK(cudaEventCreate(&begin_));
    SILICON_CHECK(cudaEventCreate(&end_));
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;
  ~EventTimer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  /// What `work` puts on the stream, from the first of it to the last.
  [[nodiscard]] double microseconds(const std::function<void()>& work) const {
    SILICON_CHECK(cudaEventRecord(begin_));
    work();
    SILICON_CHECK(cudaEventRecord(end_));
    SILICON_CHECK(cudaEventSynchronize(end_));
    float milliseconds = 0;
    SILICON_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return 1e3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

/// Microseconds until `work` returns.
[[nodiscard]] inline double host_microseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

struct Rounds {
  int trial;  ///< that are timed first
  int least;
  int most;
};

/// Rounds that take some `wanted` microseconds; `run(rounds)` returns the microseconds of so many.
template <typename Run>
[[nodiscard]] int rounds_that_take(double wanted, const Rounds& rounds, const Run& run) {
  (void)run(1);
  const double us = run(rounds.trial);
  return static_cast<int>(std::clamp(rounds.trial * wanted / us, 1.0 * rounds.least, 1.0 * rounds.most));
}

}  // namespace gpusim::silicon
