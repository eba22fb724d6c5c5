// SPDX-License-Identifier: MIT
// Each thread sums `rounds` doubles, eight a turn of the loop.

__global__ void sums(const double* x, double* sum, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  sum[thread] = 0;
#pragma unroll 8
  for (int r = 0; r < rounds; ++r) {
    sum[thread] += x[r * threads + thread];
  }
}
