// SPDX-License-Identifier: MIT
// C = the bits that are set both in a row of A and in a row of B, by a warpgroup: 64 x 16 of C from rows of 512 bits,
// which are swizzled by 64 bytes. A lies in shared memory or in registers.
#include "hopper.cuh"

constexpr int kRows = 64;
constexpr int kColumns = 16;
constexpr int kRowBytes = 64;
constexpr int kSums = 8;

#define GPUSIM_SUMS "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define GPUSIM_IN_OUT(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])

__device__ unsigned long long descriptor(unsigned tile) {
  return (tile & 0x3ffff) >> 4 | 1ull << 16 | kRowBytes / 2ull << 32 | 2ull << 62;
}

__device__ void copy_tile(char* tile, const char* from, int rows) {
  for (int i = threadIdx.x; i < rows * kRowBytes; i += blockDim.x) {
    const int row = i / kRowBytes;
    tile[row * kRowBytes + (i % kRowBytes ^ row / 2 % 4 * 16)] = from[i];
  }
}

/// Row of the tile that register `i` of this thread has.
__device__ int row_of(int i) {
  return threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
}

__device__ void finish(const int (&d)[kSums], int n, int column, int* c) {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < kSums; ++i) {
    c[row_of(i) * n + column + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2] = d[i];
  }
}

extern "C" __global__ void __launch_bounds__(128) wgmma_bits(int n, const char* a, const char* b, int* c) {
  __shared__ alignas(1024) char tile_a[kRows * kRowBytes];
  __shared__ alignas(1024) char tile_b[kColumns * kRowBytes];
  const int column = blockIdx.x * kColumns;
  copy_tile(tile_a, a, kRows);
  copy_tile(tile_b, b + column * kRowBytes, kColumns);
  publish_to_async();
  __syncthreads();
  int d[kSums] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int i = 0; i < kRowBytes / 32; ++i) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc " GPUSIM_SUMS ", %8, %9, 1;"
                 : GPUSIM_IN_OUT(d)
                 : "l"(descriptor(shared_address(tile_a) + i * 32)), "l"(descriptor(shared_address(tile_b) + i * 32)));
  }
  finish(d, n, column, c);
}

/// A from registers, added to what C has.
extern "C" __global__ void __launch_bounds__(128) wgmma_bits_registers(int n, const char* a, const char* b, int* c) {
  __shared__ alignas(1024) char tile[kColumns * kRowBytes];
  const int column = blockIdx.x * kColumns;
  copy_tile(tile, b + column * kRowBytes, kColumns);
  publish_to_async();
  __syncthreads();
  unsigned of_a[2][4];
  for (int i = 0; i < 8; ++i) {
    const int byte = i / 4 * 32 + i / 2 % 2 * 16 + threadIdx.x % 4 * 4;
    of_a[i / 4][i % 4] = *reinterpret_cast<const unsigned*>(a + row_of(2 * i) * kRowBytes + byte);
  }
  int d[kSums];
  for (int i = 0; i < kSums; ++i) {
    d[i] = c[row_of(i) * n + column + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2];
  }
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int i = 0; i < kRowBytes / 32; ++i) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc " GPUSIM_SUMS
                 ", {%8, %9, %10, %11}, %12, 1;"
                 : GPUSIM_IN_OUT(d)
                 : "r"(of_a[i][0]), "r"(of_a[i][1]), "r"(of_a[i][2]), "r"(of_a[i][3]),
                   "l"(descriptor(shared_address(tile) + i * 32)));
  }
  finish(d, n, column, c);
}
