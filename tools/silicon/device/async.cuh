// SPDX-License-Identifier: MIT
// PTX for copies that run beside the threads, their barriers, and clusters. One function per instruction,
// named after what it does; semantics as the PTX ISA document has them. Shared memory is addressed by 32-bit numbers:
// shared_address(pointer), the same in the CTA's window (shared::cta) and, for the own CTA, in the cluster's.
//
// What is declared depends on the architecture being compiled: cp.async and plain mbarriers from sm_80, transactions,
// bulk copies and clusters from sm_90, setmaxnreg for sm_90a alone.
#pragma once

#include <cstdint>

#include <cuda.h>

#include "tools/silicon/device/cluster.cuh"
#include "tools/silicon/device/mbarrier.cuh"

namespace gpusim::silicon {

// ---- LDGSTS: cp.async (sm_80) -------------------------------------------------------------------------------------

/// 16 bytes past the L1 (.cg). `bytes` below 16: only so many are read, the rest becomes zero (0: reads nothing).
__device__ __forceinline__ void copy_async_16(std::uint32_t to, const void* from, std::uint32_t bytes = 16) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

/// 4, 8 or 16 bytes through the L1 (.ca).
template <int kBytes>
__device__ __forceinline__ void copy_async_through_l1(std::uint32_t to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(kBytes) : "memory");
}

__device__ __forceinline__ void copy_async_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Until at most `kPending` of this thread's latest groups are under way. Other threads' copies need a barrier besides.
template <int kPending>
__device__ __forceinline__ void copy_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

/// Arrives on the barrier when this thread's copies so far are done; the arrival counts among those expected.
__device__ __forceinline__ void copy_async_arrive(std::uint32_t barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

// ---- Bulk copies: 1-D (sm_90). Addresses and sizes are multiples of 16 bytes ---------------------------------------

/// From global memory; completes as `bytes` on `barrier`.
__device__ __forceinline__ void bulk_load(std::uint32_t to, const void* from, std::uint32_t bytes,
                                          std::uint32_t barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}

/// To the same place in every CTA of the cluster whose bit `ctas` has; each one's barrier gets all `bytes`.
__device__ __forceinline__ void bulk_load_multicast(std::uint32_t to, const void* from, std::uint32_t bytes,
                                                    std::uint32_t barrier, std::uint16_t ctas) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], "
      "%4;" ::"r"(to),
      "l"(from), "r"(bytes), "r"(barrier), "h"(ctas)
      : "memory");
}

/// To another CTA of the cluster; `remote` and `remote_barrier` from cluster_address(), of the same CTA.
__device__ __forceinline__ void bulk_copy_to_cta(std::uint32_t remote, std::uint32_t from, std::uint32_t bytes,
                                                 std::uint32_t remote_barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(remote),
      "r"(from), "r"(bytes), "r"(remote_barrier)
      : "memory");
}

/// To global memory; bulk_commit() and bulk_wait() say when it is done. fence_async_shared() before it.
__device__ __forceinline__ void bulk_store(void* to, std::uint32_t from, std::uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(bytes)
               : "memory");
}

/// Adds floats of shared memory to those in global memory.
__device__ __forceinline__ void bulk_add(float* to, std::uint32_t from, std::uint32_t bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to), "r"(from),
               "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void bulk_commit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Until at most `kPending` of this thread's latest groups of stores are under way.
template <int kPending>
__device__ __forceinline__ void bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kPending) : "memory");
}

/// The same, but only until their shared memory has been read and may be written again.
template <int kPending>
__device__ __forceinline__ void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kPending) : "memory");
}

// ---- Bulk tensor copies: TMA, 2-D (sm_90). `map` is the address of a __grid_constant__ parameter (tensor_map.cuh);
// shared memory aligned to 128 bytes, to 1024 with the 128-byte swizzle. x counts columns (innermost), y rows; what
// lies outside of the matrix loads as zero and still counts as bytes, and is not stored
// ------------------------------------

__device__ __forceinline__ void tensor_prefetch_map(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

__device__ __forceinline__ void tensor_load(std::uint32_t to, const CUtensorMap& map, std::int32_t x, std::int32_t y,
                                            std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
          "r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}

__device__ __forceinline__ void tensor_load_multicast(std::uint32_t to, const CUtensorMap& map, std::int32_t x,
                                                      std::int32_t y, std::uint32_t barrier, std::uint16_t ctas) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(barrier), "h"(ctas)
      : "memory");
}

__device__ __forceinline__ void tensor_store(const CUtensorMap& map, std::int32_t x, std::int32_t y,
                                             std::uint32_t from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x),
               "r"(y), "r"(from)
               : "memory");
}

/// Adds, in the type that the map names.
__device__ __forceinline__ void tensor_add(const CUtensorMap& map, std::int32_t x, std::int32_t y, std::uint32_t from) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x),
      "r"(y), "r"(from)
      : "memory");
}

#endif

}  // namespace gpusim::silicon
