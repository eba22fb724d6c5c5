// SPDX-License-Identifier: MIT
// Each thread sums `count` floats: it loads one, adds it, loads the next. The pragma keeps the compiler from changing that.
//
// Your task: the same loads and the same sums, with less waiting.

__global__ void sum(const float* x, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  float total = 0;
#pragma unroll 1
  for (int k = 0; k < count; ++k) {
    total += x[k * threads + i];
  }
  out[i] = total;
}
