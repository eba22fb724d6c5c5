// SPDX-License-Identifier: MIT
// Each sum is that of four threads, a quarter of its doubles each: four times as many warps.

__global__ void sums(const double* x, double* sum, int rounds) {
  const int thread = (blockIdx.x * blockDim.x + threadIdx.x) / 4;
  const int quarter = threadIdx.x % 4;
  const int threads = gridDim.x * blockDim.x / 4;
  double total = 0;
#pragma unroll 1
  for (int r = quarter; r < rounds; r += 4) {
    total += x[r * threads + thread];
  }
  total += __shfl_xor_sync(0xffffffff, total, 1);
  total += __shfl_xor_sync(0xffffffff, total, 2);
  if (quarter == 0) {
    sum[thread] = total;
  }
}
