// SPDX-License-Identifier: MIT
__constant__ float coefficients[8] = {0.5f, -1.25f, 2, 0.125f, -0.0625f, 3, -2.5f, 1};
__constant__ int table[32] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                              2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};

/// A polynomial with coefficients in constant memory, the same and different places for the lanes of a warp; large
/// parameters.
struct Shift {
  int by[20];
};

extern "C" __global__ void constant_memory(const float* in, Shift shift, float* values, int* places) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 0;
#pragma unroll 1
  for (int j = 0; j < 8; ++j) {
    value = fmaf(value, in[i], coefficients[j]);
  }
  values[i] = value;
  places[i] = table[i * 7 % 32] + shift.by[i % 20];
}
