// SPDX-License-Identifier: MIT
// Latencies within a cluster, by its size and, where one CTA reaches into another, by the other's rank (with both SMs,
// since SMs of a GPC are not equally far apart): barrier.cluster, a load of another CTA's shared memory, a signal to a
// barrier there and back. One cluster alone on the GPU; many steps less few, as in mbarrier_sm90.cu.
#include "tools/silicon/micro/cluster.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kFew = 32;
constexpr int kMany = 288;
constexpr std::uint32_t kChain = 256;  // words, visited 37 apart
constexpr std::uint32_t kStride = 37;

struct Report {
  std::uint64_t cycles;
  std::uint32_t end;     // what a chase came to
  std::uint32_t sms[2];  // of the CTA that measures and the one that it reaches
};

// Release and acquire cost a MEMBAR and the invalidation of the L1, with or without anything to publish; a relaxed
// arrival leaves out the first.
template <bool kRelease>
__global__ void barriers(std::uint32_t, int steps, Report* report) {
  cluster_sync();
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    if constexpr (kRelease) {
      cluster_arrive();
    } else {
      cluster_arrive_relaxed();
    }
    cluster_wait();
  }
  const std::uint64_t end = sm_cycles();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    report->cycles = end - begin;
  }
}

// The SM of both CTAs; cluster 0 is the only one.
__device__ void note_sms(std::uint32_t rank, Report* report) {
  if (threadIdx.x == 0 && cluster_rank() == rank) {
    report->sms[1] = sm_id();
  }
  if (threadIdx.x == 0 && cluster_rank() == 0) {
    report->sms[0] = sm_id();
  }
}

// CTA 0 writes the addresses into the other's memory and follows them: each load's address is the value of the one
// before (and a MOV that makes it a 64-bit one). Its own memory (rank 0) is reached by the same path of instructions.
__global__ void chase(std::uint32_t rank, int steps, Report* report) {
  __shared__ std::uint32_t chain[kChain];
  note_sms(rank, report);
  const std::uint32_t base = cluster_address(shared_address(chain), rank);
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
#pragma unroll 1
    for (std::uint32_t i = 0; i < kChain; ++i) {
      cluster_store(base + 4 * i, base + 4 * ((i + kStride) % kChain));
    }
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    std::uint32_t at = base;
    const std::uint64_t begin = sm_cycles();
#pragma unroll 8
    for (int i = 0; i < steps; ++i) {
      at = cluster_load(at);
    }
    const std::uint64_t end = sm_cycles();
    report->cycles = end - begin;
    report->end = (at - base) / 4;
  }
  __syncwarp();
  cluster_sync();
}

template <bool kRelease>
__device__ __forceinline__ void signal(std::uint32_t remote) {
  if constexpr (kRelease) {
    barrier_arrive_remote_release(remote);
  } else {
    barrier_arrive_remote(remote);
  }
}
template <bool kRelease>
__device__ __forceinline__ void await(std::uint32_t barrier, std::uint32_t parity) {
  if constexpr (kRelease) {
    barrier_wait_cluster(barrier, parity);
  } else {
    barrier_wait(barrier, parity);
  }
}

// A step: CTA 0 arrives on the other's barrier, which answers on that of CTA 0.
template <bool kRelease>
__global__ void signals(std::uint32_t rank, int steps, Report* report) {
  __shared__ std::uint64_t memory;
  note_sms(rank, report);
  const std::uint32_t own = shared_address(&memory);
  if (threadIdx.x == 0) {
    barrier_init(own, 1);
    fence_barrier_init();
  }
  __syncwarp();
  cluster_sync();
  if (threadIdx.x == 0 && cluster_rank() == 0) {
    const std::uint32_t other = cluster_address(own, rank);
    const std::uint64_t begin = sm_cycles();
#pragma unroll 1
    for (int i = 0; i < steps; ++i) {
      signal<kRelease>(other);
      await<kRelease>(own, i % 2);
    }
    report->cycles = sm_cycles() - begin;
  } else if (threadIdx.x == 0 && cluster_rank() == rank) {
    const std::uint32_t first = cluster_address(own, 0);
#pragma unroll 1
    for (int i = 0; i < steps; ++i) {
      await<kRelease>(own, i % 2);
      signal<kRelease>(first);
    }
  }
  __syncwarp();
  cluster_sync();
}

using Kernel = void (*)(std::uint32_t, int, Report*);

