// SPDX-License-Identifier: MIT
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/stream.cuh"

namespace gpusim::silicon {
namespace {

struct Deal {
  uint4* memory;
  const uint4* source;
  std::uint32_t tiles;
  std::uint32_t first;
  std::uint32_t rounds;
  std::uint32_t zero = 0;
};

template <Path kPath>
__device__ __forceinline__ uint4 load_16(const uint4* from) {
  uint4 v;
  if constexpr (kPath == Path::L1) {
    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from)
                 : "memory");
  } else {
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from)
                 : "memory");
  }
  return v;
}

__device__ __forceinline__ void store_16(uint4* to, uint4 v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

__host__ __device__ std::uint32_t written_word(std::uint64_t access, std::uint32_t word) {
  return static_cast<std::uint32_t>(access) * 0x9e3779b1u + word * 0x85ebca6bu;
}

__device__ __forceinline__ uint4 written_value(std::uint64_t access) {
  return {written_word(access, 0), written_word(access, 1), written_word(access, 2), written_word(access, 3)};
}

// Loads stay in front of the clock, and every addition needs the clock's value (of which nothing is left, `zero` being
// 0): otherwise the compiler would save registers and wait for the first loads before it issues the last.
template <int kLoads>
__device__ __forceinline__ std::uint32_t sum_after_loads(const uint4 (&values)[kLoads], std::uint32_t sum,
                                                         std::uint32_t zero) {
  sum += static_cast<std::uint32_t>(sm_cycles()) & zero;
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    asm volatile("{ .reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2; }"
                 : "+r"(sum)
                 : "r"(values[i].x), "r"(values[i].y));
    asm volatile("{ .reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2; }"
                 : "+r"(sum)
                 : "r"(values[i].z), "r"(values[i].w));
  }
  return sum;
}

template <Move kMove, Path kPath, int kLoads>
__device__ __forceinline__ std::uint32_t move_tile(const Deal& deal, std::uint64_t at, std::uint32_t sum) {
  uint4 values[kLoads];
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    if constexpr (kMove == Move::Write) {
      values[i] = written_value(at + 32 * i);
    } else {
      values[i] = load_16<kPath>((kMove == Move::Copy ? deal.source : deal.memory) + at + 32 * i);
    }
  }
  if constexpr (kMove == Move::Read) {
    return sum_after_loads(values, sum, deal.zero);
  } else {
    constexpr std::uint32_t kMore = kMove == Move::Update ? 1 : 0;
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      store_16(deal.memory + at + 32 * i,
               {values[i].x + kMore, values[i].y + kMore, values[i].z + kMore, values[i].w + kMore});
    }
    return 0;
  }
}

template <Move kMove, Path kPath, int kLoads>
__global__ void move_tiles(Deal deal, std::uint32_t* sums, std::uint32_t* sm_of_cta) {
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t step = gridDim.x * blockDim.x / 32 % deal.tiles;
  std::uint32_t tile = (deal.first + warp) % deal.tiles;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (std::uint32_t round = 0; round < deal.rounds; ++round) {
    sum = move_tile<kMove, kPath, kLoads>(deal, std::uint64_t{tile} * (kLoads * 32) + lane, sum);
    tile += step;
    tile -= tile >= deal.tiles ? deal.tiles : 0;
  }
  if constexpr (kMove == Move::Read) {
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (lane == 0) {
      sums[warp] = sum;
    }
  }
  if (sm_of_cta != nullptr && threadIdx.x == 0) {
    sm_of_cta[blockIdx.x] = sm_id();
  }
}

using Kernel = void (*)(Deal, std::uint32_t*, std::uint32_t*);

template <Move kMove, Path kPath>
Kernel kernel_of(std::uint32_t loads) {
  switch (loads) {
    case 1: return move_tiles<kMove, kPath, 1>;
    case 2: return move_tiles<kMove, kPath, 2>;
    case 4: return move_tiles<kMove, kPath, 4>;
    case 8: return move_tiles<kMove, kPath, 8>;
    default: throw std::invalid_argument("a stream has 1, 2, 4 or 8 loads a lane");
  }
}

Kernel kernel_of(const Stream& stream) {
  switch (stream.move) {
    case Move::Write: return kernel_of<Move::Write, Path::L2>(stream.loads);
    case Move::Copy: return kernel_of<Move::Copy, Path::L1>(stream.loads);
    case Move::Update: return kernel_of<Move::Update, Path::L1>(stream.loads);
    case Move::Read: break;
  }
  return stream.path == Path::L1 ? kernel_of<Move::Read, Path::L1>(stream.loads)
                                 : kernel_of<Move::Read, Path::L2>(stream.loads);
}

__global__ void add_words(const std::uint32_t* data, std::uint64_t count, std::uint32_t* total) {
  std::uint32_t sum = 0;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    sum += data[i];
  }
  atomicAdd(total, sum);
}

__global__ void count_wrong(const uint4* got, const uint4* expected, std::uint64_t count, std::uint32_t* wrong) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint4 want = expected != nullptr ? expected[i] : written_value(i);
    const uint4 have = got[i];
    if (have.x != want.x || have.y != want.y || have.z != want.z || have.w != want.w) {
      atomicAdd(wrong, 1);
    }
  }
}

