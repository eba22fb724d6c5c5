// SPDX-License-Identifier: MIT
// C = the bits that are set both in a row of A and in a row of B, or in one of the two: rows of 512 bits.
#include "mma.cuh"

#define GPUSIM_D "{%0, %1, %2, %3}"
#define GPUSIM_IN_OUT "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])

constexpr int kRowWords = 16;

/// Word `chunk` * 4 + t of a row.
__device__ unsigned of_row(const unsigned* rows, int row, int chunk, const Place& place) {
  return rows[row * kRowWords + chunk * 4 + place.t];
}

extern "C" __global__ void mma_bits_and(int n, const unsigned* a, const unsigned* b, int* c) {
  const Place place;
  const int row = place.row + place.g;
  const int column = place.column + place.g;
  int d[4] = {};
  asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc " GPUSIM_D
               ", {%4, %5, %6, %7}, {%8, %9}, " GPUSIM_D ";"
               : GPUSIM_IN_OUT
               : "r"(of_row(a, row, 0, place)), "r"(of_row(a, row + 8, 0, place)), "r"(of_row(a, row, 1, place)),
                 "r"(of_row(a, row + 8, 1, place)), "r"(of_row(b, column, 0, place)), "r"(of_row(b, column, 1, place)));
  for (int chunk = 2; chunk < 4; ++chunk) {
    asm volatile("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc " GPUSIM_D ", {%4, %5}, {%6}, " GPUSIM_D ";"
                 : GPUSIM_IN_OUT
                 : "r"(of_row(a, row, chunk, place)), "r"(of_row(a, row + 8, chunk, place)),
                   "r"(of_row(b, column, chunk, place)));
  }
  store_tile(place, n, d, c);
}

/// Products of 8 rows each.
extern "C" __global__ void mma_bits_xor(int n, const unsigned* a, const unsigned* b, int* c) {
  const Place place;
  const int row = place.row + place.g;
  const int column = place.column + place.g;
  int d[4] = {};
  for (int chunk = 0; chunk < 4; ++chunk) {
    for (int eight = 0; eight < 2; ++eight) {
      asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+r"(d[2 * eight]), "+r"(d[2 * eight + 1])
                   : "r"(of_row(a, row + 8 * eight, chunk, place)), "r"(of_row(b, column, chunk, place)));
    }
  }
  store_tile(place, n, d, c);
}
