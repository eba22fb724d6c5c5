// SPDX-License-Identifier: MIT
// Sums, in the order of steps in which they are taught. 256 threads a CTA.
constexpr unsigned kThreads = 256;
constexpr unsigned kAll = 0xffffffff;

/// Neighbours first: in each step half of the lanes of every warp idle.
extern "C" __global__ void reduce_interleaved(const int* in, int* sums) {
  __shared__ int values[kThreads];
  values[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  for (unsigned width = 1; width < kThreads; width *= 2) {
    if (threadIdx.x % (2 * width) == 0) {
      values[threadIdx.x] += values[threadIdx.x + width];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = values[0];
  }
}

/// Each thread adds up a column of a grid-wide stride; then trees of shuffles, in a warp and over warps.
extern "C" __global__ void reduce_shuffle(int n, const float* in, float* sums) {
  __shared__ float of_warp[kThreads / 32];
  float sum = 0;
  for (unsigned i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    sum += in[i];
  }
  for (int width = 16; width > 0; width /= 2) {
    sum += __shfl_down_sync(kAll, sum, width);
  }
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < kThreads / 32 ? of_warp[threadIdx.x] : 0;
    for (int width = kThreads / 64; width > 0; width /= 2) {
      sum += __shfl_down_sync(kAll, sum, width);
    }
    if (threadIdx.x == 0) {
      sums[blockIdx.x] = sum;
    }
  }
}

__device__ unsigned tickets;

/// The CTA that takes the last ticket adds up the sums of all, in the order of their numbers.
extern "C" __global__ void reduce_last_block(const int* in, volatile int* sums, int* total) {
  __shared__ int sum;
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sum = 0;
  }
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * kThreads + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) {
      all += sums[i];
    }
    *total = all;
  }
}
