// SPDX-License-Identifier: MIT
// Sums n elements, a part of them in each thread. A CTA keeps a table of 40 KiB in shared memory, so few CTAs fit an SM.
// The pragma keeps the compiler from changing the loop.
//
// Your task: make it faster, with the same table and thus the same occupancy.

__global__ void sum(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  float total = 0;
#pragma unroll 1
  for (int t = 0; t < n / threads; ++t) {
    total += x[t * threads + i];
  }
  out[i] = total;
}
