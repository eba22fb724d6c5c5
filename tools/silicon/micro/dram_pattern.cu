// SPDX-License-Identifier: MIT
// DRAM bandwidth by the order and size of accesses. All bytes are read exactly once, so that only order matters:
//   stride   128-byte lines, successive ones `stride` bytes apart, until the area is through: what is lost when
//            accesses close in time share no row of a bank, or not all channels
//   gather   pieces of 32 to 512 bytes in random order: the same, and what a piece smaller than a burst wastes
//   partial  stores of the first 4 to 32 bytes of each sector: whether the rest of the sector is fetched first
#include <bit>

#include "tools/silicon/device/stream.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 512;
constexpr std::uint32_t kCtasPerSm = 4;
constexpr int kLoads = 4;
constexpr std::uint32_t kLaneBytes = 16;

// Piece `index` of the order that transposes a matrix of `stride` bytes a row and one line per column.
struct Strided {
  std::uint32_t rows_log2;
  std::uint32_t columns_log2;

  __device__ std::uint64_t operator()(std::uint64_t index) const {
    const std::uint64_t row = index & ((1ull << rows_log2) - 1);
    return row << columns_log2 | index >> rows_log2;
  }
};

// A permutation of 2^bits numbers: multiplying by an odd number and xor with a shift can both be undone.
struct Scattered {
  std::uint32_t bits;

  __device__ std::uint64_t operator()(std::uint64_t index) const {
    const std::uint64_t mask = (1ull << bits) - 1;
    std::uint64_t x = index;
    for (int round = 0; round < 3; ++round) {
      x = x * 0x9e3779b97f4a7c15ull & mask;
      x ^= x >> (bits / 2);
    }
    return x;
  }
};

// Each piece is read by kLanes neighbouring lanes of 16 bytes.
template <typename Order, int kLanes>
__global__ void read_pieces(const uint4* data, std::uint64_t pieces, Order order, std::uint32_t* sums) {
  const std::uint64_t first = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / kLanes;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x / kLanes;
  std::uint32_t sum = 0;
  for (std::uint64_t piece = first; piece < pieces; piece += step * kLoads) {
    uint4 values[kLoads] = {};
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      if (piece + step * i < pieces) {
        values[i] = __ldcg(data + order(piece + step * i) * kLanes + threadIdx.x % kLanes);
      }
    }
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      sum += values[i].x + values[i].y + (values[i].z + values[i].w);
    }
  }
  sum = __reduce_add_sync(0xffffffffu, sum);
  if (threadIdx.x % 32 == 0) {
    sums[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
  }
}

struct Area {
  Buffer<std::uint32_t> memory;
  Buffer<std::uint32_t> sums;
  std::uint32_t sum;  // of all words
};

std::uint32_t log2_of(std::uint64_t power) {
  return static_cast<std::uint32_t>(std::countr_zero(power));
}

LaunchConfig config_of(const Session& session) {
  return {.grid = session.sms() * kCtasPerSm, .block = kBlock};
}

template <int kLanes, typename Order>
void measure(Session& session, const Area& area, const Order& order, const Params& params) {
  const auto kernel = read_pieces<Order, kLanes>;
  const LaunchConfig config = config_of(session);
  const std::uint64_t pieces = area.memory.bytes() / (kLanes * kLaneBytes);
  const auto once = [&] {
    launch(kernel, config, reinterpret_cast<const uint4*>(area.memory.get()), pieces, order, area.sums.get());
  };
  once();
  const std::vector<double> got{static_cast<double>(sum_of_words(area.sums.get(), area.sums.bytes()))};
  const std::vector<double> expected{static_cast<double>(area.sum)};
  if (session.verify("sum", compare(got, expected, {}), params)) {
    const double bytes = static_cast<double>(area.memory.bytes());
    session.record({.metric = "bandwidth",
                    .unit = "GB/s",
                    .sampled = session.sample_us(once, {.times = 5, .warm_ups = 1}).map([&](double us) {
                      return bytes / us * 1e-3;
                    }),
                    .launch = launch_facts(kernel, config),
                    .params = params,
                    .input = Input::Random});
  }
}

Area area_of(Session& session, std::uint64_t bytes) {
  Area area{Buffer<std::uint32_t>(bytes / sizeof(std::uint32_t)),
            Buffer<std::uint32_t>(config_of(session).grid.x * kBlock / 32), 0};
  area.memory.fill(Input::Random);
  area.sum = sum_of_words(area.memory.get(), area.memory.bytes());
  return area;
}

