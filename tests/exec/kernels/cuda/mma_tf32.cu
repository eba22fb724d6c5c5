// SPDX-License-Identifier: MIT
#include "mma.cuh"

/// FP32 numbers rounded to TF32.
__device__ unsigned tf32(float value) {
  unsigned rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(value));
  return rounded;
}

extern "C" __global__ void mma_tf32(int n, int k, const float* a, const float* b, float* c) {
  const Place place;
  float d[4] = {};
  for (int first = 0; first < k; first += 8) {
    const float* from_a = a + (place.row + place.g) * k + first + place.t;
    const float* from_b = b + (place.column + place.g) * k + first + place.t;
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(tf32(from_a[0])), "r"(tf32(from_a[8 * k])), "r"(tf32(from_a[4])), "r"(tf32(from_a[8 * k + 4])),
          "r"(tf32(from_b[0])), "r"(tf32(from_b[4])));
  }
  store_tile(place, n, d, c);
}
