// SPDX-License-Identifier: MIT
// C = A B in BF16 with sums in FP32, on the tensor cores. C has m rows and n columns, cut into tiles of 16 x 8; A into tiles
// of 16 x 16, B into tiles of 16 x 8. A tile lies in one piece, in the order in which the lanes of a warp need it: 32 times
// 16 bytes of A, 8 of B, 16 of C.
//
// Every warp computes 1 x 2 tiles of C. Of each step it loads 1 tiles of A and 2 of B, and uses each of them several times.

/// sum + a b: a tile of 16 x 8, of 16 x 16 by 16 x 8. Each lane of the warp has its part of all three.
__device__ void multiply(float4& sum, uint4 a, uint2 b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w)
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
}

__global__ void product(const uint4* A, const uint2* B, float4* C, int steps, int columns) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.y * 1;  // of the first tile of C
  const int column = blockIdx.x * 2;
  float4 sum[1][2] = {};
  for (int s = 0; s < steps; ++s) {
    uint4 a[1];
    uint2 b[2];
    for (int i = 0; i < 1; ++i) {
      a[i] = A[((row + i) * steps + s) * 32 + lane];
    }
    for (int j = 0; j < 2; ++j) {
      b[j] = B[((column + j) * steps + s) * 32 + lane];
    }
    for (int i = 0; i < 1; ++i) {
      for (int j = 0; j < 2; ++j) {
        multiply(sum[i][j], a[i], b[j]);
      }
    }
  }
  for (int i = 0; i < 1; ++i) {
    for (int j = 0; j < 2; ++j) {
      C[((row + i) * columns + column + j) * 32 + lane] = sum[i][j];
    }
  }
}
