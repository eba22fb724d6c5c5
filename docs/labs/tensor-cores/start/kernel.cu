// SPDX-License-Identifier: MIT
// C = A B in BF16 with sums in FP32, on the tensor cores. C has m rows and n columns, cut into tiles of 16 x 8; A into tiles
// of 16 x 16, B into tiles of 16 x 8. A tile lies in one piece, in the order in which the lanes of a warp need it: 32 times
// 16 bytes of A, 8 of B, 16 of C.
//
// Here every warp computes one tile of C. Your task: let a warp compute several tiles, so that it uses what it has loaded
// more than once. kernel.yaml has the grid.

/// sum + a b: a tile of 16 x 8, of 16 x 16 by 16 x 8. Each lane of the warp has its part of all three.
__device__ void multiply(float4& sum, uint4 a, uint2 b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w)
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
}

__global__ void product(const uint4* A, const uint2* B, float4* C, int steps, int columns) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.y * 4 + threadIdx.x / 32;  // of the tile of C
  const int column = blockIdx.x;
  float4 sum = {};
  for (int s = 0; s < steps; ++s) {
    const uint4 a = A[(row * steps + s) * 32 + lane];
    const uint2 b = B[(column * steps + s) * 32 + lane];
    multiply(sum, a, b);
  }
  C[(row * columns + column) * 32 + lane] = sum;
}
