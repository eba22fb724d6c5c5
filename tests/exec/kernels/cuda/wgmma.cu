// SPDX-License-Identifier: MIT
// C = A B^T in BF16 as Hopper wants it: the TMA brings tiles of 64 x 64, swizzled by 128 bytes, into a ring of two
// stages behind mbarriers; a warpgroup multiplies them from shared memory, one CTA per tile of C. And C = A B with
// A in registers and B as it lies in memory, as attention multiplies probabilities by values.
#include <cuda_bf16.h>

#include "hopper.cuh"

constexpr int kTile = 64;
constexpr int kStages = 2;
constexpr unsigned kTileBytes = kTile * kTile * 2;

/// Rows of 128 bytes, groups of eight 1024 bytes apart, swizzled by 128 bytes.
__device__ unsigned long long descriptor(unsigned tile) {
  return (tile & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

__device__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ void multiply(float (&d)[32], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "
      "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, "
      "1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(128) wgmma_bf16(int n, int k, const __grid_constant__ TensorMap map_a,
                                                             const __grid_constant__ TensorMap map_b, float* c) {
  __shared__ alignas(1024) __nv_bfloat16 tiles[kStages][2][kTile * kTile];
  __shared__ alignas(8) unsigned long long full[kStages];
  const int row = blockIdx.y * kTile;
  const int column = blockIdx.x * kTile;
  const auto start = [&](int step) {
    const int stage = step % kStages;
    const unsigned barrier = shared_address(&full[stage]);
    barrier_arrive_expect(barrier, 2 * kTileBytes);
    tensor_load_2d(shared_address(tiles[stage][0]), map_a, step * kTile, row, barrier);
    tensor_load_2d(shared_address(tiles[stage][1]), map_b, step * kTile, column, barrier);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      barrier_init(shared_address(&full[stage]), 1);
    }
    publish_to_async();
    start(0);
  }
  __syncthreads();
  float d[32] = {};
  for (int step = 0; step < k / kTile; ++step) {
    const int stage = step % kStages;
    if (threadIdx.x == 0 && (step + 1) * kTile < k) {
      start(step + 1);
    }
    barrier_wait(shared_address(&full[stage]), step / kStages % 2);
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < kTile / 16; ++i) {
      multiply(d, descriptor(shared_address(tiles[stage][0]) + i * 32),
               descriptor(shared_address(tiles[stage][1]) + i * 32));
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

/// B has rows of 128 bytes, one for each k.
__device__ void multiply_registers(float (&d)[32], const unsigned (&a)[4], unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "
      "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, "
      "%35}, %36, 1, 1, 1, 1;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_registers(int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(1024) char tile[kTileBytes];
  const int lane = threadIdx.x % 32;
  const int column = blockIdx.x * kTile;
  const int row = blockIdx.y * kTile + threadIdx.x / 32 * 16 + lane / 4;
  float d[32] = {};
  for (int step = 0; step < k; step += kTile) {
    for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x) {
      const int depth = i / kTile;
      const int byte = depth * 128 + (i % kTile * 2 ^ depth % 8 * 16);
      *reinterpret_cast<__nv_bfloat16*>(tile + byte) = b[(step + depth) * n + column + i % kTile];
    }
    publish_to_async();
    __syncthreads();
    unsigned of_a[4][4];
    for (int i = 0; i < 16; ++i) {
      const int at = (row + i % 2 * 8) * k + step + i / 4 * 16 + i / 2 % 2 * 8 + lane % 4 * 2;
      of_a[i / 4][i % 4] = *reinterpret_cast<const unsigned*>(a + at);
    }
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < kTile / 16; ++i) {
      multiply_registers(d, of_a[i], descriptor(shared_address(tile) + i * 16 * 128));
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  for (int i = 0; i < 32; ++i) {
    c[(row + i / 2 % 2 * 8) * n + column + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
  }
}
