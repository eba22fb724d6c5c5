// SPDX-License-Identifier: MIT
#include "block_reduce.cuh"

/// One CTA per row.
extern "C" __global__ void softmax(int columns, const float* in, float* out) {
  const float* row = in + blockIdx.x * columns;
  float most = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += kBlockThreads) {
    most = fmaxf(most, row[i]);
  }
  most = max_over_block(most);
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += kBlockThreads) {
    sum += expf(row[i] - most);
  }
  sum = sum_over_block(sum);
  for (int i = threadIdx.x; i < columns; i += kBlockThreads) {
    out[blockIdx.x * columns + i] = expf(row[i] - most) / sum;
  }
}
