// SPDX-License-Identifier: MIT
// out[i] = 2 * x[i] + 1 for n elements, as a CPU would do it: one thread, one element after the other.
//
// Your task: one element per thread, in many CTAs. kernel.yaml has the grid.

__global__ void affine(const float* x, float* out, int n) {
  for (int i = 0; i < n; ++i) {
    out[i] = 2 * x[i] + 1;
  }
}
