// SPDX-License-Identifier: MIT
// out[i] = 2 * x[i] + 1 for n elements.

__global__ void affine(const float* x, float* out, int n) {
  for (int i = 0; i < n; ++i) {
    out[i] = 2 * x[i] + 1;
  }
}
