// SPDX-License-Identifier: MIT
// What the threads of a CTA of 128 have together: all of them get the result.
#pragma once

constexpr int kBlockThreads = 128;

template <typename Join>
__device__ float over_block(float value, float none, Join join) {
  __shared__ float of_warp[kBlockThreads / 32];
  for (int other = 16; other > 0; other /= 2) {
    value = join(value, __shfl_xor_sync(0xffffffff, value, other));
  }
  __syncthreads();  // the last call's values have been read
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = value;
  }
  __syncthreads();
  value = none;
  for (int i = 0; i < kBlockThreads / 32; ++i) {
    value = join(value, of_warp[i]);
  }
  return value;
}

__device__ inline float sum_over_block(float value) {
  return over_block(value, 0, [](float a, float b) { return a + b; });
}
__device__ inline float max_over_block(float value) {
  return over_block(value, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
}
