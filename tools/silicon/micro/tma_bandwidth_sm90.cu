// SPDX-License-Identifier: MIT
// Copies in flight against bandwidth: one thread of each CTA keeps `depth` boxes under way and asks for the next as
// soon as one is there; nobody looks at the data. From L2 (16 MiB, read again and again) and DRAM (512 MiB), by all SMs
// and by one. Multicast: the CTAs of a cluster each fetch a part of every box for all of them. Gives the model the
// engine's throughput for small boxes, the bytes in flight that a bandwidth needs, and what multicast saves.
#include <array>

#include "tools/silicon/micro/tma.cuh"

namespace gpusim::silicon {
namespace {

using tma::Kind;

constexpr std::uint32_t kMostDepth = 16;
constexpr std::uint32_t kMostShared = 192 * 1024;
constexpr std::uint64_t kOfL2 = 16ull << 20;
constexpr std::uint64_t kOfDram = 512ull << 20;
constexpr std::uint32_t kRoundsOfDepth = 64;

struct Stream {
  const char* data;
  std::uint32_t bytes;  // of a box, as it arrives in one CTA
  std::uint32_t depth;
  std::uint32_t boxes;   // a CTA
  std::uint32_t in_all;  // parts that the data holds, at least as many as there are CTAs
};

// The first part of a CTA or cluster, and the one after.
struct Walk {
  std::uint32_t part;
  std::uint32_t step;
  std::uint32_t in_all;
  __device__ std::uint32_t next() {
    const std::uint32_t now = part;
    part += step;
    part = part >= in_all ? part - in_all : part;
    return now;
  }
};

struct Ring {
  std::uint32_t slot = 0;
  std::uint32_t parity = 0;
  __device__ void advance(std::uint32_t depth) {
    slot += 1;
    if (slot == depth) {
      slot = 0;
      parity ^= 1;
    }
  }
};

template <Kind kind>
__global__ void stream(const __grid_constant__ CUtensorMap map, const Stream s) {
  extern __shared__ char raw[];
  __shared__ std::uint64_t full_memory[kMostDepth];
  const std::uint32_t to = tma::aligned_shared(raw);
  const std::uint32_t full = shared_address(full_memory);
  if (threadIdx.x != 0) {
    return;
  }
  for (std::uint32_t slot = 0; slot < s.depth; ++slot) {
    barrier_init(full + 8 * slot, 1);
  }
  fence_barrier_init();
  Walk walk{blockIdx.x, gridDim.x, s.in_all};
  const auto ask = [&](std::uint32_t slot) {
    barrier_arrive_expect(full + 8 * slot, s.bytes);
    tma::load_box<kind>(to + slot * s.bytes, map, s.data, s.bytes, walk.next(), full + 8 * slot);
  };
  for (std::uint32_t slot = 0; slot < s.depth; ++slot) {
    ask(slot);
  }
  Ring ring;
#pragma unroll 1
  for (std::uint32_t box = 0; box < s.boxes; ++box) {
    barrier_wait(full + 8 * ring.slot, ring.parity);
    if (box + s.depth < s.boxes) {
      ask(ring.slot);
    }
    ring.advance(s.depth);
  }
}

// Every CTA's slot is full when all parts have come, and may be asked for again when all CTAs have said that theirs is
// empty, because a part goes to all of them. `first_slots`, where given: what the first slot of every CTA holds at the
// end.
template <Kind kind>
__global__ void stream_multicast(const __grid_constant__ CUtensorMap map, const Stream s, std::uint32_t ctas,
                                 float* first_slots) {
  extern __shared__ char raw[];
  __shared__ std::uint64_t full_memory[kMostDepth];
  __shared__ std::uint64_t empty_memory[kMostDepth];
  const std::uint32_t to = tma::aligned_shared(raw);
  const std::uint32_t full = shared_address(full_memory);
  const std::uint32_t empty = shared_address(empty_memory);
  if (threadIdx.x == 0) {
    for (std::uint32_t slot = 0; slot < s.depth; ++slot) {
      barrier_init(full + 8 * slot, 1);
      barrier_init(empty + 8 * slot, ctas);
    }
    fence_barrier_init();
  }
  __syncwarp();
  cluster_sync();
  if (threadIdx.x == 0) {
    const std::uint32_t rank = cluster_rank();
    const std::uint32_t part_bytes = s.bytes / ctas;
    const auto everybody = static_cast<std::uint16_t>((1u << ctas) - 1);
    Walk walk{blockIdx.x, gridDim.x, s.in_all};
    const auto ask = [&](std::uint32_t slot) {
      barrier_arrive_expect(full + 8 * slot, s.bytes);
      tma::load_box_multicast<kind>(to + slot * s.bytes + rank * part_bytes, map, s.data, part_bytes, walk.next(),
                                    full + 8 * slot, everybody);
    };
    for (std::uint32_t slot = 0; slot < s.depth; ++slot) {
      ask(slot);
    }
    Ring ring;
#pragma unroll 1
    for (std::uint32_t box = 0; box < s.boxes; ++box) {
      barrier_wait(full + 8 * ring.slot, ring.parity);
#pragma unroll 1
      for (std::uint32_t other = 0; other < ctas; ++other) {
        barrier_arrive_remote(cluster_address(empty + 8 * ring.slot, other));
      }
      if (box + s.depth < s.boxes) {
        barrier_wait_cluster(empty + 8 * ring.slot, ring.parity);
        ask(ring.slot);
      }
      ring.advance(s.depth);
    }
  }
  __syncwarp();
  if (first_slots != nullptr) {
    const float* slot = reinterpret_cast<const float*>(raw + (to - shared_address(raw)));
    for (std::uint32_t i = threadIdx.x; i < s.bytes / 4; i += blockDim.x) {
      first_slots[blockIdx.x * (s.bytes / 4) + i] = slot[i];
    }
  }
  cluster_sync();
}

struct Point {
  std::uint32_t bytes;
  std::uint32_t depth;
  std::uint32_t ctas;  // in the grid
  std::uint32_t cluster = 1;
  Cache cache = Cache::Warm;
};

template <Kind kind>
void measure(Session& session, const Buffer<float>& data, const Point& point) {
  const std::uint64_t footprint = point.cache == Cache::Warm ? kOfL2 : kOfDram;
  const std::uint32_t part_bytes = point.bytes / point.cluster;
  const CUtensorMap map = tma::map_of(data.get(), footprint, part_bytes);
  const auto parts = static_cast<std::uint32_t>(footprint / part_bytes);
  // From DRAM: all of the data once a launch, so that the next launch finds none of it.
  const std::uint32_t few = kRoundsOfDepth * point.depth;
  const std::uint32_t boxes = point.cache == Cache::Warm ? few : std::max(few, parts / point.ctas);
  const Stream s{reinterpret_cast<const char*>(data.get()), point.bytes, point.depth, boxes, parts};
  const LaunchConfig config{.grid = point.ctas,
                            .block = 32,
                            .dynamic_smem = point.bytes * point.depth + tma::kAlign,
                            .cluster = point.cluster};
  const Sampled us = session.sample_us(
      [&] {
        if (point.cluster == 1) {
          launch(stream<kind>, config, map, s);
        } else {
          launch(stream_multicast<kind>, config, map, s, point.cluster, nullptr);
        }
      },
      {.times = 5, .warm_ups = 1});
  const double delivered = static_cast<double>(point.ctas) * s.boxes * point.bytes;
  session.record(
      {.metric = "bandwidth",
       .unit = "GB/s",
       .sampled = us.map([&](double t) { return delivered / t * 1e-3; }),
       .launch = point.cluster == 1 ? launch_facts(stream<kind>, config) : launch_facts(stream_multicast<kind>, config),
       .params = {{"kind", tma::name_of(kind)},
                  {"box_bytes", point.bytes},
                  {"depth", point.depth},
                  {"ctas", point.ctas},
                  {"multicast", point.cluster},
                  {"footprint_mib", footprint >> 20}},
       .cache = point.cache,
       .note = point.cluster == 1 ? "" : "bytes delivered to shared memory; read from L2 once a cluster"});
}

constexpr std::array<std::uint32_t, 4> kSizes{1024, 4096, 16384, 32768};
constexpr std::array<std::uint32_t, 5> kDepths{1, 2, 4, 8, 16};

template <Kind kind>
void sweep(Session& session, const Buffer<float>& data, const Point& common) {
  for (const std::uint32_t bytes : kSizes) {
    for (const std::uint32_t depth : kDepths) {
      if (bytes * depth <= kMostShared) {
        measure<kind>(session, data, {bytes, depth, common.ctas, common.cluster, common.cache});
      }
    }
  }
}

template <Kind kind>
void run_kind(Session& session) {
  Buffer<float> data(kOfDram / 4);
  data.fill(Input::Random);
  sweep<kind>(session, data, {.ctas = session.sms()});
  sweep<kind>(session, data, {.ctas = 1});
  sweep<kind>(session, data, {.ctas = session.sms(), .cache = Cache::Cold});
}

void run_tensor(Session& session) {
  run_kind<Kind::Tensor>(session);
}
void run_bulk(Session& session) {
  run_kind<Kind::Bulk>(session);
}

// Two clusters, one box each.
template <Kind kind>
bool is_right(Session& session, const Buffer<float>& data, std::uint32_t cluster) {
  constexpr std::uint32_t kBytes = 16384;
  const std::uint32_t ctas = 2 * cluster;
  const std::uint32_t part_bytes = kBytes / cluster;
  Buffer<float> slots(ctas * kBytes / 4);
  const Stream s{reinterpret_cast<const char*>(data.get()), kBytes, 1, 1, ctas};
  const LaunchConfig config{.grid = ctas, .block = 32, .dynamic_smem = kBytes + tma::kAlign, .cluster = cluster};
  launch(stream_multicast<kind>, config, tma::map_of(data.get(), kOfL2, part_bytes), s, cluster, slots.get());
  std::vector<float> values(ctas * kBytes / 4);
  SILICON_CHECK(cudaMemcpy(values.data(), data.get(), values.size() * 4, cudaMemcpyDeviceToHost));
  std::vector<double> expected;
  for (std::uint32_t cta = 0; cta < ctas; ++cta) {
    const std::vector<double> box = tma::expected_box(values, kBytes, cta / cluster, false);
    expected.insert(expected.end(), box.begin(), box.end());
  }
  return session.verify("TMA multicast", compare(slots.to_host(), expected, {}),
                        {{"kind", tma::name_of(kind)}, {"multicast", cluster}});
}

// As many CTAs as clusters of every size have room for.
void run_multicast(Session& session) {
  Buffer<float> data(kOfDram / 4);
  data.fill(Input::Random);
  for (const std::uint32_t cluster : {2u, 4u}) {
    if (!is_right<Kind::Tensor>(session, data, cluster) || !is_right<Kind::Bulk>(session, data, cluster)) {
      return;
    }
    const std::uint32_t ctas = session.sms() / 4 * 4;
    for (const std::uint32_t depth : {1u, 2u, 4u, 8u}) {
      measure<Kind::Tensor>(session, data, {16384, depth, ctas, cluster});
      measure<Kind::Bulk>(session, data, {16384, depth, ctas, cluster});
      measure<Kind::Tensor>(session, data, {16384, depth, ctas, cluster, Cache::Cold});
    }
  }
}

const Registered kTensor{
    {.name = "micro/tma/bandwidth", .priority = 70, .seconds = 2, .needs = {Feature::Sm90}, .run = run_tensor}};
const Registered kBulk{
    {.name = "micro/tma/bandwidth_bulk", .priority = 50, .seconds = 2, .needs = {Feature::Sm90}, .run = run_bulk}};
const Registered kMulticast{
    {.name = "micro/tma/multicast", .priority = 60, .seconds = 1, .needs = {Feature::Sm90}, .run = run_multicast}};

}  // namespace
}  // namespace gpusim::silicon
