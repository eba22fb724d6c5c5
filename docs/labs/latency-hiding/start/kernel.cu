// SPDX-License-Identifier: MIT
// Each thread sums `rounds` doubles. In a round it loads one and adds it to the sum: the next load is asked for when the one
// before has come and was added. The pragma keeps the compiler from changing that.
//
// Your task: have several loads of a warp on their way at a time, with as few warps as there are.

__global__ void sums(const double* x, double* sum, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  double total = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    total += x[r * threads + thread];
  }
  sum[thread] = total;
}
