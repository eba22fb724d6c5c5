// SPDX-License-Identifier: MIT
// out (columns x rows) = the transpose of in (rows x columns); CTAs of 32 x 8 threads move tiles of 32 x 32.
constexpr int kTile = 32;
constexpr int kRows = 8;

extern "C" __global__ void transpose_naive(int rows, int columns, const float* in, float* out) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = blockIdx.y * kTile + threadIdx.y; y < (blockIdx.y + 1) * kTile; y += kRows) {
    if (x < columns && y < rows) {
      out[x * rows + y] = in[y * columns + x];
    }
  }
}

/// `kPitch` 32: a column of the tile lies in one bank. 33: in 32 banks.
template <int kPitch>
__device__ void transpose_tile(int rows, int columns, const float* in, float* out) {
  __shared__ float tile[kTile][kPitch];
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    const int row = blockIdx.y * kTile + y;
    const int column = blockIdx.x * kTile + threadIdx.x;
    if (row < rows && column < columns) {
      tile[y][threadIdx.x] = in[row * columns + column];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    const int row = blockIdx.x * kTile + y;
    const int column = blockIdx.y * kTile + threadIdx.x;
    if (row < columns && column < rows) {
      out[row * rows + column] = tile[threadIdx.x][y];
    }
  }
}

extern "C" __global__ void transpose_shared(int rows, int columns, const float* in, float* out) {
  transpose_tile<kTile>(rows, columns, in, out);
}

extern "C" __global__ void transpose_padded(int rows, int columns, const float* in, float* out) {
  transpose_tile<kTile + 1>(rows, columns, in, out);
}
