// SPDX-License-Identifier: MIT
#include "block_reduce.cuh"

/// One CTA per row: (x - mean) / sqrt(variance + epsilon) * gain + offset.
extern "C" __global__ void layer_norm(int columns, float epsilon, const float* in, const float* gain,
                                      const float* offset, float* out) {
  const float* row = in + blockIdx.x * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += kBlockThreads) {
    sum += row[i];
  }
  const float mean = sum_over_block(sum) / columns;
  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += kBlockThreads) {
    const float distance = row[i] - mean;
    squares = fmaf(distance, distance, squares);
  }
  const float scale = rsqrtf(sum_over_block(squares) / columns + epsilon);
  for (int i = threadIdx.x; i < columns; i += kBlockThreads) {
    out[blockIdx.x * columns + i] = fmaf((row[i] - mean) * scale, gain[i], offset[i]);
  }
}

extern "C" __global__ void rms_norm(int columns, float epsilon, const float* in, const float* gain, float* out) {
  const float* row = in + blockIdx.x * columns;
  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += kBlockThreads) {
    squares = fmaf(row[i], row[i], squares);
  }
  const float scale = 1 / sqrtf(sum_over_block(squares) / columns + epsilon);
  for (int i = threadIdx.x; i < columns; i += kBlockThreads) {
    out[blockIdx.x * columns + i] = row[i] * scale * gain[i];
  }
}
