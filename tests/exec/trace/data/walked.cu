// SPDX-License-Identifier: MIT
// Kernels for the tests of executed kernels in the timing model. Compiled with CUDA 13.0:
// nvcc -arch=sm_80 -cubin -lineinfo -o walked.cubin walked.cu
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

// CTAs take tickets, and each waits for the one before it: what comes out is the order in which they came.
extern "C" __global__ void chain(unsigned* tickets, volatile unsigned* flags, volatile unsigned* sums,
                                 unsigned* order) {
  if (threadIdx.x == 0) {
    const unsigned ticket = atomicAdd(tickets, 1U);
    order[ticket] = blockIdx.x;
    unsigned before = 0;
    if (ticket != 0) {
      while (flags[ticket - 1] == 0) {
      }
      __threadfence();
      before = sums[ticket - 1];
    }
    sums[ticket] = before + blockIdx.x + 1;
    __threadfence();
    flags[ticket] = 1;
  }
}

// Atomics without and with a value, and the last CTA to end adds up.
extern "C" __global__ void histogram(const unsigned* values, unsigned n, unsigned* bins, unsigned* done,
                                     unsigned* total) {
  __shared__ unsigned is_last;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[values[i] % 16], 1U);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(done, 1U) == gridDim.x - 1 ? 1U : 0U;
  }
  __syncthreads();
  if (is_last != 0 && threadIdx.x < 16) {
    __threadfence();
    atomicAdd(total, ((volatile unsigned*)bins)[threadIdx.x]);
  }
}

// A tree in shared memory.
extern "C" __global__ void reverse_sums(const float* in, float* out) {
  __shared__ float part[128];
  part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (unsigned half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      part[threadIdx.x] += part[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[gridDim.x - 1 - blockIdx.x] = part[0];
  }
}

// What a thread has stored or added it reads back at once.
extern "C" __global__ void own_stores(volatile unsigned* words, unsigned* seen) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  words[i] = i + 1;
  const unsigned first = words[i];
  atomicAdd((unsigned*)&words[i], 5U);
  seen[i] = first + 1000 * words[i];
}

extern "C" __global__ void wait_forever(volatile unsigned* flag) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
  }
}
