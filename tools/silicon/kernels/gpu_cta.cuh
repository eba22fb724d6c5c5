// SPDX-License-Identifier: MIT
// What a thread of a kernel can do, on the GPU (portable.h says why there is such a thing).
#pragma once

#include <cuda_bf16.h>

#include "tools/silicon/device/async.cuh"
#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/mma.cuh"
#include "tools/silicon/device/wgmma.cuh"
#include "tools/silicon/kernels/portable.h"

namespace gpusim::silicon {

extern __shared__ __align__(1024) unsigned char gpu_cta_shared[];

struct GpuCta {
  using TensorMap = CUtensorMap;

  __device__ std::uint32_t thread() const { return threadIdx.x; }
  __device__ Index3 block() const { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  template <typename T>
  __device__ T* shared(std::uint32_t offset) const {
    return reinterpret_cast<T*>(gpu_cta_shared + offset);
  }
  __device__ std::uint32_t shared_base() const { return shared_address(gpu_cta_shared); }

  __device__ void sync() const { __syncthreads(); }
  __device__ void sync_warp() const { __syncwarp(); }
  __device__ void sync_some(std::uint32_t barrier, std::uint32_t threads) const {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
  }

  __device__ void copy_async(std::uint32_t to, const void* from) const { copy_async_16(to, from); }
  __device__ void copy_async_commit() const { silicon::copy_async_commit(); }
  template <int kPending>
  __device__ void copy_async_wait() const {
    silicon::copy_async_wait<kPending>();
  }

  __device__ Words4 load_shared(std::uint32_t address) const {
    Words4 words;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.v[0]), "=r"(words.v[1]), "=r"(words.v[2]), "=r"(words.v[3])
                 : "r"(address)
                 : "memory");
    return words;
  }
  __device__ void store_shared(std::uint32_t address, std::uint32_t word) const {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
  }
  __device__ void store_global(void* to, const Words4& words) const {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(words.v[0]), "r"(words.v[1]),
                 "r"(words.v[2]), "r"(words.v[3])
                 : "memory");
  }

  __device__ void load_matrix(std::uint32_t (&r)[4], std::uint32_t row) const { silicon::load_matrix(r, row); }
  __device__ void load_matrix_transposed(std::uint32_t (&r)[4], std::uint32_t row) const {
    silicon::load_matrix_transposed(r, row);
  }
  __device__ void mma(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) const {
    silicon::mma<Bf16K16>(c, a, b);
  }
  /// Two floats to bf16, the first in the low half: F2FP.
  __device__ std::uint32_t pack(float low, float high) const {
    std::uint32_t word;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
    return word;
  }
  __device__ float shuffle_xor(float value, std::uint32_t mask) const {
    return __shfl_xor_sync(0xffffffff, value, static_cast<int>(mask));
  }
  /// One MUFU.EX2, one MUFU.RCP: without the range code of the library.
  __device__ float exp2(float x) const {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
  __device__ float reciprocal(float x) const {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __device__ void barrier_init(std::uint32_t barrier, std::uint32_t arrivals) const {
    silicon::barrier_init(barrier, arrivals);
  }
  __device__ void publish_barriers() const {
    fence_barrier_init();
    fence_async_shared();
  }
  __device__ void barrier_arrive(std::uint32_t barrier) const {
    (void)silicon::barrier_arrive(barrier);
  }
  __device__ void barrier_arrive_expect(std::uint32_t barrier, std::uint32_t bytes) const {
    silicon::barrier_arrive_expect(barrier, bytes);
  }
  __device__ void barrier_wait(std::uint32_t barrier, std::uint32_t parity) const {
    silicon::barrier_wait(barrier, parity);
  }
  __device__ void tensor_load(std::uint32_t to, const CUtensorMap& map, std::uint32_t x, std::uint32_t y,
                              std::uint32_t barrier) const {
    silicon::tensor_load(to, map, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), barrier);
  }
#endif

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
  template <int kRegisters>
  __device__ void registers_up_to() const {
    silicon::registers_up_to<kRegisters>();
  }
  template <int kRegisters>
  __device__ void registers_down_to() const {
    silicon::registers_down_to<kRegisters>();
  }
  __device__ std::uint64_t descriptor(std::uint32_t tile) const {
    return k_major(tile);
  }
  __device__ void wgmma_fence() const {
    silicon::wgmma_fence();
  }
  __device__ void wgmma(float (&d)[128], std::uint64_t a, std::uint64_t b) const {
    silicon::wgmma<WgmmaBf16>(d, a, b, 1);
  }
  __device__ void wgmma_commit() const {
    silicon::wgmma_commit();
  }
  template <int kPending>
  __device__ void wgmma_wait() const {
    silicon::wgmma_wait<kPending>();
  }
  __device__ void wgmma_settled(float (&d)[128]) const {
    silicon::wgmma_settled(d);
  }
#endif
};

}  // namespace gpusim::silicon
