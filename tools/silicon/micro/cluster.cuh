// SPDX-License-Identifier: MIT
// What the experiments of clusters share.
#pragma once

#include <vector>

#include "tools/silicon/device/async.cuh"
#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {

/// How many clusters of this launch the GPU holds at once: 0 where it has no room for one (16 CTAs on some).
template <typename... Arguments>
std::uint32_t clusters_at_once(void (*kernel)(Arguments...), const LaunchConfig& config) {
  permit(reinterpret_cast<const void*>(kernel), config);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {config.cluster, 1, 1};
  cudaLaunchConfig_t call{};
  call.gridDim = config.cluster;
  call.blockDim = config.block;
  call.dynamicSmemBytes = config.dynamic_smem;
  call.attrs = &cluster;
  call.numAttrs = 1;
  int clusters = 0;
  SILICON_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &call));
  return static_cast<std::uint32_t>(clusters);
}

/// Sizes of clusters up to what needs permission.
constexpr std::uint32_t kClusterSizes[] = {2, 4, 8, 16};

}  // namespace gpusim::silicon
