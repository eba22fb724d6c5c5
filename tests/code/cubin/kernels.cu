// SPDX-License-Identifier: MIT
// The kernels of the tests; README.md says how the cubins and fatbins in data are made.

__constant__ float weights[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ int counter;
__device__ float table[2] = {0.5f, 0.25f};

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

namespace demo {

template <class T>
__global__ void __launch_bounds__(128, 2) sum(const T* in, T* out) {
  __shared__ T values[128];
  values[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x] * weights[threadIdx.x % 4];
  __syncthreads();
#pragma unroll 1
  for (int width = 64; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      values[threadIdx.x] += values[threadIdx.x + width];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = values[0] + table[blockIdx.x % 2];
    counter = blockIdx.x;
  }
}

template __global__ void sum<float>(const float*, float*);

}  // namespace demo

struct Work {
  int seeds[6];
  long long factor;
};

extern "C" __global__ void spill(Work work, int* out, int turns) {
  int values[9];
  for (int i = 0; i < 9; ++i) {
    values[i] = work.seeds[i % 6] * i;
  }
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    values[(values[i % 9] & 0x7fffffff) % 9] += i;  // an index that is known at run time only
  }
  out[threadIdx.x] = values[turns % 9] * static_cast<int>(work.factor);
}
