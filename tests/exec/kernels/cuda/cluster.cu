// SPDX-License-Identifier: MIT
#include <cooperative_groups.h>

#include "hopper.cuh"

namespace cg = cooperative_groups;

/// Four CTAs of 64 threads: each has a part of the histogram of all, and counts in the parts of the others.
extern "C" __global__ void __cluster_dims__(4) cluster_histogram(int n, const unsigned* values, unsigned* bins) {
  __shared__ unsigned part[16];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 16) {
    part[threadIdx.x] = 0;
  }
  cluster.sync();
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
    const unsigned bin = values[i] % 64;
    atomicAdd(cluster.map_shared_rank(part, bin / 16) + bin % 16, 1);
  }
  cluster.sync();
  if (threadIdx.x < 16) {
    atomicAdd(&bins[cluster.block_rank() * 16 + threadIdx.x], part[threadIdx.x]);
  }
}

/// Values go round a ring of four CTAs: stored in the shared memory of the next, whose mbarrier is told.
extern "C" __global__ void __cluster_dims__(4) cluster_ring(int rounds, const int* in, int* out) {
  __shared__ int inbox[2][64];
  __shared__ alignas(8) unsigned long long arrived[2];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    barrier_init(shared_address(&arrived[0]), 64);
    barrier_init(shared_address(&arrived[1]), 64);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % 4;
  int value = in[blockIdx.x * 64 + threadIdx.x];
  for (int round = 0; round < rounds; ++round) {
    const int box = round % 2;
    unsigned to, barrier;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_address(&inbox[box][threadIdx.x])), "r"(next));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier) : "r"(shared_address(&arrived[box])), "r"(next));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(value) : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
    barrier_wait(shared_address(&arrived[box]), round / 2 % 2);
    value = inbox[box][63 - threadIdx.x] * 3 + static_cast<int>(cluster.block_rank());
    cluster.sync();
  }
  out[blockIdx.x * 64 + threadIdx.x] = value;
}
