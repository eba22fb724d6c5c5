// SPDX-License-Identifier: MIT
// Launching a kernel, and saying how it was launched.
#pragma once

#include <cstdint>
#include <utility>

#include "tools/silicon/device/check.cuh"
#include "tools/silicon/host/measurement.h"

namespace gpusim::silicon {

struct LaunchConfig {
  dim3 grid{1, 1, 1};
  dim3 block{32, 1, 1};
  std::uint32_t dynamic_smem = 0;
  std::uint32_t cluster = 1;  ///< CTAs along x
  cudaStream_t stream = nullptr;
};

/// Asks for what needs asking: more than 48 KiB of dynamic shared memory, clusters of more than eight CTAs. launch()
/// does so itself; graphs and other ways to launch call it first.
inline void permit(const void* kernel, const LaunchConfig& config) {
  constexpr std::uint32_t kFreeSmem = 48 * 1024;
  constexpr std::uint32_t kPortableCluster = 8;
  if (config.dynamic_smem > kFreeSmem) {
    SILICON_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(config.dynamic_smem)));
  }
  if (config.cluster > kPortableCluster) {
    SILICON_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  }
}

/// launch(kernel, {.grid = 132, .block = 256}, x.get(), n). Does not wait.
template <typename... Expected, typename... Given>
void launch(void (*kernel)(Expected...), const LaunchConfig& config, Given&&... arguments) {
  permit(reinterpret_cast<const void*>(kernel), config);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {config.cluster, 1, 1};
  cudaLaunchConfig_t call{};
  call.gridDim = config.grid;
  call.blockDim = config.block;
  call.dynamicSmemBytes = config.dynamic_smem;
  call.stream = config.stream;
  call.attrs = &cluster;
  call.numAttrs = config.cluster > 1 ? 1 : 0;
  SILICON_CHECK(cudaLaunchKernelEx(&call, kernel, std::forward<Given>(arguments)...));
}

/// Threads that a CTA of this kernel may have: fewer than 1024 when each needs more than 64 registers.
template <typename... Expected>
[[nodiscard]] std::uint32_t most_threads(void (*kernel)(Expected...)) {
  cudaFuncAttributes attributes{};
  SILICON_CHECK(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
  return static_cast<std::uint32_t>(attributes.maxThreadsPerBlock);
}

/// Symbol, registers and shared memory of a kernel, beside how it is launched.
[[nodiscard]] LaunchFacts launch_facts(const void* kernel, const LaunchConfig& config);

template <typename... Expected>
[[nodiscard]] LaunchFacts launch_facts(void (*kernel)(Expected...), const LaunchConfig& config) {
  return launch_facts(reinterpret_cast<const void*>(kernel), config);
}

}  // namespace gpusim::silicon
