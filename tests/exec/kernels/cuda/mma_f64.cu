// SPDX-License-Identifier: MIT
/// One warp per tile of 8 x 8 of C = A B^T, steps of k = 4.
extern "C" __global__ void mma_f64(int n, int k, const double* a, const double* b, double* c) {
  const int g = threadIdx.x / 4;
  const int t = threadIdx.x % 4;
  double d[2] = {};
  for (int first = 0; first < k; first += 4) {
    const double of_a = a[(blockIdx.y * 8 + g) * k + first + t];
    const double of_b = b[(blockIdx.x * 8 + g) * k + first + t];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(of_a), "d"(of_b));
  }
  for (int i = 0; i < 2; ++i) {
    c[(blockIdx.y * 8 + g) * n + blockIdx.x * 8 + 2 * t + i] = d[i];
  }
}
