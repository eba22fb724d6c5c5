// SPDX-License-Identifier: MIT
// Each thread sums `count` floats: it loads eight, each into a register of its own, and adds them when they are there.

__global__ void sum(const float* x, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  float total = 0;
#pragma unroll 1
  for (int k = 0; k < count; k += 8) {
    float loaded[8];
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      loaded[u] = x[(k + u) * threads + i];
    }
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      total += loaded[u];
    }
  }
  out[i] = total;
}
