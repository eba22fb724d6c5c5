// SPDX-License-Identifier: MIT
// PTX for barriers in shared memory, which threads and asynchronous copies arrive on. async.cuh says what is common.
#pragma once

#include <cstdint>

namespace gpusim::silicon {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// ---- mbarrier (sm_80) ---------------------------------------------------------------------------------------------

/// A barrier is 8 bytes of shared memory, aligned to 8. A phase completes when `arrivals` threads have arrived (and all
/// expected bytes came); the barrier is then ready for the next. Phases alternate in parity, beginning with 0.
__device__ __forceinline__ void barrier_init(std::uint32_t barrier, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void barrier_invalidate(std::uint32_t barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(barrier) : "memory");
}

/// Release, of the CTA's scope. Returns the state, which barrier_test(barrier, state) takes.
__device__ __forceinline__ std::uint64_t barrier_arrive(std::uint32_t barrier) {
  std::uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
  return state;
}

/// Whether the phase of that state has completed; does not wait.
__device__ __forceinline__ bool barrier_test(std::uint32_t barrier, std::uint64_t state) {
  std::uint32_t done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(barrier), "l"(state)
               : "memory");
  return done != 0;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

// ---- mbarrier with transactions (sm_90) ---------------------------------------------------------------------------

/// Makes barrier_init visible to other CTAs of the cluster and to the copy engine; after it, before a cluster barrier
/// (or __syncthreads(), where there is no cluster).
__device__ __forceinline__ void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
}

/// Arrives, and has the current phase wait for `bytes` more of asynchronous copies.
__device__ __forceinline__ void barrier_arrive_expect(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/// The same without arriving.
__device__ __forceinline__ void barrier_expect(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/// Counts as `bytes` that came, without a copy.
__device__ __forceinline__ void barrier_complete(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/// On the barrier of any CTA of the cluster; `remote` from cluster_address(). Publishes no data: the way to say that a
/// buffer has been read.
__device__ __forceinline__ void barrier_arrive_remote(std::uint32_t remote) {
  asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
}

/// The same, publishing what this thread wrote (release, of the cluster's scope), which costs a fence.
__device__ __forceinline__ void barrier_arrive_remote_release(std::uint32_t remote) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
}

/// Whether the phase of `parity` (0 for the first) has completed; may wait a while for it in hardware.
__device__ __forceinline__ bool barrier_try_wait(std::uint32_t barrier, std::uint32_t parity) {
  std::uint32_t done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(barrier), "r"(parity)
               : "memory");
  return done != 0;
}

/// Whether the phase of `parity` has completed; does not wait.
__device__ __forceinline__ bool barrier_test_parity(std::uint32_t barrier, std::uint32_t parity) {
  std::uint32_t done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(barrier), "r"(parity)
               : "memory");
  return done != 0;
}

/// Until the phase of `parity` has completed. Acquire, of the CTA's scope.
__device__ __forceinline__ void barrier_wait(std::uint32_t barrier, std::uint32_t parity) {
  while (!barrier_try_wait(barrier, parity)) {
  }
}

/// The same, acquire of the cluster's scope: after remote arrivals that publish data.
__device__ __forceinline__ void barrier_wait_cluster(std::uint32_t barrier, std::uint32_t parity) {
  std::uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  }
}

/// Orders this thread's ordinary accesses to shared memory with the copy engine's and wgmma's (the async proxy): after
/// writing what they read, before the barrier or the instruction that starts them.
__device__ __forceinline__ void fence_async_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

#endif

}  // namespace gpusim::silicon
