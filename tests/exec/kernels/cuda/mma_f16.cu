// SPDX-License-Identifier: MIT
#include <cuda_fp16.h>

#include "mma.cuh"

/// Tiles in shared memory, fragments by ldmatrix, steps of k = 16.
extern "C" __global__ void mma_f16(int n, int k, const __half* a, const __half* b, float* c) {
  __shared__ alignas(16) __half tile_a[16][16];
  __shared__ alignas(16) __half tile_b[8][16];
  const Place place;
  const int lane = threadIdx.x;
  float d[4] = {};
  for (int first = 0; first < k; first += 16) {
    const int4* from_a = reinterpret_cast<const int4*>(a + (place.row + lane / 2) * k + first + lane % 2 * 8);
    *reinterpret_cast<int4*>(&tile_a[lane / 2][lane % 2 * 8]) = *from_a;
    if (lane < 16) {
      const int4* from_b = reinterpret_cast<const int4*>(b + (place.column + lane / 2) * k + first + lane % 2 * 8);
      *reinterpret_cast<int4*>(&tile_b[lane / 2][lane % 2 * 8]) = *from_b;
    }
    __syncwarp();
    unsigned fragment_a[4], fragment_b[2];
    const unsigned at_a = __cvta_generic_to_shared(&tile_a[lane % 16][lane / 16 * 8]);
    const unsigned at_b = __cvta_generic_to_shared(&tile_b[lane % 8][lane / 8 % 2 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fragment_a[0]), "=r"(fragment_a[1]), "=r"(fragment_a[2]), "=r"(fragment_a[3])
                 : "r"(at_a));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(fragment_b[0]), "=r"(fragment_b[1])
                 : "r"(at_b));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(fragment_a[0]), "r"(fragment_a[1]), "r"(fragment_a[2]), "r"(fragment_a[3]), "r"(fragment_b[0]),
          "r"(fragment_b[1]));
    __syncwarp();
  }
  store_tile(place, n, d, c);
}
