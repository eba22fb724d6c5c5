// SPDX-License-Identifier: MIT
// Each thread sums `rounds` doubles. In a turn of the loop it asks for eight, and adds them when all are on their way.

__global__ void sums(const double* x, double* sum, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  double total = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; r += 8) {
    double loaded[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      loaded[k] = x[(r + k) * threads + thread];
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      total += loaded[k];
    }
  }
  sum[thread] = total;
}
