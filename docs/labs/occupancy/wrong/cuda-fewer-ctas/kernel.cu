// SPDX-License-Identifier: MIT
// Sums n elements, a part of them in each thread. A CTA keeps a table of 40 KiB in shared memory, so few CTAs fit an SM.
// Each thread has eight loads under way at once.

__global__ void sum(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  float total = 0;
#pragma unroll 1
  for (int t = 0; t < n / threads; t += 8) {
    float loaded[8];
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      loaded[u] = x[(t + u) * threads + i];
    }
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      total += loaded[u];
    }
  }
  out[i] = total;
}
