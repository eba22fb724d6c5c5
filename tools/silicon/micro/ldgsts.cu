// SPDX-License-Identifier: MIT
// LDGSTS (cp.async): what goes from global to shared memory without a register.
//   latency  a chase in which each address arrives through shared memory: copy, wait for the group, LDS
//   depth    bandwidth by the number of groups in flight, of the L2 and of DRAM, past the L1 (.cg) or through it (.ca),
//            4, 8 or 16 bytes a lane
#include <utility>

#include "tools/silicon/device/async.cuh"
#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/stream.cuh"

namespace gpusim::silicon {
namespace {

// Past the L1 there are only copies of 16 bytes.
template <int kBytes, Path kPath>
__device__ __forceinline__ void copy(std::uint32_t to, const void* from) {
  static_assert(kPath == Path::L1 || kBytes == 16);
  if constexpr (kPath == Path::L2) {
    copy_async_16(to, from);
  } else {
    copy_async_through_l1<kBytes>(to, from);
  }
}

const char* name_of(Path path) {
  return path == Path::L1 ? "ca" : "cg";
}

// ---- Latency ------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kSteps = 512;

__device__ __forceinline__ std::uint32_t load_shared(std::uint32_t from) {
  std::uint32_t value;
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
  return value;
}

// Slots lie in the same 4 GiB, so that 4 bytes of each address are enough and all widths can be compared.
template <int kBytes, Path kPath>
__device__ __forceinline__ std::uint64_t step(std::uint32_t slot, std::uint64_t address) {
  copy<kBytes, kPath>(slot, reinterpret_cast<const void*>(address));
  copy_async_commit();
  copy_async_wait<0>();
  return (address & 0xffffffff00000000ull) | load_shared(slot);
}

template <int kBytes, Path kPath>
__global__ void chase_through_shared(std::uint64_t first, std::uint32_t warm_steps, std::uint64_t* output) {
  __shared__ alignas(16) std::uint32_t slot[4];
  const std::uint32_t to = shared_address(slot);
  std::uint64_t address = first;
#pragma unroll 1
  for (std::uint32_t i = 0; i < warm_steps; ++i) {
    address = step<kBytes, kPath>(to, address);
  }
  const std::uint64_t begin = sm_cycles();
#pragma unroll 8
  for (std::uint32_t i = 0; i < kSteps; ++i) {
    address = step<kBytes, kPath>(to, address);
  }
  output[1] = address;  // waits for it
  const std::uint64_t end = sm_cycles();
  output[0] = end - begin;
}

template <int kBytes, Path kPath>
void measure_latency(Session& session, const Ring& ring, const char* level) {
  const LaunchConfig config{.block = 1};
  const Buffer<std::uint64_t> output(2);
  const auto once = [&] {
    launch(chase_through_shared<kBytes, kPath>, config, ring.address(0), ring.size(), output.get());
    return static_cast<double>(output.to_host().front()) / kSteps;
  };
  once();
  const Params params{{"level", level}, {"bytes", kBytes}, {"path", name_of(kPath)}, {"lines", ring.size()}};
  const std::vector<double> got{static_cast<double>(output.to_host().back())};
  const std::vector<double> expected{static_cast<double>(ring.address(ring.size() + kSteps))};
  if (session.verify("end of the chase", compare(got, expected, {}), params)) {
    session.record({.metric = "latency",
                    .unit = "cycles",
                    .sampled = session.sample(once, {.times = 7, .warm_ups = 1}),
                    .launch = launch_facts(chase_through_shared<kBytes, kPath>, config),
                    .params = params,
                    .note = "of LDGSTS, its wait and an LDS together"});
  }
}

// A ring that the L1 holds, and one of four times its size, which the L2 holds.
void run_latency(Session& session) {
  constexpr std::uint64_t kStride = 128;
  const Buffer<std::uint64_t> memory((1 << 20) / sizeof(std::uint64_t));
  for (const std::uint32_t lines : {64u, 8192u}) {
    const char* level = lines == 64 ? "l1" : "l2";
    const Ring ring({reinterpret_cast<std::uint64_t>(memory.get()), kStride, 0, lines}, Visit::Shuffled);
    measure_latency<4, Path::L1>(session, ring, level);
    measure_latency<8, Path::L1>(session, ring, level);
    measure_latency<16, Path::L1>(session, ring, level);
    measure_latency<16, Path::L2>(session, ring, "l2");
  }
  session.expect_sass(launch_facts(chase_through_shared<16, Path::L2>, {.block = 1}), "LDGSTS", 8, true);
}

const Registered kLatency{
    {.name = "micro/ldgsts/latency", .priority = 70, .seconds = 1, .needs = {Feature::Sm80}, .run = run_latency}};

// ---- Depth --------------------------------------------------------------------------------------------------------

struct Source {
  const char* memory;
  std::uint32_t chunks;  // what a warp copies in one group: 32 x kBytes
  std::uint32_t first;
};

// One load, as wide as the copy: without bank conflicts, so that reading costs the banks no more than writing did.
template <int kBytes>
__device__ __forceinline__ std::uint32_t sum_of_lane(std::uint32_t from) {
  std::uint32_t words[4] = {};
  if constexpr (kBytes == 4) {
    words[0] = load_shared(from);
  } else if constexpr (kBytes == 8) {
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(words[0]), "=r"(words[1]) : "r"(from) : "memory");
  } else {
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(from)
                 : "memory");
  }
  return words[0] + words[1] + (words[2] + words[3]);
}

