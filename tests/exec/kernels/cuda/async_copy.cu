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