Report run_once(Kernel kernel, const LaunchConfig& config, std::uint32_t rank, int steps) {
  Buffer<Report> report(1);
  launch(kernel, config, rank, steps, report.get());
  return report.to_host()[0];
}

LaunchConfig config_of(std::uint32_t cluster, std::uint32_t threads) {
  return {.grid = cluster, .block = threads, .cluster = cluster};
}

Sampled cycles_a_step(Session& session, Kernel kernel, const LaunchConfig& config, std::uint32_t rank) {
  return session.sample(
      [&] {
        run_once(kernel, config, rank, kFew);  // fetches the code
        const auto many = static_cast<double>(run_once(kernel, config, rank, kMany).cycles);
        return (many - static_cast<double>(run_once(kernel, config, rank, kFew).cycles)) / (kMany - kFew);
      },
      {.times = 5, .warm_ups = 1});
}

void measure_rank(Session& session, Kernel kernel, const char* what, const char* metric, std::uint32_t cluster,
                  std::uint32_t rank) {
  const LaunchConfig config = config_of(cluster, 32);
  const Sampled cycles = cycles_a_step(session, kernel, config, rank);
  const Report report = run_once(kernel, config, rank, kFew);
  session.record({.metric = metric,
                  .unit = "cycles",
                  .sampled = cycles,
                  .launch = launch_facts(kernel, config),
                  .params = {{"what", what},
                             {"cluster", cluster},
                             {"rank", rank},
                             {"from_sm", report.sms[0]},
                             {"to_sm", report.sms[1]}}});
}

bool chase_is_right(Session& session, std::uint32_t cluster, std::uint32_t rank) {
  const Report report = run_once(chase, config_of(cluster, 32), rank, kFew);
  const std::vector<double> expected{static_cast<double>(kFew * kStride % kChain)};
  return session.verify("DSMEM chase", compare(std::vector<std::uint32_t>{report.end}, expected, {}),
                        {{"cluster", cluster}, {"rank", rank}});
}

template <typename Each>
void for_each_cluster(Kernel kernel, const Each& each) {
  for (const std::uint32_t cluster : kClusterSizes) {
    if (clusters_at_once(kernel, config_of(cluster, 32)) > 0) {
      each(cluster);
    }
  }
}

void measure_barrier(Session& session, Kernel kernel, const char* what, std::uint32_t cluster, std::uint32_t warps) {
  const LaunchConfig config = config_of(cluster, warps * 32);
  session.record({.metric = "latency",
                  .unit = "cycles",
                  .sampled = cycles_a_step(session, kernel, config, 0),
                  .launch = launch_facts(kernel, config),
                  .params = {{"what", what}, {"cluster", cluster}, {"warps", warps}}});
}

void run_barrier(Session& session) {
  for_each_cluster(barriers<true>, [&](std::uint32_t cluster) {
    for (const std::uint32_t warps : {1u, 4u, 16u, 32u}) {
      measure_barrier(session, barriers<true>, "barrier.cluster, release and acquire", cluster, warps);
      measure_barrier(session, barriers<false>, "barrier.cluster, relaxed arrival", cluster, warps);
    }
  });
}

void run_dsmem(Session& session) {
  for_each_cluster(chase, [&](std::uint32_t cluster) {
    for (std::uint32_t rank = 0; rank < cluster; ++rank) {
      if (chase_is_right(session, cluster, rank)) {
        measure_rank(session, chase, "ld.shared::cluster", "latency", cluster, rank);
      }
    }
  });
}

void run_signals(Session& session) {
  for_each_cluster(signals<false>, [&](std::uint32_t cluster) {
    for (std::uint32_t rank = 1; rank < cluster; rank *= 2) {
      measure_rank(session, signals<false>, "remote mbarrier arrive, relaxed", "round_trip", cluster, rank);
      measure_rank(session, signals<true>, "remote mbarrier arrive, release", "round_trip", cluster, rank);
    }
  });
}

const Registered kBarrier{
    {.name = "micro/cluster/barrier", .priority = 90, .seconds = 1, .needs = {Feature::Sm90}, .run = run_barrier}};
const Registered kDsmem{
    {.name = "micro/cluster/dsmem_latency", .priority = 70, .seconds = 1, .needs = {Feature::Sm90}, .run = run_dsmem}};
const Registered kSignals{
    {.name = "micro/cluster/signal", .priority = 70, .seconds = 1, .needs = {Feature::Sm90}, .run = run_signals}};

}  // namespace
}  // namespace gpusim::silicon
