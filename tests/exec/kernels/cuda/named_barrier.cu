// SPDX-License-Identifier: MIT
/// Two warps produce, two consume; barrier 1 says that the buffer is full, barrier 2 that it is empty.
extern "C" __global__ void named_barriers(int rounds, const int* in, int* out) {
  __shared__ int buffer[64];
  const int thread = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    for (int round = 0; round < rounds; ++round) {
      asm volatile("barrier.sync 2, 128;" ::: "memory");
      buffer[thread] = in[round * 64 + thread] * 2;
      asm volatile("barrier.arrive 1, 128;" ::: "memory");
    }
  } else {
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
      asm volatile("barrier.arrive 2, 128;" ::: "memory");
      asm volatile("barrier.sync 1, 128;" ::: "memory");
      sum = sum * 5 + buffer[63 - thread];
    }
    out[thread] = sum + __syncthreads_count(thread % 3 == 0);
    return;
  }
  __syncthreads_count(false);
}
