// SPDX-License-Identifier: MIT
// Rungs of SGEMM ladders that others measured, written anew from what their sources do; compiled and recorded, they are
// the cases that README.md beside this file lists. C = alpha A B + beta C, or A B, all by rows.

/// Two tiles of 128 x 128 in steps of 8 along k, 8 x 8 elements a thread, A not turned, words fetched one by one
/// (siboehm/SGEMM_CUDA, kernel 5).
__global__ void __launch_bounds__(256)
    boehm_2d(int m, int n, int k, float alpha, const float* a, const float* b, float beta, float* c) {
  constexpr int kTile = 128, kDepth = 8, kSide = 8, kThreads = 256;
  __shared__ float left[kTile * kDepth], right[kDepth * kTile];
  const unsigned thread = threadIdx.x;
  const int column = thread % (kTile / kSide), row = thread / (kTile / kSide);
  a += blockIdx.y * kTile * k;
  b += blockIdx.x * kTile;
  c += blockIdx.y * kTile * n + blockIdx.x * kTile;
  float sum[kSide * kSide] = {};
  for (int step = 0; step < k; step += kDepth) {
    for (int e = 0; e < kTile * kDepth; e += kThreads) {
      left[(thread + e) / kDepth * kDepth + (thread + e) % kDepth] =
          a[(thread + e) / kDepth * k + (thread + e) % kDepth];
    }
    for (int e = 0; e < kTile * kDepth; e += kThreads) {
      right[(thread + e) / kTile * kTile + (thread + e) % kTile] = b[(thread + e) / kTile * n + (thread + e) % kTile];
    }
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
    for (int d = 0; d < kDepth; ++d) {
      float x[kSide], y[kSide];
      for (int i = 0; i < kSide; ++i)
        x[i] = left[(row * kSide + i) * kDepth + d];
      for (int j = 0; j < kSide; ++j)
        y[j] = right[d * kTile + column * kSide + j];
      for (int i = 0; i < kSide; ++i)
        for (int j = 0; j < kSide; ++j)
          sum[i * kSide + j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      float& to = c[(row * kSide + i) * n + column * kSide + j];
      to = alpha * sum[i * kSide + j] + beta * to;
    }
}

/// Tiles of 64 x 64 in steps of 8, 8 x 4 elements a thread, every access guarded (nideyongbao/CUDA_GEMM,
/// 04_2Dblocktiling): 96 registers and 32 loads from shared memory a step and warp, as Nsight Compute counts of the
/// measured one.
__global__ void guarded_2d(int m, int n, int k, float alpha, const float* a, const float* b, float beta, float* c) {
  __shared__ float left[64][8], right[8][64];
  const int thread = threadIdx.x + threadIdx.y * blockDim.x;
  float sum[32] = {};
  for (int step = 0; step < k; step += 8) {
    for (int e = 0; e < 4; ++e) {
      const int i = thread + e * 128;
      const int row = blockIdx.y * 64 + i / 8, depth_a = step + i % 8;
      const int depth_b = step + i / 64, column = blockIdx.x * 64 + i % 64;
      left[i / 8][i % 8] = row < m && depth_a < k ? a[row * k + depth_a] : 0.0f;
      right[i / 64][i % 64] = depth_b < k && column < n ? b[depth_b * n + column] : 0.0f;
    }
    __syncthreads();
    for (int d = 0; d < 8; ++d) {
      float x[8], y[4];
      for (int i = 0; i < 8; ++i)
        x[i] = left[thread / 16 * 8 + i][d];
      for (int j = 0; j < 4; ++j)
        y[j] = right[d][thread % 16 * 4 + j];
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 8; ++i)
          sum[j * 8 + i] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 8; ++i) {
      const int row = blockIdx.y * 64 + thread / 16 * 8 + i, column = blockIdx.x * 64 + thread % 16 * 4 + j;
      if (row < m && column < n)
        c[row * n + column] = alpha * sum[j * 8 + i] + beta * c[row * n + column];
    }
}

/// The same tiles with A turned and four words an access (nideyongbao/CUDA_GEMM, 05_vectorized).
__global__ void turned_2d(int m, int n, int k, float alpha, const float* a, const float* b, float beta, float* c) {
  __shared__ float left[8][64], right[8][64];
  const int thread = threadIdx.x + threadIdx.y * blockDim.x;
  float sum[32] = {};
  for (int step = 0; step < k; step += 8) {
    const int i = thread * 4;
    const float4 from_a = *reinterpret_cast<const float4*>(&a[(blockIdx.y * 64 + i / 8) * k + step + i % 8]);
    left[i % 8][i / 8] = from_a.x;
    left[i % 8 + 1][i / 8] = from_a.y;
    left[i % 8 + 2][i / 8] = from_a.z;
    left[i % 8 + 3][i / 8] = from_a.w;
    *reinterpret_cast<float4*>(&right[i / 64][i % 64]) =
        *reinterpret_cast<const float4*>(&b[(step + i / 64) * n + blockIdx.x * 64 + i % 64]);
    __syncthreads();
    for (int d = 0; d < 8; ++d) {
      float x[8], y[4];
      for (int at = 0; at < 8; at += 4)
        *reinterpret_cast<float4*>(&x[at]) = *reinterpret_cast<float4*>(&left[d][thread / 16 * 8 + at]);
      *reinterpret_cast<float4*>(&y[0]) = *reinterpret_cast<float4*>(&right[d][thread % 16 * 4]);
      for (int j = 0; j < 4; ++j)
        for (int e = 0; e < 8; ++e)
          sum[j * 8 + e] += x[e] * y[j];
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    for (int e = 0; e < 8; ++e) {
      const int row = blockIdx.y * 64 + thread / 16 * 8 + e, column = blockIdx.x * 64 + thread % 16 * 4 + j;
      if (row < m && column < n)
        c[row * n + column] = alpha * sum[j * 8 + e] + beta * c[row * n + column];
    }
}

template <int kHeight, int kWidth>
__device__ void fill(const float* from, int stride, int rows, int columns, float (*to)[kWidth], int thread) {
  for (int e = thread; e < kHeight * kWidth; e += 256) {
    const int row = e / kWidth, column = e % kWidth;
    to[row][column] = row < rows && column < columns ? from[row * stride + column] : 0.0f;
  }
}

/// Tiles of 128 x 64 in steps of 64, a warp two pieces of 16 x 32 with 4 x 4 elements a thread each, A not turned,
/// fetches guarded word by word (gau-nernst/learn-cuda, 02a_matmul_simt, v5).
__global__ void warp_pieces(int m, int n, int k, const float* a, const float* b, float* c) {
  constexpr int kRows = 128, kColumns = 64, kDepth = 64;
  __shared__ float left[kRows][kDepth];
  __shared__ float right[kDepth][kColumns];
  const int thread = threadIdx.x, across = (n + kColumns - 1) / kColumns;
  const int first_row = blockIdx.x / across * kRows, first_column = blockIdx.x % across * kColumns;
  const int warp = thread / 32, lane = thread % 32;
  const int row = warp / 2 * 32 + lane / 8 * 4, column = warp % 2 * 32 + lane % 8 * 4;
  a += first_row * k;
  b += first_column;
  float sum[2][4][4] = {};
  for (int step = 0; step < k; step += kDepth) {
    fill<kRows, kDepth>(a, k, m - first_row, k - step, left, thread);
    fill<kDepth, kColumns>(b, n, k - step, n - first_column, right, thread);
    __syncthreads();
    for (int d = 0; d < kDepth; ++d) {
      float x[2][4], y[4];
      for (int p = 0; p < 2; ++p)
        for (int i = 0; i < 4; ++i)
          x[p][i] = left[row + p * 16 + i][d];
      for (int j = 0; j < 4; ++j)
        y[j] = right[d][column + j];
      for (int p = 0; p < 2; ++p)
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            sum[p][i][j] += x[p][i] * y[j];
    }
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
  }
  c += first_row * n + first_column;
  for (int p = 0; p < 2; ++p)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        if (row + p * 16 + i < m - first_row && column + j < n - first_column)
          c[(row + p * 16 + i) * n + column + j] = sum[p][i][j];
}