// Each warp has a ring of kGroups places of its own; a lane reads what it copied itself, so no barrier is needed.
template <int kBytes, Path kPath, int kGroups>
__global__ void copy_in_flight(Source source, std::uint32_t rounds, std::uint32_t* sums) {
  extern __shared__ uint4 shared[];
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const std::uint32_t step = gridDim.x * blockDim.x / 32 % source.chunks;
  const std::uint32_t place = shared_address(shared) + threadIdx.x * kBytes;
  const std::uint32_t place_step = blockDim.x * kBytes;
  std::uint32_t chunk = (source.first + warp) % source.chunks;
  std::uint32_t sum = 0;
  const auto issue = [&](std::uint32_t group) {
    copy<kBytes, kPath>(place + group % kGroups * place_step,
                        source.memory + (std::uint64_t{chunk} * 32 + threadIdx.x % 32) * kBytes);
    copy_async_commit();
    chunk += step;
    chunk -= chunk >= source.chunks ? source.chunks : 0;
  };
#pragma unroll
  for (int group = 0; group < kGroups; ++group) {
    issue(group);
  }
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; round += kGroups) {
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      copy_async_wait<kGroups - 1>();
      sum += sum_of_lane<kBytes>(place + group * place_step);
      if (round + kGroups < rounds) {
        issue(group);
      } else {
        copy_async_commit();  // an empty group, so that the count of pending ones stays right
      }
    }
  }
  sum = __reduce_add_sync(0xffffffffu, sum);
  if (threadIdx.x % 32 == 0) {
    sums[warp] = sum;
  }
}

struct Area {
  const Buffer<std::uint32_t>& memory;
  const Buffer<std::uint32_t>& sums;
  const char* level;
  std::uint64_t bytes;
};

template <int kBytes, Path kPath, int kGroups>
void measure_depth(Session& session, const Area& area, std::uint32_t warps) {
  const auto kernel = copy_in_flight<kBytes, kPath, kGroups>;
  const LaunchConfig config{.grid = session.sms(), .block = 32 * warps, .dynamic_smem = 32 * warps * kBytes * kGroups};
  const std::uint64_t chunk_bytes = 32 * kBytes;
  const std::uint32_t all_warps = session.sms() * warps;
  // About 800 MB, and a multiple of the groups; less where few bytes in flight make it slow.
  const std::uint64_t wanted = 800'000'000 / chunk_bytes / all_warps;
  const auto rounds = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, 512 * kGroups) / kGroups * kGroups);
  Source source{reinterpret_cast<const char*>(area.memory.get()), static_cast<std::uint32_t>(area.bytes / chunk_bytes),
                0};
  const std::uint64_t dealt = std::uint64_t{all_warps} * rounds;
  const auto once = [&] {
    launch(kernel, config, source, rounds, area.sums.get());
    source.first = static_cast<std::uint32_t>((source.first + dealt) % source.chunks);
  };
  const std::uint32_t expected =
      static_cast<std::uint32_t>(dealt / source.chunks) * sum_of_words(area.memory.get(), source.chunks * chunk_bytes) +
      sum_of_words(area.memory.get(), dealt % source.chunks * chunk_bytes);
  once();
  const double got = sum_of_words(area.sums.get(), std::uint64_t{all_warps} * sizeof(std::uint32_t));
  const Params params{{"level", area.level}, {"bytes", kBytes}, {"path", name_of(kPath)},
                      {"groups", kGroups},   {"warps", warps},  {"bytes_in_flight_per_sm", config.dynamic_smem}};
  if (session.verify("sum", compare(std::vector<double>{got}, std::vector<double>{double(expected)}, {}), params)) {
    session.record({.metric = "bandwidth",
                    .unit = "GB/s",
                    .sampled = session.sample_us(once, {.times = 5, .warm_ups = 1}).map([&](double us) {
                      return static_cast<double>(dealt * chunk_bytes) / us * 1e-3;
                    }),
                    .launch = launch_facts(kernel, config),
                    .params = params,
                    .input = Input::Random});
  }
}

template <int kBytes, Path kPath, int... kGroups>
void measure_depths(Session& session, const Area& area, std::integer_sequence<int, kGroups...>) {
  for (const std::uint32_t warps : {4u, 16u}) {
    (measure_depth<kBytes, kPath, kGroups>(session, area, warps), ...);
  }
}

void run_depth(Session& session) {
  using Depths = std::integer_sequence<int, 1, 2, 4, 8, 16>;
  using Middle = std::integer_sequence<int, 8>;
  const auto l2 = static_cast<std::uint64_t>(session.device().l2CacheSize);
  Buffer<std::uint32_t> memory(16 * l2 / sizeof(std::uint32_t));
  memory.fill(Input::Random);
  const Buffer<std::uint32_t> sums(session.sms() * 16);
  for (const auto& [level, bytes] : {std::pair{"l2", l2 / 4}, std::pair{"dram", 16 * l2}}) {
    const Area area{memory, sums, level, bytes};
    measure_depths<16, Path::L2>(session, area, Depths{});
    measure_depths<16, Path::L1>(session, area, Depths{});
    measure_depths<8, Path::L1>(session, area, Middle{});
    measure_depths<4, Path::L1>(session, area, Middle{});
  }
}

const Registered kDepth{
    {.name = "micro/ldgsts/depth", .priority = 70, .seconds = 2, .needs = {Feature::Sm80}, .run = run_depth}};

}  // namespace
}  // namespace gpusim::silicon
