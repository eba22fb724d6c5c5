// SPDX-License-Identifier: MIT
#include <cuda_pipeline.h>

/// Two stages: while one is added up, cp.async brings the next. 128 threads, 16 bytes each a stage.
extern "C" __global__ void async_copy(int stages, const int4* in, int* out) {
  __shared__ int4 values[2][128];
  in += blockIdx.x * stages * 128;
  int sum = 0;
  __pipeline_memcpy_async(&values[0][threadIdx.x], &in[threadIdx.x], 16);
  __pipeline_commit();
  for (int stage = 0; stage < stages; ++stage) {
    if (stage + 1 < stages) {
      __pipeline_memcpy_async(&values[(stage + 1) % 2][threadIdx.x], &in[(stage + 1) * 128 + threadIdx.x], 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const int4 mine = values[stage % 2][127 - threadIdx.x];
    sum = sum * 3 + (mine.x ^ mine.y) + (mine.z ^ mine.w);
    __syncthreads();
  }
  // 4 bytes, of which those behind the end are zeros.
  int* words = reinterpret_cast<int*>(&values[0][0]);
  __pipeline_memcpy_async(&words[threadIdx.x], reinterpret_cast<const int*>(in) + threadIdx.x, 4,
                          threadIdx.x % 3 == 0 ? 4 : 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[blockIdx.x * 128 + threadIdx.x] = sum + words[threadIdx.x];
}

/// One copy, where the intrinsic becomes one for each number of bytes.
template <int kBytes>
__device__ void copy_some(void* to, const void* from, unsigned bytes) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(from), "n"(kBytes), "r"(bytes)
                 : "memory");
  }
}

/// 16, 8 and 4 bytes for each thread, of which the last ones are zeros: how many, differs from thread to thread.
extern "C" __global__ void async_copy_sizes(const char* in, int* out) {
  __shared__ int4 of_16[64];
  __shared__ int2 of_8[64];
  __shared__ int of_4[2][64];
  const unsigned thread = threadIdx.x;
  const unsigned i = blockIdx.x * 64 + thread;
  copy_some<16>(&of_16[thread], in + i * 16, i % 17);
  copy_some<8>(&of_8[thread], in + i * 8, i % 9);
  copy_some<4>(&of_4[0][thread], in + i * 4, i % 5);
  __pipeline_memcpy_async(&of_4[1][thread], in + i * 4, 4, 4 - i % 5);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  int* to = out + i * 8;
  to[0] = of_16[thread].x;
  to[1] = of_16[thread].y;
  to[2] = of_16[thread].z;
  to[3] = of_16[thread].w;
  to[4] = of_8[thread].x;
  to[5] = of_8[thread].y;
  to[6] = of_4[0][thread];
  to[7] = of_4[1][thread];
}