constexpr std::uint64_t kGiB = 1ull << 30;

void run_stride(Session& session) {
  constexpr std::uint64_t kLine = 128;
  constexpr std::uint64_t kBytes = 2 * kGiB;
  const Area area = area_of(session, kBytes);
  for (std::uint64_t stride = kLine; stride <= 64 * 1024; stride *= 2) {
    const Strided order{log2_of(kBytes / stride), log2_of(stride / kLine)};
    measure<kLine / kLaneBytes>(session, area, order,
                                {{"order", "strided"}, {"stride_bytes", stride}, {"footprint_bytes", kBytes}});
  }
}

const Registered kStride{{.name = "micro/dram/stride", .priority = 70, .seconds = 2, .run = run_stride}};

template <int kLanes>
void measure_gather(Session& session, const Area& area) {
  const std::uint64_t piece = kLanes * kLaneBytes;
  const Scattered order{log2_of(area.memory.bytes() / piece)};
  measure<kLanes>(session, area, order,
                  {{"order", "random"}, {"piece_bytes", piece}, {"footprint_bytes", area.memory.bytes()}});
}

void run_gather(Session& session) {
  for (const std::uint64_t bytes : {kGiB / 2, 2 * kGiB, 8 * kGiB}) {
    const Area area = area_of(session, bytes);
    measure_gather<2>(session, area);
    measure_gather<4>(session, area);
    measure_gather<8>(session, area);
    measure_gather<16>(session, area);
    measure_gather<32>(session, area);
  }
}

const Registered kGather{{.name = "micro/dram/gather", .priority = 70, .seconds = 3, .run = run_gather}};

// ---- Stores to part of a sector -----------------------------------------------------------------------------------

constexpr std::uint32_t kSectorWords = 8;

// One thread per sector: its first kWords words, in stores as wide as they come.
template <int kWords>
__global__ void write_part(std::uint32_t* data, std::uint64_t sectors) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < sectors; i += step) {
    const auto value = static_cast<std::uint32_t>(i);
    std::uint32_t* to = data + i * kSectorWords;
    if constexpr (kWords == 1) {
      *to = value;
    } else if constexpr (kWords == 2) {
      *reinterpret_cast<uint2*>(to) = {value, value};
    } else {
      for (int word = 0; word < kWords; word += 4) {
        *reinterpret_cast<uint4*>(to + word) = {value, value, value, value};
      }
    }
  }
}

__global__ void count_wrong_words(const std::uint32_t* data, std::uint64_t sectors, int words, std::uint32_t* wrong) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < sectors; i += step) {
    for (std::uint32_t word = 0; word < kSectorWords; ++word) {
      const std::uint32_t expected = static_cast<int>(word) < words ? static_cast<std::uint32_t>(i) : 0;
      if (data[i * kSectorWords + word] != expected) {
        atomicAdd(wrong, 1);
      }
    }
  }
}

template <int kWords>
void measure_partial(Session& session, Buffer<std::uint32_t>& memory) {
  const LaunchConfig config = config_of(session);
  const std::uint64_t sectors = memory.size() / kSectorWords;
  const Params params{{"stored_bytes_of_sector", kWords * 4}, {"footprint_bytes", memory.bytes()}};
  const auto once = [&] { launch(write_part<kWords>, config, memory.get(), sectors); };
  memory.fill(Input::Zero);
  once();
  Buffer<std::uint32_t> wrong(1);
  wrong.fill(Input::Zero);
  launch(count_wrong_words, config, static_cast<const std::uint32_t*>(memory.get()), sectors, kWords, wrong.get());
  const std::vector<double> got{static_cast<double>(wrong.to_host().front())};
  if (session.verify("sectors", compare(got, std::vector<double>{0}, {}), params)) {
    session.record({.metric = "rate",
                    .unit = "sectors/ns",
                    .sampled = session.sample_us(once, {.times = 5, .warm_ups = 1}).map([&](double us) {
                      return static_cast<double>(sectors) / us * 1e-3;
                    }),
                    .launch = launch_facts(write_part<kWords>, config),
                    .params = params});
  }
}

void run_partial(Session& session) {
  Buffer<std::uint32_t> memory(2 * kGiB / sizeof(std::uint32_t));
  measure_partial<1>(session, memory);
  measure_partial<2>(session, memory);
  measure_partial<4>(session, memory);
  measure_partial<8>(session, memory);
}

const Registered kPartial{{.name = "micro/dram/partial_write", .priority = 70, .seconds = 1, .run = run_partial}};

}  // namespace
}  // namespace gpusim::silicon
