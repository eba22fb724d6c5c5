// SPDX-License-Identifier: MIT
// PTX for the tensor cores from a warpgroup (Hopper, sm_90a): wgmma, d (64 x N, floats in registers) = a b or d += a b.
// A comes from shared memory or registers, B from shared memory; 32 bytes of each row of A a step (k = 16 of 16-bit
// elements, 8 of tf32, 32 of fp8).
//
// Around it: wgmma_fence(), any number of wgmma(), wgmma_commit(), wgmma_wait<0>(), wgmma_settled(d). The registers of
// d (and of A) belong to the tensor cores in between. Shared memory that threads wrote needs fence_async_shared()
// first.
//
// d, register i of a thread of warp w (of the four) and lane 4 g + t: row 16 w + g + 8 ((i / 2) % 2), column
// 8 (i / 4) + 2 t + i % 2. A in registers: the layout of mma.cuh for rows 16 w to 16 w + 15.
//
// Operands in shared memory, by descriptors. One layout is provided, which TMA writes with CU_TENSOR_MAP_SWIZZLE_128B:
// rows of 128 bytes one after another, and in row r the 16-byte chunk c at place c ^ (r % 8). Eight rows, 1024 bytes,
// are the unit that the swizzle repeats in, so a tile begins at a multiple of 1024.
//   k_major(tile):  rows are rows of A (or columns of B), k runs along them: 64 elements of 16 bits. Groups of 8 rows
//                   follow each other (stride offset 1024; the leading offset is not used). Step s: advance(descriptor,
//                   32 s), s = 0 to 3: the hardware swizzles addresses, so an offset within the row just adds.
//   mn_major(tile, slab): 16-bit elements only. Rows are k, 64 elements of n (or m) run along them. 8 rows of k follow
//                   each other (stride offset 1024); the next 64 elements of n are `slab` bytes on (leading offset),
//                   which is 128 x the tile's rows of k when each TMA box brings 64 columns. Step s: 16 rows on,
//                   advance(descriptor, 2048 s).
#pragma once

#include <cstdint>

#include "tools/silicon/device/mma.cuh"

namespace gpusim::silicon {

// Bits 0 to 13 the address, 16 to 29 the leading, 32 to 45 the stride offset, all in units of 16 bytes; 62 and 63 the
// swizzle, 1 for 128 bytes.
__device__ __forceinline__ std::uint64_t wgmma_descriptor(std::uint32_t tile, std::uint32_t leading) {
  constexpr std::uint64_t kStride = 1024 / 16;
  constexpr std::uint64_t kSwizzle128 = 1;
  return ((tile & 0x3ffff) >> 4) | std::uint64_t{leading / 16} << 16 | kStride << 32 | kSwizzle128 << 62;
}
__device__ __forceinline__ std::uint64_t k_major(std::uint32_t tile) {
  return wgmma_descriptor(tile, 16);
}
__device__ __forceinline__ std::uint64_t mn_major(std::uint32_t tile, std::uint32_t slab) {
  return wgmma_descriptor(tile, slab);
}
__device__ __forceinline__ std::uint64_t advance(std::uint64_t descriptor, std::uint32_t bytes) {
  return descriptor + bytes / 16;
}

/// Where a byte of such a tile lies: row r, byte c of its 128.
__host__ __device__ constexpr std::uint32_t swizzled_128(std::uint32_t row, std::uint32_t column_byte) {
  return (row * 128 + column_byte) ^ (row % 8 * 16);
}

// clang-format off
// Every type of operands: name, elements, k of a step, PTX dense and sparse, what follows the signs of A and B where A is
// in shared memory and where it is in registers. The names that end in N have B with n along its rows (mn_major).
#define SILICON_WGMMA_TYPES(X) \
  X(WgmmaBf16, __nv_bfloat16, 16, "k16.f32.bf16.bf16", "k32.f32.bf16.bf16", ", 0, 0", ", 0") \
  X(WgmmaF16, __half, 16, "k16.f32.f16.f16", "k32.f32.f16.f16", ", 0, 0", ", 0") \
  X(WgmmaBf16N, __nv_bfloat16, 16, "k16.f32.bf16.bf16", "k32.f32.bf16.bf16", ", 0, 1", ", 1") \
  X(WgmmaF16N, __half, 16, "k16.f32.f16.f16", "k32.f32.f16.f16", ", 0, 1", ", 1") \
  X(WgmmaTf32, Tf32, 8, "k8.f32.tf32.tf32", "k16.f32.tf32.tf32", "", "") \
  X(WgmmaE4m3, __nv_fp8_e4m3, 32, "k32.f32.e4m3.e4m3", "k64.f32.e4m3.e4m3", "", "")
// clang-format on
#define SILICON_WGMMA_TYPE(Name, Input, k, dense, sparse, of_both, of_b) \
  struct Name {                                                          \
    using Element = Input;                                               \
    static constexpr int kK = k;                                         \
    static constexpr char kDense[] = dense;                              \
    static constexpr char kSparse[] = sparse;                            \
    static constexpr char kTransposeBoth[] = of_both;                    \
    static constexpr char kTransposeB[] = of_b;                          \
  };
SILICON_WGMMA_TYPES(SILICON_WGMMA_TYPE)

// Placeholders and operands of the registers of d.
// clang-format off
#define SILICON_PLACES_4 "{%0, %1, %2, %3}"
#define SILICON_PLACES_8 "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define SILICON_PLACES_16 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}"
#define SILICON_PLACES_32 \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define SILICON_PLACES_64 \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, " \
  "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
  "%62, %63}"
#define SILICON_PLACES_128 \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, " \
  "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
  "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, " \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, " \
  "%101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, " \
  "%117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"
#define SILICON_REGISTERS_4(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SILICON_REGISTERS_8(d, i) SILICON_REGISTERS_4(d, i), SILICON_REGISTERS_4(d, i + 4)
#define SILICON_REGISTERS_16(d, i) SILICON_REGISTERS_8(d, i), SILICON_REGISTERS_8(d, i + 8)
#define SILICON_REGISTERS_32(d, i) SILICON_REGISTERS_16(d, i), SILICON_REGISTERS_16(d, i + 16)
#define SILICON_REGISTERS_64(d, i) SILICON_REGISTERS_32(d, i), SILICON_REGISTERS_32(d, i + 32)
#define SILICON_REGISTERS_128(d, i) SILICON_REGISTERS_64(d, i), SILICON_REGISTERS_64(d, i + 64)
// clang-format on

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)

