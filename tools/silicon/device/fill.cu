// SPDX-License-Identifier: MIT
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "tools/silicon/device/buffer.cuh"

namespace gpusim::silicon {
namespace {

// The finaliser of a common 64-bit mixing function: every bit of the result depends on every bit of the input.
__device__ std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

__device__ double uniform(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
}

template <typename T>
__device__ T random_value(std::uint64_t bits) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits >> 32);
  } else {
    // Rounded once, from the type the conversion is exact enough for.
    return T(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(uniform(bits)));
  }
}

template <typename T>
__global__ void fill_kernel(T* data, std::size_t count, std::uint64_t seed) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] = random_value<T>(mixed(mixed(seed) + i));
  }
}

template <typename T>
void fill_as(void* data, std::size_t bytes, std::uint64_t seed) {
  fill_kernel<T><<<1024, 256>>>(static_cast<T*>(data), bytes / sizeof(T), seed);
  SILICON_CHECK(cudaGetLastError());
}

}  // namespace

void fill_random(void* data, std::size_t bytes, Element element, std::uint64_t seed) {
  switch (element) {
    case Element::F64: return fill_as<double>(data, bytes, seed);
    case Element::F32: return fill_as<float>(data, bytes, seed);
    case Element::F16: return fill_as<__half>(data, bytes, seed);
    case Element::Bf16: return fill_as<__nv_bfloat16>(data, bytes, seed);
    case Element::E4m3: return fill_as<__nv_fp8_e4m3>(data, bytes, seed);
    case Element::Bits8: return fill_as<std::uint8_t>(data, bytes, seed);
    case Element::Bits32: return fill_as<std::uint32_t>(data, bytes, seed);
  }
}

}  // namespace gpusim::silicon
