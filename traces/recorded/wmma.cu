// SPDX-License-Identifier: MIT
// Kernels of tensor cores whose measurements were published, written anew; README.md says of which.
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>

namespace wmma = nvcuda::wmma;

namespace {

constexpr int kRows = 128;
constexpr int kColumns = 64;
constexpr int kDepth = 32;
constexpr int kStages = 3;
constexpr int kOfCopy = 8;  // elements in 16 bytes

/// One step's tiles of A and B, 16 bytes a copy, by as many threads as there are.
__device__ __forceinline__ void copy_step(__nv_bfloat16* a_tile, __nv_bfloat16* b_tile, const __nv_bfloat16* a,
                                          const __nv_bfloat16* b, int row, int column, int from, int k, int n) {
  for (int piece = threadIdx.x; piece < kRows * kDepth / kOfCopy; piece += blockDim.x) {
    const int r = piece / (kDepth / kOfCopy);
    const int c = piece % (kDepth / kOfCopy) * kOfCopy;
    __pipeline_memcpy_async(a_tile + r * kDepth + c, a + (row + r) * k + from + c, 16);
  }
  for (int piece = threadIdx.x; piece < kDepth * kColumns / kOfCopy; piece += blockDim.x) {
    const int r = piece / (kColumns / kOfCopy);
    const int c = piece % (kColumns / kOfCopy) * kOfCopy;
    __pipeline_memcpy_async(b_tile + r * kColumns + c, b + (from + r) * n + column + c, 16);
  }
}

}  // namespace

/// C = A B by the WMMA interface, row by row, without padding: 128 x 64 of C a CTA of eight warps, 32 x 32 a warp.
extern "C" __global__ void wmma_stages(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ __align__(16) __nv_bfloat16 a_tiles[kStages][kRows * kDepth];
  __shared__ __align__(16) __nv_bfloat16 b_tiles[kStages][kDepth * kColumns];
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.y * kRows;
  const int column = blockIdx.x * kColumns;
  const int steps = k / kDepth;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
  for (auto& line : sums) {
    for (auto& sum : line) {
      wmma::fill_fragment(sum, 0.0F);
    }
  }
  for (int step = 0; step < kStages - 1; ++step) {
    if (step < steps) {
      copy_step(a_tiles[step], b_tiles[step], a, b, row, column, step * kDepth, k, n);
    }
    __pipeline_commit();
  }
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    const int stage = step % kStages;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> left[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> right[2];
    for (int part = 0; part < kDepth / 16; ++part) {
      for (int i = 0; i < 2; ++i) {
        const int first = warp / 2 * 32 + i * 16;
        wmma::load_matrix_sync(left[i], a_tiles[stage] + first * kDepth + part * 16, kDepth);
      }
      for (int j = 0; j < 2; ++j) {
        const int first = warp % 2 * 32 + j * 16;
        wmma::load_matrix_sync(right[j], b_tiles[stage] + part * 16 * kColumns + first, kColumns);
      }
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
        }
      }
    }
    __syncthreads();
    const int next = step + kStages - 1;
    if (next < steps) {
      copy_step(a_tiles[next % kStages], b_tiles[next % kStages], a, b, row, column, next * kDepth, k, n);
    }
    __pipeline_commit();
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const int r = row + warp / 2 * 32 + i * 16;
      const int s = column + warp % 2 * 32 + j * 16;
      wmma::store_matrix_sync(c + r * n + s, sums[i][j], n, wmma::mem_row_major);
    }
  }
}
