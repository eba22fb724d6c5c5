// SPDX-License-Identifier: MIT
// C = A B, row-major, FP32. Sums grow along k from 0 by fmaf, so that results are the same in every order of tiles.
constexpr int kTile = 16;

/// 16 x 16 threads, an element of C each.
extern "C" __global__ void sgemm_tiled(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    const int depth = first + threadIdx.x;
    tile_a[threadIdx.y][threadIdx.x] = row < m && depth < k ? a[row * k + depth] : 0;
    tile_b[threadIdx.y][threadIdx.x] =
        first + threadIdx.y < k && column < n ? b[(first + threadIdx.y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      sum = fmaf(tile_a[threadIdx.y][i], tile_b[i][threadIdx.x], sum);
    }
    __syncthreads();
  }
  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}

constexpr int kBlock = 64;  // rows and columns of C that a CTA of 256 threads makes, 4 x 4 a thread
constexpr int kDepth = 16;

/// m, n multiples of 64, k of 16. Four elements of a row at once.
extern "C" __global__ void __launch_bounds__(256)
    sgemm_register_blocked(int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[kDepth][kBlock + 4];  // transposed
  __shared__ float tile_b[kDepth][kBlock];
  const int y = threadIdx.x / 16;
  const int x = threadIdx.x % 16;
  const int row_a = threadIdx.x / 4;
  const float* from_a = a + (blockIdx.y * kBlock + row_a) * k + threadIdx.x % 4 * 4;
  const float* from_b = b + y * n + blockIdx.x * kBlock + x * 4;
  float sums[4][4] = {};
  for (int first = 0; first < k; first += kDepth) {
    const float4 four_a = *reinterpret_cast<const float4*>(from_a + first);
    const int depth = threadIdx.x % 4 * 4;
    tile_a[depth][row_a] = four_a.x;
    tile_a[depth + 1][row_a] = four_a.y;
    tile_a[depth + 2][row_a] = four_a.z;
    tile_a[depth + 3][row_a] = four_a.w;
    *reinterpret_cast<float4*>(&tile_b[y][x * 4]) = *reinterpret_cast<const float4*>(from_b + first * n);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      const float4 va = *reinterpret_cast<const float4*>(&tile_a[i][y * 4]);
      const float4 vb = *reinterpret_cast<const float4*>(&tile_b[i][x * 4]);
      const float column[4] = {va.x, va.y, va.z, va.w};
      const float row[4] = {vb.x, vb.y, vb.z, vb.w};
#pragma unroll
      for (int r = 0; r < 4; ++r) {
#pragma unroll
        for (int s = 0; s < 4; ++s) {
          sums[r][s] = fmaf(column[r], row[s], sums[r][s]);
        }
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    float* to = c + (blockIdx.y * kBlock + y * 4 + r) * n + blockIdx.x * kBlock + x * 4;
    *reinterpret_cast<float4*>(to) = make_float4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
  }
}
