// SPDX-License-Identifier: MIT
// Kernels whose results a test calculates again. Compiled by:
//   ./compile basic
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

extern "C" __global__ void sgemm(int n, const float* a, const float* b, float* c) {
  __shared__ float tile_a[16][16];
  __shared__ float tile_b[16][16];
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Lanes part in loops of different lengths, and in a function that calls itself.
__device__ __noinline__ int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}

extern "C" __global__ void collatz(const int* from, int* steps, int* factorials) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = from[i];
  int count = 0;
  while (value != 1) {
    value = (value & 1) ? 3 * value + 1 : value / 2;
    ++count;
  }
  steps[i] = count;
  factorials[i] = factorial(i % 8);
}

// Pointers whose space only the run knows.
extern "C" __global__ void generic(const int* in, int* out, int which) {
  __shared__ int shared[64];
  int local[8];
  for (int i = 0; i < 8; ++i) {
    local[i] = in[i] + 100 * i;
  }
  shared[threadIdx.x] = in[threadIdx.x] + 7;
  __syncthreads();
  int kind = (threadIdx.x + which) % 3;
  const int* from = kind == 0 ? shared : kind == 1 ? local : in;
  out[threadIdx.x] = from[(threadIdx.x + which) & 7];
}

extern "C" __global__ void warp_sum(const float* in, float* out) {
  float value = in[blockIdx.x * 32 + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = value;
  }
}

// Every value of `kind` is a path of its own: a table of branches.
extern "C" __global__ void switches(const int* kinds, int* out) {
  int i = threadIdx.x;
  int x = i + 3;
  switch (kinds[i]) {
    case 0: x = x * x; break;
    case 1: x = x / 3; break;
    case 2: x = x ^ 0x55; break;
    case 3: x = __popc(x); break;
    case 4: x = __clz(x); break;
    case 5: x = __brev(x); break;
    case 6: x = -x; break;
    case 7: x = x % 5; break;
    default: x = 0; break;
  }
  out[i] = x;
}

extern "C" __global__ void beyond(int* out) {
  out[threadIdx.x + 1] = 1;
}

extern "C" __global__ void forever(volatile int* flag) {
  while (*flag == 0) {
  }
}

extern "C" __global__ void stuck(int* out) {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 96;");
  }
  out[threadIdx.x] = 1;
}
