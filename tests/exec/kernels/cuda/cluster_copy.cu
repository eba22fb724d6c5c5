// SPDX-License-Identifier: MIT
// Bulk copies from a CTA's shared memory to that of a CTA of its cluster, whose mbarrier hears of the bytes.
#include <cooperative_groups.h>

#include "hopper.cuh"

namespace cg = cooperative_groups;

constexpr int kThreads = 64;
constexpr int kWords = 320;  // of a copy: ten lines of 128 bytes, or parts of eleven
constexpr unsigned kBytes = kWords * sizeof(int);

__device__ unsigned in_rank(unsigned rank, const void* at) {
  unsigned mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(shared_address(at)), "r"(rank));
  return mapped;
}

#define GPUSIM_TO_CLUSTER "shared::cluster.shared::cta.mbarrier::complete_tx::bytes"

__device__ void copy_to(unsigned to, const void* from, unsigned bytes, unsigned barrier) {
  asm volatile("cp.async.bulk." GPUSIM_TO_CLUSTER " [%0], [%1], %2, [%3];" ::"r"(to), "r"(shared_address(from)),
               "r"(bytes), "r"(barrier)
               : "memory");
}

/// Blocks go round a ring of four CTAs. The places that they come to do not begin at a line of 128 bytes.
extern "C" __global__ void __cluster_dims__(4) cluster_blocks(int rounds, const int* in, int* out) {
  __shared__ alignas(128) int outbox[kWords];
  __shared__ alignas(128) int inbox[2][kWords + 32];
  __shared__ alignas(8) unsigned long long full[2];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % 4;
  if (threadIdx.x == 0) {
    barrier_init(shared_address(&full[0]), 1);
    barrier_init(shared_address(&full[1]), 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  for (int i = threadIdx.x; i < kWords; i += kThreads) {
    outbox[i] = in[blockIdx.x * kWords + i];
  }
  cluster.sync();
  for (int round = 0; round < rounds; ++round) {
    const int box = round % 2;
    publish_to_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      barrier_arrive_expect(shared_address(&full[box]), kBytes);
      copy_to(in_rank(next, &inbox[box][4]), outbox, kBytes, in_rank(next, &full[box]));
    }
    barrier_wait(shared_address(&full[box]), round / 2 % 2);
    cluster.sync();
    for (int i = threadIdx.x; i < kWords; i += kThreads) {
      outbox[i] = inbox[box][4 + (i + 1) % kWords] * 3 + static_cast<int>(cluster.block_rank());
    }
  }
  for (int i = threadIdx.x; i < kWords; i += kThreads) {
    out[blockIdx.x * kWords + i] = outbox[i];
  }
}

/// Four CTAs add to the sums of the first of them, its own numbers too, and keep the largest and the common bits there.
extern "C" __global__ void __cluster_dims__(4)
    cluster_reduction(const int* in, int* sums, int* largest, unsigned* bits) {
  __shared__ alignas(128) int values[kWords];
  __shared__ alignas(128) int sum[kWords];
  __shared__ alignas(128) int most[kWords];
  __shared__ alignas(128) unsigned common[kWords];
  __shared__ alignas(8) unsigned long long full;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    barrier_init(shared_address(&full), 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  for (int i = threadIdx.x; i < kWords; i += kThreads) {
    values[i] = in[blockIdx.x * kWords + i];
    sum[i] = 1000;
    most[i] = -1000000000;
    common[i] = 0xffffffffu;
  }
  publish_to_async();
  cluster.sync();
  if (threadIdx.x == 0) {
    const unsigned barrier = in_rank(0, &full);
    if (cluster.block_rank() == 0) {
      barrier_arrive_expect(shared_address(&full), 4 * 3 * kBytes);
    }
    asm volatile("cp.reduce.async.bulk." GPUSIM_TO_CLUSTER ".add.u32 [%0], [%1], %2, [%3];" ::"r"(in_rank(0, sum)),
                 "r"(shared_address(values)), "r"(kBytes), "r"(barrier)
                 : "memory");
    asm volatile("cp.reduce.async.bulk." GPUSIM_TO_CLUSTER ".max.s32 [%0], [%1], %2, [%3];" ::"r"(in_rank(0, most)),
                 "r"(shared_address(values)), "r"(kBytes), "r"(barrier)
                 : "memory");
    asm volatile("cp.reduce.async.bulk." GPUSIM_TO_CLUSTER ".and.b32 [%0], [%1], %2, [%3];" ::"r"(in_rank(0, common)),
                 "r"(shared_address(values)), "r"(kBytes), "r"(barrier)
                 : "memory");
  }
  if (cluster.block_rank() == 0) {
    barrier_wait(shared_address(&full), 0);
    for (int i = threadIdx.x; i < kWords; i += kThreads) {
      const int at = blockIdx.x / 4 * kWords + i;
      sums[at] = sum[i];
      largest[at] = most[i];
      bits[at] = common[i];
    }
  }
  cluster.sync();
}