__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Until at most `kPending` of the latest groups are under way.
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}
/// After the wait: keeps the compiler from reading d before it. Also before wgmma_fence(), where d was computed.
template <typename R, int kCount>
__device__ __forceinline__ void wgmma_settled(R (&registers)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    if constexpr (sizeof(R) == 4 && !std::is_same_v<R, float>) {
      asm volatile("" : "+r"(registers[i])::"memory");
    } else {
      asm volatile("" : "+f"(registers[i])::"memory");
    }
  }
}

// The numbers are places of the operands after d's kD registers. `accumulate` 0: d = a b.
#define SILICON_WGMMA(n, kD, p0, p1, p2, p3, p4, p5, p6, p7)                                                          \
  template <typename Type>                                                                                            \
  __device__ __forceinline__ void wgmma(float(&d)[kD], std::uint64_t a, std::uint64_t b, int accumulate) {            \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #p2 ", 0; wgmma.mma_async.sync.aligned.m64n" #n "%" #p3           \
                 " " SILICON_PLACES_##kD ", %" #p0 ", %" #p1 ", p, 1, 1%" #p4 "; }"                                   \
                 : SILICON_REGISTERS_##kD(d, 0)                                                                       \
                 : "l"(a), "l"(b), "r"(accumulate), "C"(Type::kDense), "C"(Type::kTransposeBoth)                      \
                 : "memory");                                                                                         \
  }                                                                                                                   \
  template <typename Type>                                                                                            \
  __device__ __forceinline__ void wgmma(float(&d)[kD], const std::uint32_t(&a)[4], std::uint64_t b, int accumulate) { \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #p5 ", 0; wgmma.mma_async.sync.aligned.m64n" #n "%" #p6           \
                 " " SILICON_PLACES_##kD ", {%" #p0 ", %" #p1 ", %" #p2 ", %" #p3 "}, %" #p4 ", p, 1, 1%" #p7 "; }"   \
                 : SILICON_REGISTERS_##kD(d, 0)                                                                       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate), "C"(Type::kDense),            \
                   "C"(Type::kTransposeB)                                                                             \
                 : "memory");                                                                                         \
  }                                                                                                                   \
  /* A holds half of its elements, chosen by metadata as in mma.cuh; a step is twice as deep: 32 bytes of A, 64 of B. \
   */                                                                                                                 \
  template <typename Type>                                                                                            \
  __device__ __forceinline__ void wgmma_sparse(float(&d)[kD], std::uint64_t a, std::uint64_t b,                       \
                                               std::uint32_t metadata, int accumulate) {                              \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #p3 ", 0; wgmma.mma_async.sp.sync.aligned.m64n" #n "%" #p4        \
                 " " SILICON_PLACES_##kD ", %" #p0 ", %" #p1 ", %" #p2 ", 0, p, 1, 1%" #p5 "; }"                      \
                 : SILICON_REGISTERS_##kD(d, 0)                                                                       \
                 : "l"(a), "l"(b), "r"(metadata), "r"(accumulate), "C"(Type::kSparse), "C"(Type::kTransposeBoth)      \
                 : "memory");                                                                                         \
  }

SILICON_WGMMA(8, 4, 4, 5, 6, 7, 8, 9, 10, 11)
SILICON_WGMMA(16, 8, 8, 9, 10, 11, 12, 13, 14, 15)
SILICON_WGMMA(32, 16, 16, 17, 18, 19, 20, 21, 22, 23)
SILICON_WGMMA(64, 32, 32, 33, 34, 35, 36, 37, 38, 39)
SILICON_WGMMA(128, 64, 64, 65, 66, 67, 68, 69, 70, 71)
SILICON_WGMMA(256, 128, 128, 129, 130, 131, 132, 133, 134, 135)

#endif

}  // namespace gpusim::silicon
