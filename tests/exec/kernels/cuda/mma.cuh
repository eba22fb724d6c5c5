// SPDX-License-Identifier: MIT
// What matrix products by mma.sync share: one warp per tile of 16 x 8 of C = A B^T. A and B have `k` columns: a row of
// B is a column of the product. With lane = 4 g + t, register i of an accumulator is row g + 8 (i / 2), column 2 t + i
// % 2.
#pragma once

constexpr int kRows = 16;
constexpr int kColumns = 8;

struct Place {
  int row = blockIdx.y * kRows;
  int column = blockIdx.x * kColumns;
  int g = threadIdx.x / 4;
  int t = threadIdx.x % 4;
};

template <typename T>
__device__ void store_tile(const Place& place, int n, const T (&d)[4], T* c) {
  for (int i = 0; i < 4; ++i) {
    c[(place.row + place.g + i / 2 * 8) * n + place.column + 2 * place.t + i % 2] = d[i];
  }
}

__device__ inline unsigned word(const void* at) {
  return *static_cast<const unsigned*>(at);
}
