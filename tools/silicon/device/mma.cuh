// SPDX-License-Identifier: MIT
// PTX for the tensor cores from one warp: ldmatrix and mma.sync, dense and with 2:4 sparse A. wgmma.cuh has those of a
// warpgroup.
//
// Layout of the operands in the warp, the same for all types (PTX ISA, "Matrix Fragments"). With g = lane / 4,
// t = lane % 4 and e = elements in a 32-bit register (1 for tf32 and, in a 64-bit one, f64):
//   A, register r, element j: row g + 8 (r % 2), column e t + j + 4 e (r / 2)     (m8n8k4: one register, row g)
//   B, register r, element j: column g,          row    e t + j + 4 e r
//   C, element i:             row g + 8 (i / 2), column 2 t + i % 2               (f16: elements 2 r, 2 r + 1 in
//   register r)
// A is row-major, B column-major: the elements of a register are neighbours along k. Sparse A: the same of the matrix
// of its nonzero elements, which has k / 2 columns.
//
// A shape is a line in a table below; `mma<Bf16K16>(d, a, b)` is d += a b, with arrays of registers as the shape says.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "tools/silicon/device/async.cuh"

namespace gpusim::silicon {

/// A float whose low 13 bits are ignored.
struct Tf32 {
  float value;
};

// ---- ldmatrix: 8 x 8 matrices of 16-bit elements; lanes 8 i to 8 i + 7 give the rows of matrix i, 16 bytes each -----
// Without transposing, matrix i arrives as register i of an operand: of A for matrices ordered top left, bottom left,
// top right, bottom right; of B (stored with k along the rows of memory) for low k, high k. Transposed: for B stored
// with n along the rows of memory, or A stored by columns.

__device__ __forceinline__ void load_matrix(std::uint32_t (&r)[1], std::uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row) : "memory");
}
__device__ __forceinline__ void load_matrix(std::uint32_t (&r)[2], std::uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void load_matrix(std::uint32_t (&r)[4], std::uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void load_matrix_transposed(std::uint32_t (&r)[1], std::uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row) : "memory");
}
__device__ __forceinline__ void load_matrix_transposed(std::uint32_t (&r)[2], std::uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void load_matrix_transposed(std::uint32_t (&r)[4], std::uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}

// ---- mma.sync -----------------------------------------------------------------------------------------------------
// d, in registers of its own type (f16: two in one), elements of A and B, rows, columns and depth.

template <int m, int n, int k, typename Input, typename Output>
struct MmaShape {
  static constexpr int kM = m;
  static constexpr int kN = n;
  static constexpr int kK = k;
  using Element = Input;
  using Result = Output;
  using Register = std::conditional_t<sizeof(Element) == 8, double, std::uint32_t>;
  using Accumulator = std::conditional_t<sizeof(Result) == 2, std::uint32_t, Result>;
  static constexpr int kA = m * k * sizeof(Element) / sizeof(Register) / 32;
  static constexpr int kB = n * k * sizeof(Element) / sizeof(Register) / 32;
  static constexpr int kD = m * n * sizeof(Result) / sizeof(Accumulator) / 32;
  static constexpr bool kSparse = false;
  static constexpr double kFlops = 2.0 * m * n * k;  ///< of one instruction, zeros of a sparse A included
};

// Half of a sparse A is in registers.
template <int m, int n, int k, typename Input, typename Output>
struct SparseMmaShape : MmaShape<m, n, k, Input, Output> {
  static constexpr int kA = MmaShape<m, n, k, Input, Output>::kA / 2;
  static constexpr bool kSparse = true;
};

// clang-format off
#define SILICON_MMA_SHAPES(X) \
  X(F16K8, 16, 8, 8, __half, float, ".m16n8k8.row.col.f32.f16.f16.f32") \
  X(F16K16, 16, 8, 16, __half, float, ".m16n8k16.row.col.f32.f16.f16.f32") \
  X(F16K8ToF16, 16, 8, 8, __half, __half, ".m16n8k8.row.col.f16.f16.f16.f16") \
  X(F16K16ToF16, 16, 8, 16, __half, __half, ".m16n8k16.row.col.f16.f16.f16.f16") \
  X(Bf16K8, 16, 8, 8, __nv_bfloat16, float, ".m16n8k8.row.col.f32.bf16.bf16.f32") \
  X(Bf16K16, 16, 8, 16, __nv_bfloat16, float, ".m16n8k16.row.col.f32.bf16.bf16.f32") \
  X(Tf32K4, 16, 8, 4, Tf32, float, ".m16n8k4.row.col.f32.tf32.tf32.f32") \
  X(Tf32K8, 16, 8, 8, Tf32, float, ".m16n8k8.row.col.f32.tf32.tf32.f32") \
  X(S8K16, 16, 8, 16, std::int8_t, std::int32_t, ".m16n8k16.row.col.s32.s8.s8.s32") \
  X(S8K32, 16, 8, 32, std::int8_t, std::int32_t, ".m16n8k32.row.col.s32.s8.s8.s32") \
  X(F64K4, 8, 8, 4, double, double, ".m8n8k4.row.col.f64.f64.f64.f64")
// sm_90.
#define SILICON_MMA_SHAPES_SM90(X) \
  X(F64M16K4, 16, 8, 4, double, double, ".m16n8k4.row.col.f64.f64.f64.f64") \
  X(F64M16K8, 16, 8, 8, double, double, ".m16n8k8.row.col.f64.f64.f64.f64") \
  X(F64M16K16, 16, 8, 16, double, double, ".m16n8k16.row.col.f64.f64.f64.f64")
// sm_89. Hopper has no such instruction: 12 conversions to f16, 2 HMMA and 4 FADD take its place.
#define SILICON_MMA_SHAPES_FP8(X) \
  X(E4m3K32, 16, 8, 32, __nv_fp8_e4m3, float, ".m16n8k32.row.col.f32.e4m3.e4m3.f32")
#define SILICON_SPARSE_MMA_SHAPES(X) \
  X(SparseF16K16, 16, 8, 16, __half, float, ".m16n8k16.row.col.f32.f16.f16.f32") \
  X(SparseF16K32, 16, 8, 32, __half, float, ".m16n8k32.row.col.f32.f16.f16.f32") \
  X(SparseBf16K16, 16, 8, 16, __nv_bfloat16, float, ".m16n8k16.row.col.f32.bf16.bf16.f32") \
  X(SparseBf16K32, 16, 8, 32, __nv_bfloat16, float, ".m16n8k32.row.col.f32.bf16.bf16.f32") \
  X(SparseTf32K8, 16, 8, 8, Tf32, float, ".m16n8k8.row.col.f32.tf32.tf32.f32") \
  X(SparseTf32K16, 16, 8, 16, Tf32, float, ".m16n8k16.row.col.f32.tf32.tf32.f32") \
  X(SparseS8K32, 16, 8, 32, std::int8_t, std::int32_t, ".m16n8k32.row.col.s32.s8.s8.s32") \
  X(SparseS8K64, 16, 8, 64, std::int8_t, std::int32_t, ".m16n8k64.row.col.s32.s8.s8.s32")
// clang-format on

#define SILICON_MMA_TYPE(Name, m, n, k, Element, Result, ptx) \
  struct Name : MmaShape<m, n, k, Element, Result> {          \
    static constexpr char kPtx[] = "mma.sync.aligned" ptx;    \
  };
#define SILICON_SPARSE_MMA_TYPE(Name, m, n, k, Element, Result, ptx)            \
  struct Name : SparseMmaShape<m, n, k, Element, Result> {                      \
    static constexpr char kPtx[] = "mma.sp::ordered_metadata.sync.aligned" ptx; \
  };
SILICON_MMA_SHAPES(SILICON_MMA_TYPE)
SILICON_MMA_SHAPES_SM90(SILICON_MMA_TYPE)
SILICON_MMA_SHAPES_FP8(SILICON_MMA_TYPE)
SILICON_SPARSE_MMA_SHAPES(SILICON_SPARSE_MMA_TYPE)

// One function for each number of registers and type of d; the shape brings the instruction's name ("C" is a
// constant string).
#define SILICON_MMA_4_4_2(R, d_letter, Operand, letter)                                                \
  template <typename Shape>                                                                            \
  __device__ __forceinline__ void mma(R(&d)[4], const Operand(&a)[4], const Operand(&b)[2]) {          \
    asm volatile("%10 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                 \
                 : "+" d_letter(d[0]), "+" d_letter(d[1]), "+" d_letter(d[2]), "+" d_letter(d[3])      \
                 : letter(a[0]), letter(a[1]), letter(a[2]), letter(a[3]), letter(b[0]), letter(b[1]), \
                   "C"(Shape::kPtx));                                                                  \
  }
#define SILICON_MMA_4_2_1(R, d_letter, Operand, letter)                                           \
  template <typename Shape>                                                                       \
  __device__ __forceinline__ void mma(R(&d)[4], const Operand(&a)[2], const Operand(&b)[1]) {     \
    asm volatile("%7 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"                         \
                 : "+" d_letter(d[0]), "+" d_letter(d[1]), "+" d_letter(d[2]), "+" d_letter(d[3]) \
                 : letter(a[0]), letter(a[1]), letter(b[0]), "C"(Shape::kPtx));                   \
  }
SILICON_MMA_4_4_2(float, "f", std::uint32_t, "r")
SILICON_MMA_4_2_1(float, "f", std::uint32_t, "r")
SILICON_MMA_4_4_2(std::int32_t, "r", std::uint32_t, "r")
SILICON_MMA_4_2_1(std::int32_t, "r", std::uint32_t, "r")
SILICON_MMA_4_4_2(double, "d", double, "d")
SILICON_MMA_4_2_1(double, "d", double, "d")

template <typename Shape>
__device__ __forceinline__ void mma(std::uint32_t (&d)[2], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  asm volatile("%8 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(d[0]), "+r"(d[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "C"(Shape::kPtx));
}
template <typename Shape>
__device__ __forceinline__ void mma(std::uint32_t (&d)[2], const std::uint32_t (&a)[2], const std::uint32_t (&b)[1]) {
  asm volatile("%5 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
               : "+r"(d[0]), "+r"(d[1])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "C"(Shape::kPtx));
}
template <typename Shape>
__device__ __forceinline__ void mma(double (&d)[2], const double (&a)[1], const double (&b)[1]) {
  asm volatile("%4 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a[0]), "d"(b[0]), "C"(Shape::kPtx));
}
template <typename Shape>
__device__ __forceinline__ void mma(double (&d)[4], const double (&a)[8], const double (&b)[4]) {
  asm volatile(
      "%16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, "
      "{%0, %1, %2, %3};"
      : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
        "d"(b[2]), "d"(b[3]), "C"(Shape::kPtx));
}

// The 2 (the 1) of every 4 neighbours in a row of A (2 for tf32) in registers are those that `metadata` names: 4 bits
// for each group, the lower 2 the first one's place (tf32: 0100 the first, 1110 the second). The same 4 bits all over,
// as in kSparseSecondAndFourth, make every lane's metadata the same whatever the shape.
constexpr std::uint32_t kSparseSecondAndFourth = 0xdddddddd;  ///< of each 4: elements 1 and 3
constexpr std::uint32_t kSparseSecondOfTwo = 0xeeeeeeee;      ///< tf32: of each 2, element 1
/// Either way the odd columns of A.
template <typename Shape>
constexpr std::uint32_t kSparsePattern = sizeof(typename Shape::Element) == 4 ? kSparseSecondOfTwo
                                                                              : kSparseSecondAndFourth;

#define SILICON_MMA_SPARSE(R, d_letter)                                                                          \
  template <typename Shape>                                                                                      \
  __device__ __forceinline__ void mma_sparse(R(&d)[4], const std::uint32_t(&a)[4], const std::uint32_t(&b)[4],   \
                                             std::uint32_t metadata) {                                           \
    asm volatile(                                                                                                \
        "%13 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, "                                           \
        "{%0, %1, %2, %3}, %12, 0x0;"                                                                            \
        : "+" d_letter(d[0]), "+" d_letter(d[1]), "+" d_letter(d[2]), "+" d_letter(d[3])                         \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(metadata), \
          "C"(Shape::kPtx));                                                                                     \
  }                                                                                                              \
  template <typename Shape>                                                                                      \
  __device__ __forceinline__ void mma_sparse(R(&d)[4], const std::uint32_t(&a)[2], const std::uint32_t(&b)[2],   \
                                             std::uint32_t metadata) {                                           \
    asm volatile("%9 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, 0x0;"                           \
                 : "+" d_letter(d[0]), "+" d_letter(d[1]), "+" d_letter(d[2]), "+" d_letter(d[3])                \
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(metadata), "C"(Shape::kPtx));                 \
  }
SILICON_MMA_SPARSE(float, "f")
SILICON_MMA_SPARSE(std::int32_t, "r")

}  // namespace gpusim::silicon
