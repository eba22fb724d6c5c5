// SPDX-License-Identifier: MIT
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = fmaf(a, x[i], y[i]);
  }
}
