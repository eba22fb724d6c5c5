// SPDX-License-Identifier: MIT
// Inclusive prefix sums of 256 numbers a CTA.
constexpr unsigned kThreads = 256;
constexpr unsigned kAll = 0xffffffff;

/// Hillis and Steele: doubling strides in two buffers of shared memory.
extern "C" __global__ void scan_shared(const int* in, int* out) {
  __shared__ int values[2][kThreads];
  const unsigned at = blockIdx.x * kThreads + threadIdx.x;
  unsigned now = 0;
  values[now][threadIdx.x] = in[at];
  __syncthreads();
  for (unsigned stride = 1; stride < kThreads; stride *= 2) {
    int value = values[now][threadIdx.x];
    if (threadIdx.x >= stride) {
      value += values[now][threadIdx.x - stride];
    }
    now = 1 - now;
    values[now][threadIdx.x] = value;
    __syncthreads();
  }
  out[at] = values[now][threadIdx.x];
}

__device__ int scanned_in_warp(int value) {
  for (unsigned stride = 1; stride < 32; stride *= 2) {
    const int other = __shfl_up_sync(kAll, value, stride);
    if (threadIdx.x % 32 >= stride) {
      value += other;
    }
  }
  return value;
}

/// Shuffles in each warp, and once more over the sums of the warps.
extern "C" __global__ void scan_shuffle(const int* in, int* out) {
  __shared__ int sums[kThreads / 32];
  const unsigned at = blockIdx.x * kThreads + threadIdx.x;
  const unsigned warp = threadIdx.x / 32;
  const int value = scanned_in_warp(in[at]);
  if (threadIdx.x % 32 == 31) {
    sums[warp] = value;
  }
  __syncthreads();
  if (warp == 0) {
    const int sum = scanned_in_warp(threadIdx.x < kThreads / 32 ? sums[threadIdx.x] : 0);
    if (threadIdx.x < kThreads / 32) {
      sums[threadIdx.x] = sum;
    }
  }
  __syncthreads();
  out[at] = value + (warp > 0 ? sums[warp - 1] : 0);
}
