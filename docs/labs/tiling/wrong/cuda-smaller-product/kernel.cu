// SPDX-License-Identifier: MIT
// C = A B in FP32 through shared memory. A CTA of 16 x 16 threads computes a tile of C with `edge` rows and columns. In
// each step it puts `edge` rows of 16 elements of A and 16 rows of `edge` elements of B into shared memory, and uses each
// of them `edge` times.
//
// Here a thread computes one element of C. Your task: let it compute r x r of them, in registers. The grid follows from r
// as well: say it in kernel.yaml.

constexpr int edge = 16;  // rows and columns of a CTA's tile of C

__global__ void __launch_bounds__(256) product(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float sA[edge][16];
  __shared__ float sB[16][edge];
  const int top = blockIdx.y * edge;  // of the CTA's tile of C
  const int left = blockIdx.x * edge;
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  float sum = 0;
  for (int s = 0; s < k; s += 16) {
    sA[y][x] = A[(top + y) * k + s + x];
    sB[y][x] = B[(s + y) * n + left + x];
    __syncthreads();  // the tiles are complete
    for (int d = 0; d < 16; ++d) {
      sum += sA[y][d] * sB[d][x];
    }
    __syncthreads();  // nobody needs them any more
  }
  C[(top + y) * n + left + x] = sum;
}
