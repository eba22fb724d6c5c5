// SPDX-License-Identifier: MIT
#include <cuda_bf16.h>

#include "mma.cuh"

extern "C" __global__ void mma_bf16(int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  const Place place;
  float d[4] = {};
  for (int first = 0; first < k; first += 16) {
    const __nv_bfloat16* from_a = a + (place.row + place.g) * k + first + 2 * place.t;
    const __nv_bfloat16* from_b = b + (place.column + place.g) * k + first + 2 * place.t;
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(word(from_a)), "r"(word(from_a + 8 * k)), "r"(word(from_a + 8)), "r"(word(from_a + 8 * k + 8)),
          "r"(word(from_b)), "r"(word(from_b + 8)));
  }
  store_tile(place, n, d, c);
}
