// SPDX-License-Identifier: MIT
#include "mma.cuh"

/// Signed A, unsigned B.
extern "C" __global__ void mma_int8(int n, int k, const signed char* a, const unsigned char* b, int* c) {
  const Place place;
  int d[4] = {};
  for (int first = 0; first < k; first += 32) {
    const signed char* from_a = a + (place.row + place.g) * k + first + 4 * place.t;
    const unsigned char* from_b = b + (place.column + place.g) * k + first + 4 * place.t;
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(word(from_a)), "r"(word(from_a + 8 * k)), "r"(word(from_a + 16)), "r"(word(from_a + 8 * k + 16)),
          "r"(word(from_b)), "r"(word(from_b + 16)));
  }
  store_tile(place, n, d, c);
}
