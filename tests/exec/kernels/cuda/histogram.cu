// SPDX-License-Identifier: MIT
constexpr unsigned kBins = 64;

extern "C" __global__ void histogram_global(unsigned n, const unsigned* values, unsigned* bins) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[values[i] % kBins], 1);
  }
}

extern "C" __global__ void histogram_shared(unsigned n, const unsigned* values, unsigned* bins) {
  __shared__ unsigned mine[kBins];
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) {
    mine[i] = 0;
  }
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[values[i] % kBins], 1);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) {
    atomicAdd(&bins[i], mine[i]);
  }
}
