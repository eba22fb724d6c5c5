// SPDX-License-Identifier: MIT
// C = A B^T in 8-bit integers by a warpgroup. Both matrices have rows of k, in tiles of 128 bytes a row that are
// swizzled by 128 bytes; a CTA has 128 threads.
#include "hopper.cuh"

constexpr int kRows = 64;
constexpr int kRowBytes = 128;

__device__ unsigned long long descriptor(unsigned tile) {
  return (tile & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

/// A signed, B without sign, both in shared memory.
__device__ void multiply(int (&d)[32], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.u8 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "
      "%11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
      "%30, %31}, %32, %33, 1;"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]),
        "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]), "+r"(d[16]),
        "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]),
        "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31])
      : "l"(a), "l"(b));
}

/// A without sign in registers, B signed; sums beyond 32 bits become the nearest number.
__device__ void multiply_saturated(int (&d)[12], const unsigned (&a)[4], unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n24k32.s32.u8.s8.satfinite {%0, %1, %2, %3, %4, %5, %6, %7, %8, "
      "%9, %10, %11}, {%12, %13, %14, %15}, %16, 1;"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]),
        "+r"(d[9]), "+r"(d[10]), "+r"(d[11])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ void copy_tile(char* tile, const char* from, int rows, int k) {
  for (int i = threadIdx.x; i < rows * kRowBytes; i += blockDim.x) {
    const int row = i / kRowBytes;
    tile[row * kRowBytes + (i % kRowBytes ^ row % 8 * 16)] = from[row * k + i % kRowBytes];
  }
}

__device__ void end_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  __syncthreads();
}

/// Row of the tile that register `i` of this thread has.
__device__ int row_of(int i) {
  return threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
}
__device__ int column_of(int i) {
  return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
}

extern "C" __global__ void __launch_bounds__(128) wgmma_int8(int n, int k, const char* a, const char* b, int* c) {
  __shared__ alignas(1024) char tiles[2][kRows * kRowBytes];
  const int row = blockIdx.y * kRows;
  const int column = blockIdx.x * kRows;
  int d[32] = {};
  for (int step = 0; step < k; step += kRowBytes) {
    copy_tile(tiles[0], a + row * k + step, kRows, k);
    copy_tile(tiles[1], b + column * k + step, kRows, k);
    publish_to_async();
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < kRowBytes / 32; ++i) {
      multiply(d, descriptor(shared_address(tiles[0]) + i * 32), descriptor(shared_address(tiles[1]) + i * 32));
    }
    end_products();
  }
  for (int i = 0; i < 32; ++i) {
    c[(row + row_of(i)) * n + column + column_of(i)] = d[i];
  }
}

/// A tile of 64 x 24 from one step of 32 of k, added to what C has.
extern "C" __global__ void __launch_bounds__(128) wgmma_int8_saturated(const unsigned* a, const char* b, int* c) {
  __shared__ alignas(1024) char tile[24 * kRowBytes];
  constexpr int kColumns = 24;
  constexpr int kWordsOfRow = 8;
  copy_tile(tile, b, kColumns, kRowBytes);
  publish_to_async();
  __syncthreads();
  unsigned of_a[4];
  for (int i = 0; i < 4; ++i) {
    of_a[i] = a[row_of(2 * i) * kWordsOfRow + i / 2 * 4 + threadIdx.x % 4];
  }
  int d[12];
  for (int i = 0; i < 12; ++i) {
    d[i] = c[row_of(i) * kColumns + column_of(i)];
  }
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  multiply_saturated(d, of_a, descriptor(shared_address(tile)));
  end_products();
  for (int i = 0; i < 12; ++i) {
    c[row_of(i) * kColumns + column_of(i)] = d[i];
  }
}
