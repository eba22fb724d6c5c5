// SPDX-License-Identifier: MIT
#include <cuda_fp16.h>

#include "mma.cuh"

/// Steps of k = 8 as Turing has them, accumulated in FP16; B lies by rows of k, and ldmatrix transposes it.
extern "C" __global__ void mma_f16_turing(int n, int k, const __half* a, const __half* b, __half* c) {
  __shared__ alignas(16) __half tile_b[8][8];
  const Place place;
  unsigned d[2] = {};
  for (int first = 0; first < k; first += 8) {
    if (threadIdx.x < 8) {
      *reinterpret_cast<int4*>(&tile_b[threadIdx.x][0]) =
          *reinterpret_cast<const int4*>(b + (first + threadIdx.x) * n + place.column);
    }
    __syncwarp();
    const __half* from_a = a + (place.row + place.g) * k + first + 2 * place.t;
    unsigned fragment_b;
    const unsigned at_b = __cvta_generic_to_shared(&tile_b[threadIdx.x % 8][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(fragment_b) : "r"(at_b));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(word(from_a)), "r"(word(from_a + 8 * k)), "r"(fragment_b));
    __syncwarp();
  }
  for (int i = 0; i < 2; ++i) {
    __half* to = c + (place.row + place.g + 8 * i) * n + place.column + 2 * place.t;
    *reinterpret_cast<unsigned*>(to) = d[i];
  }
}
