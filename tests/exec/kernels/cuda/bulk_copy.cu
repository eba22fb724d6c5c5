// SPDX-License-Identifier: MIT
#include "hopper.cuh"

/// 4 KiB a stage by bulk copies, in a ring of two behind mbarriers; results leave by a bulk copy, too. 128 threads.
extern "C" __global__ void bulk_copy(int stages, const int* in, int* out) {
  __shared__ alignas(128) int values[2][1024];
  __shared__ alignas(128) int results[1024];
  __shared__ alignas(8) unsigned long long full[2];
  in += blockIdx.x * stages * 1024;
  const auto start = [&](int stage) {
    const unsigned barrier = shared_address(&full[stage % 2]);
    barrier_arrive_expect(barrier, 4096);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(
                     shared_address(values[stage % 2])),
                 "l"(in + stage * 1024), "r"(barrier)
                 : "memory");
  };
  if (threadIdx.x == 0) {
    barrier_init(shared_address(&full[0]), 1);
    barrier_init(shared_address(&full[1]), 1);
    publish_to_async();
    start(0);
  }
  for (int i = threadIdx.x; i < 1024; i += 128) {
    results[i] = 0;
  }
  __syncthreads();
  for (int stage = 0; stage < stages; ++stage) {
    if (threadIdx.x == 0 && stage + 1 < stages) {
      start(stage + 1);
    }
    barrier_wait(shared_address(&full[stage % 2]), stage / 2 % 2);
    for (int i = threadIdx.x; i < 1024; i += 128) {
      results[i] = results[i] * 3 + values[stage % 2][1023 - i];
    }
    __syncthreads();
  }
  publish_to_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;" ::"l"(out + blockIdx.x * 1024),
                 "r"(shared_address(results))
                 : "memory");
    bulk_commit();
    bulk_wait();
  }
}
