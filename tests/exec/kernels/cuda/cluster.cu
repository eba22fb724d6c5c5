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

/// Each of four CTAs of 64 threads adds up what all of them have: two words of one CTA at a time, and signed bytes of
/// which neighbouring threads read those of different CTAs.
extern "C" __global__ void __cluster_dims__(4) cluster_gather(const int2* in, int* out) {
  __shared__ int2 words[64];
  __shared__ signed char bytes[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int2 own = in[blockIdx.x * 64 + threadIdx.x];
  words[threadIdx.x] = own;
  bytes[threadIdx.x] = static_cast<signed char>(own.x);
  cluster.sync();
  int sum = 0;
  for (unsigned rank = 0; rank < 4; ++rank) {
    const int2 other = cluster.map_shared_rank(words, rank)[63 - threadIdx.x];
    sum = sum * 3 + other.x + (other.y ^ cluster.map_shared_rank(bytes, (rank + threadIdx.x) % 4)[threadIdx.x]);
  }
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] = sum;
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

/// Each thread draws a ticket from every CTA of its cluster, the own one too, and marks it.
extern "C" __global__ void __cluster_dims__(4) cluster_tickets(int* out) {
  __shared__ int next;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    next = 0;
  }
  cluster.sync();
  const int first = (blockIdx.x - cluster.block_rank()) * 256;
  for (unsigned turn = 0; turn < 4; ++turn) {
    const unsigned rank = (turn + threadIdx.x / 32) % 4;
    const int ticket = atomicAdd(cluster.map_shared_rank(&next, rank), 1);
    out[first + rank * 256 + ticket] = ticket;
  }
  cluster.sync();
}

/// CTAs of a pair store two words in each other's shared memory, and a third where it is larger; each waits for the
/// bytes.
extern "C" __global__ void __cluster_dims__(2) cluster_signals(int rounds, const int2* in, int* out) {
  __shared__ int2 inbox[64];
  __shared__ unsigned sums[64];
  __shared__ alignas(8) unsigned long long arrived;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned barrier = shared_address(&arrived);
  if (threadIdx.x == 0) {
    barrier_init(barrier, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  sums[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const unsigned other = cluster.block_rank() ^ 1;
  unsigned to, sum, signal;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_address(&inbox[threadIdx.x])), "r"(other));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(sum) : "r"(shared_address(&sums[threadIdx.x])), "r"(other));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(signal) : "r"(barrier), "r"(other));
  int2 value = in[blockIdx.x * 64 + threadIdx.x];
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) {
      barrier_arrive_expect(barrier, 64 * 12);
    }
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(to),
                 "r"(value.x), "r"(value.y), "r"(signal)
                 : "memory");
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%0], %1, [%2];" ::"r"(sum),
        "r"(value.x), "r"(signal)
        : "memory");
    barrier_wait(barrier, round % 2);
    value.x = inbox[threadIdx.x].y + 1;
    value.y = inbox[threadIdx.x].x ^ static_cast<int>(sums[threadIdx.x]);
    cluster.sync();
  }
  out[blockIdx.x * 64 + threadIdx.x] = value.x * 3 + value.y;
}

__device__ inline unsigned address_in(unsigned rank, unsigned address) {
  unsigned mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}
__device__ inline void arrive_in(unsigned rank, unsigned barrier) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(address_in(rank, barrier))
               : "memory");
}
__device__ inline void tensor_load_into_both(unsigned to, const TensorMap& map, int x, int y, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(barrier), "h"(static_cast<unsigned short>(3))
      : "memory");
}

/// Each of two CTAs loads half of every tile of 32 x 32 into both of them. A stage may be filled again when the threads
/// of both have said that they have read it.
extern "C" __global__ void __cluster_dims__(2)
    cluster_multicast(int tiles, const __grid_constant__ TensorMap from, unsigned* out) {
  __shared__ alignas(128) unsigned stages[2][32][32];
  __shared__ alignas(8) unsigned long long full[2];
  __shared__ alignas(8) unsigned long long empty[2];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  const int x = blockIdx.x / 2 * 32;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      barrier_init(shared_address(&full[stage]), 1);
      barrier_init(shared_address(&empty[stage]), 2 * blockDim.x);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  unsigned sum = rank;
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % 2;
    const int round = tile / 2;
    if (threadIdx.x == 0) {
      if (round > 0) {
        barrier_wait(shared_address(&empty[stage]), (round - 1) % 2);
      }
      barrier_arrive_expect(shared_address(&full[stage]), sizeof(stages[0]));
      tensor_load_into_both(shared_address(stages[stage][rank * 16]), from, x, tile * 32 + rank * 16,
                            shared_address(&full[stage]));
    }
    __syncwarp();
    barrier_wait(shared_address(&full[stage]), round % 2);
    const unsigned place = threadIdx.x * 13 + tile * 7 + rank;
    sum = sum * 3 + stages[stage][place / 32 % 32][place % 32];
    arrive_in(rank, shared_address(&empty[stage]));
    arrive_in(rank ^ 1, shared_address(&empty[stage]));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  cluster.sync();
}

/// The lanes of one instruction reach all four CTAs, the own one too: they store a word, draw tickets, add up, and load
/// two words.
extern "C" __global__ void __cluster_dims__(4) cluster_mixed(const unsigned* in, unsigned* out) {
  __shared__ alignas(8) unsigned words[64];
  __shared__ unsigned tickets[8];
  __shared__ unsigned sums[8];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  const unsigned thread = threadIdx.x;
  if (thread < 8) {
    tickets[thread] = 0;
    sums[thread] = 0;
  }
  cluster.sync();
  const unsigned value = in[blockIdx.x * 64 + thread];
  cluster.map_shared_rank(words, (thread + rank) % 4)[thread] = value;
  atomicAdd(&cluster.map_shared_rank(sums, thread * 3 % 4)[thread / 4 % 8], value);
  // Eight lanes of a warp draw from one counter, which no other warp has.
  const unsigned ticket = atomicAdd(&cluster.map_shared_rank(tickets, thread % 4)[thread / 32 * 4 + rank], 1);
  cluster.sync();
  const unsigned from = (thread * 5 + 1) % 4;
  const uint2 pair = reinterpret_cast<const uint2*>(cluster.map_shared_rank(words, from))[thread / 2];
  const unsigned sum = cluster.map_shared_rank(sums, (from + 1) % 4)[thread % 8];
  cluster.sync();
  // Which lane draws which ticket is not defined. All 32 are drawn.
  const unsigned drawn = __reduce_add_sync(~0u, 1u << (ticket + thread % 4 * 8));
  out[blockIdx.x * 64 + thread] = pair.x * 7 + pair.y * 3 + sum + drawn;
}
