// SPDX-License-Identifier: MIT
// C = A B^T by a warpgroup where two of four values of A are there (one of two of TF32): A has rows of what is there, B
// rows of all of k, and the metadata four bits for each group of a row, one after another. A step has 64 bytes a row of
// A, swizzled by 64 bytes, and 128 of B, swizzled by 128; a CTA has 128 threads and makes 64 x 16 of C.
#include "hopper.cuh"

constexpr int kRows = 64;
constexpr int kColumns = 16;
constexpr int kBytesOfA = 64;
constexpr int kBytesOfB = 128;
constexpr int kProducts = 2;  // of a step
constexpr int kSums = 8;

#define GPUSIM_SUMS "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define GPUSIM_IN_OUT(letter, d) \
  letter(d[0]), letter(d[1]), letter(d[2]), letter(d[3]), letter(d[4]), letter(d[5]), letter(d[6]), letter(d[7])

template <int kRowBytes>
__device__ unsigned long long descriptor(unsigned tile) {
  constexpr unsigned long long kSwizzle = kRowBytes == 128 ? 1 : 2;
  return (tile & 0x3ffff) >> 4 | 1ull << 16 | kRowBytes / 2ull << 32 | kSwizzle << 62;
}

template <int kRowBytes>
__device__ void copy_tile(char* tile, const char* from, int rows, int pitch) {
  for (int i = threadIdx.x; i < rows * kRowBytes; i += blockDim.x) {
    const int row = i / kRowBytes;
    const int moved = kRowBytes == 128 ? row % 8 : row / 2 % 4;
    tile[row * kRowBytes + (i % kRowBytes ^ moved * 16)] = from[row * pitch + i % kRowBytes];
  }
}

/// Row of the tile that register `i` of this thread has.
__device__ int row_of(int i) {
  return threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
}

/// 32 bits a row. Two of four lanes say it: the others have bits that would be wrong.
__device__ unsigned metadata_of_two(const unsigned* of_rows, int pitch, int selector) {
  const int shift = threadIdx.x % 2 * 16;
  const unsigned low = of_rows[row_of(0) * pitch] >> shift & 0xffff;
  const unsigned high = of_rows[row_of(2) * pitch] >> shift << 16;
  return threadIdx.x / 2 % 2 == selector ? low | high : ~(low | high);
}
/// 64 bits a row: each lane says 32 of them.
__device__ unsigned metadata_of_four(const unsigned* of_rows, int pitch) {
  return of_rows[row_of(threadIdx.x % 2 * 2) * pitch + threadIdx.x / 2 % 2];
}

struct Operands {
  unsigned long long a;
  unsigned of_a[4];
  unsigned long long b;
  unsigned metadata;
};

/// `kWords`: of metadata for a row and product.
template <int kWords, typename Sum, typename First, typename Second>
__device__ void multiply(int n, int steps, const char* a, const char* b, const unsigned* metadata, Sum* c, First first,
                         Second second) {
  __shared__ alignas(1024) char tile_a[kRows * kBytesOfA];
  __shared__ alignas(1024) char tile_b[kColumns * kBytesOfB];
  const int row = blockIdx.y * kRows;
  const int column = blockIdx.x * kColumns;
  const int pitch = steps * kProducts * kWords;
  Sum d[kSums] = {};
  for (int step = 0; step < steps; ++step) {
    const char* from_a = a + row * steps * kBytesOfA + step * kBytesOfA;
    copy_tile<kBytesOfA>(tile_a, from_a, kRows, steps * kBytesOfA);
    copy_tile<kBytesOfB>(tile_b, b + column * steps * kBytesOfB + step * kBytesOfB, kColumns, steps * kBytesOfB);
    Operands operands[kProducts];
    for (int i = 0; i < kProducts; ++i) {
      operands[i].a = descriptor<kBytesOfA>(shared_address(tile_a) + i * 32);
      operands[i].b = descriptor<kBytesOfB>(shared_address(tile_b) + i * 64);
      for (int j = 0; j < 4; ++j) {
        const int byte = i * 32 + j / 2 * 16 + threadIdx.x % 4 * 4;
        operands[i].of_a[j] = *reinterpret_cast<const unsigned*>(from_a + row_of(2 * j) * steps * kBytesOfA + byte);
      }
      const unsigned* of_rows = metadata + row * pitch + (step * kProducts + i) * kWords;
      operands[i].metadata = kWords == 1 ? metadata_of_two(of_rows, pitch, i) : metadata_of_four(of_rows, pitch);
    }
    publish_to_async();
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    first(d, operands[0]);
    second(d, operands[1]);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  for (int i = 0; i < kSums; ++i) {
    c[(row + row_of(i)) * n + column + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2] = d[i];
  }
}

template <int kSelector>
struct MultiplyF16 {
  __device__ void operator()(float (&d)[kSums], const Operands& from) const {
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 " GPUSIM_SUMS
                 ", %8, %9, %10, %11, 1, 1, 1, 0, 0;"
                 : GPUSIM_IN_OUT("+f", d)
                 : "l"(from.a), "l"(from.b), "r"(from.metadata), "n"(kSelector));
  }
};

