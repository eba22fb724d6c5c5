// SPDX-License-Identifier: MIT
// Addresses of which the code does not say what memory they lead to.

/// Not inlined, so that its loads may be of any memory.
__device__ __noinline__ int sum_of(const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    sum = sum * 5 + values[i * 33 % 128];
  }
  return sum;
}

/// Even CTAs add up what is in global memory, odd ones what they have copied to shared memory.
extern "C" __global__ void generic_sum(const int* in, int* out) {
  __shared__ int copied[128];
  const int* const from = in + blockIdx.x * 128;
  copied[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = sum_of(blockIdx.x % 2 == 0 ? from : copied, 40 + threadIdx.x % 2);
}
