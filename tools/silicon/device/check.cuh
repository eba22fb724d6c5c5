// SPDX-License-Identifier: MIT
// Every call of the CUDA runtime goes through here: what fails throws, with the call that failed.
#pragma once

#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace gpusim::silicon {

struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t result, const char* call, const char* file, int line) {
  if (result != cudaSuccess) {
    throw CudaError(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + cudaGetErrorString(result));
  }
}

}  // namespace gpusim::silicon

/// SILICON_CHECK(cudaMalloc(&p, n)); also for the driver's errors that only a later call reports.
#define SILICON_CHECK(call) ::gpusim::silicon::check((call), #call, __FILE__, __LINE__)
