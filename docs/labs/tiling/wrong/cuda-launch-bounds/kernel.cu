// SPDX-License-Identifier: MIT
// C = A B in FP32 through shared memory and registers. A CTA of 16 x 16 threads computes a tile of C with `edge` rows and
// columns. In each step it puts `edge` rows of 16 elements of A and 16 rows of `edge` elements of B into shared memory. A
// thread computes r x r elements of C, 16 rows and columns apart: what it reads from shared memory, it uses r times.

constexpr int r = 8;          // rows and columns of a thread; kernel.yaml has it, too
constexpr int edge = 16 * r;  // rows and columns of a CTA's tile of C

__global__ void __launch_bounds__(256, 4) product(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float sA[edge][16];
  __shared__ float sB[16][edge];
  const int top = blockIdx.y * edge;  // of the CTA's tile of C
  const int left = blockIdx.x * edge;
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  float sum[r][r] = {};
  for (int s = 0; s < k; s += 16) {
    for (int i = 0; i < r; ++i) {
      sA[y + 16 * i][x] = A[(top + y + 16 * i) * k + s + x];
      sB[y][x + 16 * i] = B[(s + y) * n + left + x + 16 * i];
    }
    __syncthreads();  // the tiles are complete
    for (int d = 0; d < 16; ++d) {
      float a[r];
      float b[r];
      for (int i = 0; i < r; ++i) {
        a[i] = sA[y + 16 * i][d];
        b[i] = sB[d][x + 16 * i];
      }
      for (int i = 0; i < r; ++i) {
        for (int j = 0; j < r; ++j) {
          sum[i][j] += a[i] * b[j];
        }
      }
    }
    __syncthreads();  // nobody needs them any more
  }
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j < r; ++j) {
      C[(top + y + 16 * i) * n + left + x + 16 * j] = sum[i][j];
    }
  }
}
