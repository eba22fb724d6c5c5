// SPDX-License-Identifier: MIT
/// y = A x, A as compressed rows, one warp per row.
extern "C" __global__ void spmv_csr(int rows, const int* begins, const int* columns, const float* values,
                                    const float* x, float* y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) {
    return;
  }
  float sum = 0;
  for (int i = begins[row] + lane; i < begins[row + 1]; i += 32) {
    sum = fmaf(values[i], x[columns[i]], sum);
  }
  for (int width = 16; width > 0; width /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, width);
  }
  if (lane == 0) {
    y[row] = sum;
  }
}