template <int kSelector>
struct MultiplyBf16 {
  __device__ void operator()(float (&d)[kSums], const Operands& from) const {
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.bf16.bf16 " GPUSIM_SUMS
                 ", {%8, %9, %10, %11}, %12, %13, %14, 1, 1, -1, 0;"
                 : GPUSIM_IN_OUT("+f", d)
                 : "r"(from.of_a[0]), "r"(from.of_a[1]), "r"(from.of_a[2]), "r"(from.of_a[3]), "l"(from.b),
                   "r"(from.metadata), "n"(kSelector));
  }
};

template <int kSelector>
struct MultiplyTf32 {
  __device__ void operator()(float (&d)[kSums], const Operands& from) const {
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n16k16.f32.tf32.tf32 " GPUSIM_SUMS ", %8, %9, %10, %11, 1, 1, 1;"
                 : GPUSIM_IN_OUT("+f", d)
                 : "l"(from.a), "l"(from.b), "r"(from.metadata), "n"(kSelector));
  }
};

struct MultiplyFp8 {
  __device__ void operator()(float (&d)[kSums], const Operands& from) const {
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n16k64.f32.e4m3.e5m2 " GPUSIM_SUMS ", %8, %9, %10, 0, 1, 1, 1;"
                 : GPUSIM_IN_OUT("+f", d)
                 : "l"(from.a), "l"(from.b), "r"(from.metadata));
  }
};

struct MultiplyInt8 {
  __device__ void operator()(int (&d)[kSums], const Operands& from) const {
    asm volatile(
        "wgmma.mma_async.sp.sync.aligned.m64n16k64.s32.s8.u8 " GPUSIM_SUMS ", {%8, %9, %10, %11}, %12, %13, 0, 1;"
        : GPUSIM_IN_OUT("+r", d)
        : "r"(from.of_a[0]), "r"(from.of_a[1]), "r"(from.of_a[2]), "r"(from.of_a[3]), "l"(from.b), "r"(from.metadata));
  }
};

extern "C" __global__ void __launch_bounds__(128)
    wgmma_sparse_f16(int n, int steps, const char* a, const char* b, const unsigned* metadata, float* c) {
  multiply<1>(n, steps, a, b, metadata, c, MultiplyF16<0>(), MultiplyF16<1>());
}

/// A from registers, and C = - A B^T.
extern "C" __global__ void __launch_bounds__(128)
    wgmma_sparse_bf16(int n, int steps, const char* a, const char* b, const unsigned* metadata, float* c) {
  multiply<1>(n, steps, a, b, metadata, c, MultiplyBf16<0>(), MultiplyBf16<1>());
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_sparse_tf32(int n, int steps, const char* a, const char* b, const unsigned* metadata, float* c) {
  multiply<1>(n, steps, a, b, metadata, c, MultiplyTf32<0>(), MultiplyTf32<1>());
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_sparse_fp8(int n, int steps, const char* a, const char* b, const unsigned* metadata, float* c) {
  multiply<2>(n, steps, a, b, metadata, c, MultiplyFp8(), MultiplyFp8());
}

/// A from registers.
extern "C" __global__ void __launch_bounds__(128)
    wgmma_sparse_int8(int n, int steps, const char* a, const char* b, const unsigned* metadata, int* c) {
  multiply<2>(n, steps, a, b, metadata, c, MultiplyInt8(), MultiplyInt8());
}
