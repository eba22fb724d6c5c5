// SPDX-License-Identifier: MIT
// out = in^T through a tile of shared memory. A CTA copies 32 x 32 floats: a warp writes a row of the tile, and later
// reads a column of it. So both buffers are read and written by rows, but the tile has bank conflicts.

constexpr int kWords = 32 * 34;  // of the tile

// Where the element of row `row` and column `col` lies in the tile.
__device__ int slot(int row, int col) {
  return row * 34 + col;
}

__global__ void transpose(const float* in, float* out, int n, int m) {
  __shared__ float tile[kWords];
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    tile[slot(y, x)] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    out[(blockIdx.x * 32 + y) * m + blockIdx.y * 32 + x] = tile[slot(x, y)];
  }
}
