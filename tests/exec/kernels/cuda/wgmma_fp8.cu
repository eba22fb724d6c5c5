// SPDX-License-Identifier: MIT
// C = A B^T in FP8 by a warpgroup, A and B of different kinds. Both have rows of k; a CTA of 128 threads makes a tile
// of 64 x 64 from tiles of 64 x 128 bytes, swizzled by 128 bytes.
#include "hopper.cuh"

constexpr int kTile = 64;
constexpr int kRowBytes = 128;

__device__ unsigned long long descriptor(unsigned tile) {
  return (tile & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

__device__ void multiply(float (&d)[32], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e5m2 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "
      "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, "
      "1;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(128) wgmma_fp8(int n, int k, const char* a, const char* b, float* c) {
  __shared__ alignas(1024) char tiles[2][kTile * kRowBytes];
  const int row = blockIdx.y * kTile;
  const int column = blockIdx.x * kTile;
  float d[32] = {};
  for (int step = 0; step < k; step += kRowBytes) {
    for (int i = threadIdx.x; i < kTile * kRowBytes; i += blockDim.x) {
      const int of_row = i / kRowBytes;
      const int byte = of_row * kRowBytes + (i % kRowBytes ^ of_row % 8 * 16);
      tiles[0][byte] = a[(row + of_row) * k + step + i % kRowBytes];
      tiles[1][byte] = b[(column + of_row) * k + step + i % kRowBytes];
    }
    publish_to_async();
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < kRowBytes / 32; ++i) {
      multiply(d, descriptor(shared_address(tiles[0]) + i * 32), descriptor(shared_address(tiles[1]) + i * 32));
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < 32; ++i) {
    const int of_row = row + threadIdx.x / 32 * 16 + lane / 4 + i / 2 % 2 * 8;
    c[of_row * n + column + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
  }
}
