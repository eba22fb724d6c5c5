// SPDX-License-Identifier: MIT
// Sums and maxima over a warp and over a CTA of 256 threads, and 16 bytes of floats as one access.
#pragma once

namespace gpusim::silicon {

constexpr unsigned kAllLanes = 0xffffffffu;

/// Four floats that are loaded and stored as one access of 16 bytes.
struct alignas(16) Float4 {
  float at[4];
};

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

struct Maximum {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// The same result in every lane: five butterfly steps, one SHFL each.
template <typename Combine>
__device__ inline float over_warp(float value, Combine combine) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value = combine(value, __shfl_xor_sync(kAllLanes, value, distance));
  }
  return value;
}

/// The same result in every one of 256 threads: over each warp, one store per warp, one barrier, eight broadcast loads
/// (two of 16 bytes) in each thread that uses the result. `of_warp` has eight elements and must not be reused without a
/// barrier.
template <typename Combine>
__device__ inline float over_cta(float value, float* of_warp, Combine combine) {
  constexpr int kWarps = 8;
  value = over_warp(value, combine);
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = value;
  }
  __syncthreads();
  value = of_warp[0];
#pragma unroll
  for (int warp = 1; warp < kWarps; ++warp) {
    value = combine(value, of_warp[warp]);
  }
  return value;
}

}  // namespace gpusim::silicon
