// SPDX-License-Identifier: MIT
// The bodies of the larger kernels (*.h of this folder) are written once, against a `Cta` that says what a thread can
// do: on the GPU that is gpu_cta.cuh, in tests/silicon an emulation that runs all threads of a CTA on the host. So
// tilings, swizzles, fragments and barriers are proved without a GPU, and what is measured is the very code that was
// proved.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define SILICON_KERNEL __device__ __forceinline__
#define SILICON_UNROLL _Pragma("unroll")
#define SILICON_NO_UNROLL _Pragma("unroll 1")
#else
#define SILICON_KERNEL inline
#define SILICON_UNROLL
#define SILICON_NO_UNROLL
#endif

namespace gpusim::silicon {

struct Index3 {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
};

/// What one 128-bit access moves.
struct alignas(16) Floats4 {
  float v[4];
};
struct alignas(16) Words4 {
  std::uint32_t v[4];
};

/// The bits of a bfloat16; the host compiler has no such type.
using Bf16Bits = std::uint16_t;

constexpr std::uint32_t kLanes = 32;

/// Where chunk `chunk` (16 bytes) of a row lies in shared memory when rows are kRowBytes long, a multiple of 128: eight
/// consecutive rows have a chunk in eight different groups of four banks, so that LDSM reads it without a conflict. For
/// rows of 128 bytes this is the tensor maps' 128-byte swizzle as well (of a tile aligned to 1024 bytes).
template <std::uint32_t kRowBytes>
constexpr std::uint32_t swizzled(std::uint32_t row, std::uint32_t chunk) {
  static_assert(kRowBytes % 128 == 0);
  return row * kRowBytes + ((chunk ^ (row % 8)) * 16);
}

}  // namespace gpusim::silicon
