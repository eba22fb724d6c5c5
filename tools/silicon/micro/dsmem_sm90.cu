// SPDX-License-Identifier: MIT
// Bandwidth between the SMs of clusters: every CTA reads from, writes to or bulk-copies to the shared memory of the one
// `distance` ranks on, all clusters of the GPU at once. Distance 0 is the own memory through the cluster's window.
#include <array>

#include "tools/silicon/micro/cluster.cuh"

namespace gpusim::silicon {
namespace {

enum class Way { Load, Store, Bulk };

constexpr std::uint32_t kTile = 32 * 1024;
constexpr std::uint32_t kSharedBytes = 120 * 1024;  // so much that an SM has room for one CTA
constexpr std::uint32_t kAtOnce = 4;                // accesses of a thread, slots of the copies
constexpr int kRounds = 512;                        // of all threads' kAtOnce accesses, or of kAtOnce copies
constexpr std::uint32_t kCopyBytes = kTile / kAtOnce;

constexpr const char* name_of(Way way) {
  return way == Way::Load ? "ld.shared::cluster.v4" : way == Way::Store ? "st.shared::cluster.v4" : "bulk copy";
}

__device__ std::uint32_t rank_at(std::uint32_t distance, std::uint32_t ctas) {
  return (cluster_rank() + distance) % ctas;
}

// Thread t's 16 bytes of each of four parts of the tile, which all threads together visit in turn.
__device__ __forceinline__ std::uint32_t place(std::uint32_t round, std::uint32_t part) {
  return ((round * kAtOnce + part) * blockDim.x + threadIdx.x) * 16 % kTile;
}

__global__ void loads(std::uint32_t distance, std::uint32_t ctas, std::uint32_t* out) {
  extern __shared__ __align__(16) char tile[];
  std::uint32_t* words = reinterpret_cast<std::uint32_t*>(tile);
  for (std::uint32_t i = threadIdx.x; i < kTile / 4; i += blockDim.x) {
    words[i] = blockIdx.x + i;
  }
  const std::uint32_t remote = cluster_address(shared_address(tile), rank_at(distance, ctas));
  cluster_sync();
  std::uint32_t sum = 0;
#pragma unroll 1
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    uint4 values[kAtOnce];
#pragma unroll
    for (std::uint32_t part = 0; part < kAtOnce; ++part) {
      values[part] = cluster_load_16(remote + place(round, part));
    }
#pragma unroll
    for (std::uint32_t part = 0; part < kAtOnce; ++part) {
      sum += values[part].x + values[part].y + values[part].z + values[part].w;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  cluster_sync();
}

// Leaves the writer's number in every word of the tile.
__global__ void stores(std::uint32_t distance, std::uint32_t ctas, std::uint32_t* out) {
  extern __shared__ __align__(16) char tile[];
  const std::uint32_t remote = cluster_address(shared_address(tile), rank_at(distance, ctas));
  const uint4 value{blockIdx.x, blockIdx.x, blockIdx.x, blockIdx.x};
  cluster_sync();
#pragma unroll 1
  for (std::uint32_t round = 0; round < kRounds; ++round) {
#pragma unroll
    for (std::uint32_t part = 0; part < kAtOnce; ++part) {
      cluster_store_16(remote + place(round, part), value);
    }
  }
  cluster_sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = reinterpret_cast<const std::uint32_t*>(tile)[threadIdx.x * 4];
}

// One thread of each CTA. A slot takes the next copy when the CTA that it lies in has seen the last one, expects the
// next, and said so to the sender.
__global__ void copies(std::uint32_t distance, std::uint32_t ctas, std::uint32_t* out) {
  extern __shared__ __align__(16) char tiles[];  // from here, then to here
  __shared__ std::uint64_t full_memory[kAtOnce];
  __shared__ std::uint64_t empty_memory[kAtOnce];
  const std::uint32_t full = shared_address(full_memory);
  const std::uint32_t empty = shared_address(empty_memory);
  const std::uint32_t from = shared_address(tiles);
  for (std::uint32_t i = threadIdx.x; i < kTile / 4; i += blockDim.x) {
    reinterpret_cast<std::uint32_t*>(tiles)[i] = blockIdx.x;
  }
  fence_async_shared();
  if (threadIdx.x == 0) {
    for (std::uint32_t slot = 0; slot < kAtOnce; ++slot) {
      barrier_init(full + 8 * slot, 1);
      barrier_init(empty + 8 * slot, 1);
    }
    fence_barrier_init();
    for (std::uint32_t slot = 0; slot < kAtOnce; ++slot) {
      barrier_arrive_expect(full + 8 * slot, kCopyBytes);
    }
  }
  __syncthreads();
  cluster_sync();
  if (threadIdx.x == 0) {
    const std::uint32_t target = rank_at(distance, ctas);
    const std::uint32_t sender = rank_at(ctas - distance, ctas);
    const auto copy = [&](std::uint32_t slot) {
      const std::uint32_t offset = slot * kCopyBytes;
      bulk_copy_to_cta(cluster_address(from + kTile + offset, target), from + offset, kCopyBytes,
                       cluster_address(full + 8 * slot, target));
    };
    for (std::uint32_t slot = 0; slot < kAtOnce; ++slot) {
      copy(slot);
    }
#pragma unroll 1
    for (std::uint32_t round = 0; round + 1 < kRounds; ++round) {
      for (std::uint32_t slot = 0; slot < kAtOnce; ++slot) {
        barrier_wait(full + 8 * slot, round % 2);
        barrier_arrive_expect(full + 8 * slot, kCopyBytes);
        barrier_arrive_remote(cluster_address(empty + 8 * slot, sender));
        barrier_wait(empty + 8 * slot, round % 2);
        copy(slot);
      }
    }
    for (std::uint32_t slot = 0; slot < kAtOnce; ++slot) {
      barrier_wait(full + 8 * slot, (kRounds - 1) % 2);
    }
  }
  __syncthreads();
  cluster_sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = reinterpret_cast<const std::uint32_t*>(tiles + kTile)[threadIdx.x * 4];
}

using Kernel = void (*)(std::uint32_t, std::uint32_t, std::uint32_t*);

Kernel kernel_of(Way way) {
  return way == Way::Load ? loads : way == Way::Store ? stores : copies;
}

struct Point {
  Way way;
  std::uint32_t cluster;
  std::uint32_t distance;
  std::uint32_t threads;

  [[nodiscard]] double bytes_a_cta() const {
    const double a_round = way == Way::Bulk ? kTile : threads * 16.0 * kAtOnce;
    return a_round * kRounds;
  }
  [[nodiscard]] LaunchConfig config() const {
    LaunchConfig launch{.grid = cluster, .block = threads, .dynamic_smem = kSharedBytes, .cluster = cluster};
    launch.grid = cluster * clusters_at_once(kernel_of(way), launch);
    return launch;
  }
};

// The sum of the places that a thread visits, four words each.
std::uint32_t sum_of_places(const Point& point, std::uint32_t thread) {
  std::uint32_t sum = 0;
  for (std::uint32_t access = 0; access < kRounds * kAtOnce; ++access) {
    sum += (access * point.threads + thread) * 16 % kTile + 6;  // words w to w + 3 are 4 w + 6, the byte's number + 6
  }
  return sum;
}

// What each thread should have: the sum of what it read, or the number of the CTA that wrote to its own.
std::vector<double> expected_of(const Point& point, std::uint32_t ctas) {
  std::vector<std::uint32_t> sums;
  for (std::uint32_t thread = 0; thread < point.threads; ++thread) {
    sums.push_back(sum_of_places(point, thread));
  }
  std::vector<double> expected;
  for (std::uint32_t cta = 0; cta < ctas; ++cta) {
    const std::uint32_t first = cta / point.cluster * point.cluster;
    const std::uint32_t source = first + (cta + point.distance) % point.cluster;
    const std::uint32_t writer = first + (cta + point.cluster - point.distance) % point.cluster;
    for (const std::uint32_t sum : sums) {
      const std::uint32_t read = sum + 4 * source * kRounds * kAtOnce;
      expected.push_back(point.way == Way::Load ? read : writer);
    }
  }
  return expected;
}

void measure(Session& session, const Point& point) {
  const LaunchConfig config = point.config();
  const Kernel kernel = kernel_of(point.way);
  if (config.grid.x == 0) {
    return;
  }
  const Params params{{"way", name_of(point.way)},
                      {"cluster", point.cluster},
                      {"distance", point.distance},
                      {"warps", point.threads / 32},
                      {"ctas", config.grid.x}};
  Buffer<std::uint32_t> out(config.grid.x * point.threads);
  const auto once = [&] { launch(kernel, config, point.distance, point.cluster, out.get()); };
  once();
  if (!session.verify("DSMEM", compare(out.to_host(), expected_of(point, config.grid.x), {}), params)) {
    return;
  }
  const Sampled us = session.sample_us(once, {.times = 5, .warm_ups = 1});
  const double bytes = point.bytes_a_cta() * config.grid.x;
  Result result{.metric = "bandwidth",
                .unit = "GB/s",
                .sampled = us.map([&](double t) { return bytes / t * 1e-3; }),
                .launch = launch_facts(kernel, config),
                .params = params};
  session.record(result);
  result.metric = "bandwidth_a_sm";
  result.unit = "B/cycle/SM";
  result.sampled = us.map([&](double t) { return point.bytes_a_cta() / (t * us.clock.mhz); });
  session.record(result);
}

void run(Session& session) {
  for (const Way way : {Way::Load, Way::Store, Way::Bulk}) {
    for (const std::uint32_t cluster : kClusterSizes) {
      measure(session, {way, cluster, 1, way == Way::Bulk ? 128u : 1024u});
      if (cluster > 2) {
        measure(session, {way, cluster, cluster / 2, way == Way::Bulk ? 128u : 1024u});
      }
    }
    if (way != Way::Bulk) {
      measure(session, {way, 2, 1, 128});
      measure(session, {way, 2, 0, 1024});
    }
  }
}

const Registered kDsmem{
    {.name = "micro/cluster/dsmem_bandwidth", .priority = 70, .seconds = 2, .needs = {Feature::Sm90}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