std::uint32_t wrong_accesses(const Stream& stream, std::uint64_t bytes) {
  Buffer<std::uint32_t> wrong(1);
  wrong.fill(Input::Zero);
  const void* expected = stream.move == Move::Copy ? stream.source : nullptr;
  launch(count_wrong, {.grid = 2048, .block = 256}, static_cast<const uint4*>(stream.memory),
         static_cast<const uint4*>(expected), bytes / sizeof(uint4), wrong.get());
  return wrong.to_host().front();
}

// What a launch from tile 0 reads: every tile as often as all have been dealt, the first ones once more.
std::uint32_t sum_of_dealt(const Stream& stream) {
  const std::uint64_t tile = stream.tile_bytes();
  const auto times = static_cast<std::uint32_t>(stream.moved_tiles() / stream.tiles);
  return times * sum_of_words(stream.memory, stream.tiles * tile) +
         sum_of_words(stream.memory, stream.moved_tiles() % stream.tiles * tile);
}

// Got and expected of a launch whose result is one number.
std::pair<double, double> run_and_sum(const Stream& stream) {
  const std::uint64_t tile = stream.tile_bytes();
  const std::uint64_t touched = std::min<std::uint64_t>(stream.moved_tiles(), stream.tiles) * tile;
  switch (stream.move) {
    case Move::Read: {
      const std::uint32_t expected = sum_of_dealt(stream);
      launch_stream(stream);
      return {sum_of_words(stream.sums, stream.warps() * sizeof(std::uint32_t)), expected};
    }
    case Move::Update: {
      const std::uint32_t before = sum_of_words(stream.memory, touched);
      launch_stream(stream);
      const auto words = static_cast<std::uint32_t>(stream.moved_tiles() * tile / sizeof(std::uint32_t));
      return {sum_of_words(stream.memory, touched), before + words};
    }
    case Move::Write:
    case Move::Copy: break;
  }
  launch_stream(stream);
  return {wrong_accesses(stream, touched), 0};
}

}  // namespace

const char* to_text(Move move) {
  switch (move) {
    case Move::Read: return "read";
    case Move::Write: return "write";
    case Move::Copy: return "copy";
    case Move::Update: return "update";
  }
  return "";
}

double bytes_per_byte(Move move) {
  return move == Move::Copy || move == Move::Update ? 2 : 1;
}

void launch_stream(const Stream& stream) {
  const Deal deal{static_cast<uint4*>(stream.memory),
                  static_cast<const uint4*>(stream.source),
                  stream.tiles,
                  stream.first_tile,
                  stream.rounds,
                  0};
  launch(kernel_of(stream), stream.config, deal, stream.sums, stream.sm_of_cta);
}

LaunchFacts stream_facts(const Stream& stream) {
  return launch_facts(kernel_of(stream), stream.config);
}

std::uint32_t stream_ctas_per_sm(const Stream& stream) {
  int ctas = 0;
  SILICON_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &ctas, kernel_of(stream), static_cast<int>(stream.config.block.x), stream.config.dynamic_smem));
  return static_cast<std::uint32_t>(ctas);
}

bool stream_cluster_fits(const Stream& stream) {
  const Kernel kernel = kernel_of(stream);
  permit(reinterpret_cast<const void*>(kernel), stream.config);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {stream.config.cluster, 1, 1};
  cudaLaunchConfig_t call{};
  call.gridDim = stream.config.grid;
  call.blockDim = stream.config.block;
  call.dynamicSmemBytes = stream.config.dynamic_smem;
  call.attrs = &cluster;
  call.numAttrs = 1;
  int clusters = 0;
  SILICON_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &call));
  return clusters > 0;
}

std::uint32_t rounds_for(const Stream& stream, double bytes) {
  const double round = static_cast<double>(stream.warps()) * stream.tile_bytes();
  return std::max(1u, static_cast<std::uint32_t>(bytes / round + 0.5));
}

std::uint32_t sum_of_words(const void* memory, std::uint64_t bytes) {
  Buffer<std::uint32_t> total(1);
  total.fill(Input::Zero);
  launch(add_words, {.grid = 2048, .block = 256}, static_cast<const std::uint32_t*>(memory),
         bytes / sizeof(std::uint32_t), total.get());
  return total.to_host().front();
}

bool verify_stream(Session& session, Stream stream, const Params& params) {
  stream.first_tile = 0;
  const auto [got, expected] = run_and_sum(stream);
  return session.verify(to_text(stream.move), compare(std::vector<double>{got}, std::vector<double>{expected}, {}),
                        params);
}

Sampled sample_stream(Session& session, Stream& stream, const Repeat& repeat) {
  const double bytes = stream.bytes() * bytes_per_byte(stream.move);
  const Sampled us = session.sample_us(
      [&] {
        launch_stream(stream);
        stream.first_tile = static_cast<std::uint32_t>((stream.first_tile + stream.moved_tiles()) % stream.tiles);
      },
      repeat);
  return us.map([&](double t) { return bytes / t * 1e-3; });
}

}  // namespace gpusim::silicon
