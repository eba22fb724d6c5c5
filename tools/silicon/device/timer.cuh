// SPDX-License-Identifier: MIT
// Time between two events on the default stream.
#pragma once

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

}  // namespace gpusim::silicon
