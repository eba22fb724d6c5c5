// SPDX-License-Identifier: MIT
// Constant caches. Loads with an address from a register (LDC) in a chain through a working set: latency by level,
// knees at the capacities. Operands of an instruction (c[bank][address]): time of straight-line code against how much
// of the bank it reads, beside the same code that reads one place, because the code itself has caches to fit into. The
// model has the latencies of GA102 and no capacities for Hopper: sm.timing.constant_load, constant caches of the front
// end.
#include <cstdint>
#include <numeric>
#include <utility>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kTableBytes = 64 * 1024;
constexpr int kLoads = 64;  // between two readings of the clock
constexpr int kReadings = 16;
constexpr int kLineBytes = 64;

__constant__ std::uint32_t table[kTableBytes / 4];

// Every entry holds the byte offset of the next. Runs through the whole set before the clock is read.
__global__ void chase(std::uint32_t* start, int warm_loads, std::uint64_t* cycles) {
  std::uint32_t offset = start[threadIdx.x];
  const char* const bytes = reinterpret_cast<const char*>(table);
#pragma unroll 1
  for (int i = 0; i < warm_loads; ++i) {
    offset = *reinterpret_cast<const std::uint32_t*>(bytes + offset);
  }
#pragma unroll 1
  for (int reading = 0; reading < kReadings; ++reading) {
    const std::uint64_t begin = sm_cycles();
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      offset = *reinterpret_cast<const std::uint32_t*>(bytes + offset);
    }
    asm volatile("" ::"r"(offset) : "memory");
    const std::uint64_t end = sm_cycles();
    cycles[reading] = end - begin;
  }
  start[32 + threadIdx.x] = offset;
}

// A cycle through all entries in an order that no prefetcher guesses.
void write_cycle(std::uint32_t working_set, std::uint32_t stride) {
  const std::uint32_t entries = working_set / stride;
  std::uint32_t step = entries * 5 / 8 | 1;
  while (std::gcd(step, entries) != 1) {
    step += 2;
  }
  std::vector<std::uint32_t> values(kTableBytes / 4, 0);
  for (std::uint32_t i = 0; i < entries; ++i) {
    values[i * stride / 4] = (i + step) % entries * stride;
  }
  SILICON_CHECK(cudaMemcpyToSymbol(table, values.data(), kTableBytes));
}

double cycles_of_load(Buffer<std::uint32_t>& start, std::uint32_t entries) {
  Buffer<std::uint64_t> cycles(kReadings);
  const int warm_loads = static_cast<int>(2 * entries);
  launch(chase, {}, start.get(), warm_loads, cycles.get());
  std::vector<double> each;
  for (const std::uint64_t read : cycles.to_host()) {
    each.push_back(static_cast<double>(read) / kLoads);
  }
  return summarize(std::move(each)).median;
}

void run_loads(Session& session) {
  Buffer<std::uint32_t> start(64);
  start.fill(Input::Zero);
  for (const std::uint32_t stride : {16u, 64u, 256u}) {
    for (const std::uint32_t kib_times_4 :
         {1u, 2u, 3u, 4u, 6u, 7u, 8u, 9u, 10u, 12u, 16u, 24u, 32u, 64u, 96u, 128u, 160u, 192u, 256u}) {
      const std::uint32_t working_set = kib_times_4 * 256;
      if (working_set < 2 * stride) {
        continue;
      }
      write_cycle(working_set, stride);
      session.record(
          {.metric = "latency",
           .unit = "cycles",
           .sampled = session.sample([&] { return cycles_of_load(start, working_set / stride); }, {.times = 5}),
           .launch = launch_facts(chase, {}),
           .params = {{"op", "LDC"}, {"working_set_bytes", working_set}, {"stride_bytes", stride}}});
    }
  }
  session.expect_sass(launch_facts(chase, {}), "LDC", kLoads, true);
}

constexpr int kMostOperands = kTableBytes / kLineBytes;
constexpr int kPasses = 6;
constexpr int kWarmPass = 2;

__device__ __forceinline__ void multiply_add(float& x, std::uint32_t operand, float b) {
  asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(__uint_as_float(operand)), "f"(b));
}

// Each takes an operand `kStride` bytes after the last one's. A call, because the compiler would load what it can
// before the loop; it knows no better within.
template <int kStride, int... kIndices>
__noinline__ __device__ float multiply_adds(float x, float b, std::integer_sequence<int, kIndices...>) {
  (multiply_add(x, table[kIndices * kStride / 4], b), ...);
  return x;
}

template <int kStride, int kOperands>
__global__ void operands(float* values, std::uint64_t* cycles) {
  float x = values[threadIdx.x];
  const float b = values[32 + threadIdx.x];
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    const std::uint64_t begin = sm_cycles();
    x = multiply_adds<kStride>(x, b, std::make_integer_sequence<int, kOperands>{});
    asm volatile("" ::"f"(x) : "memory");
    const std::uint64_t end = sm_cycles();
    cycles[pass] = end - begin;
  }
  values[64 + threadIdx.x] = x;
}

template <int kStride, int kOperands>
void measure_operands(Session& session, Buffer<float>& values) {
  const auto cycles_each = [&] {
    Buffer<std::uint64_t> cycles(kPasses);
    launch(operands<kStride, kOperands>, {}, values.get(), cycles.get());
    const std::vector<std::uint64_t> read = cycles.to_host();
    return summarize({read.begin() + kWarmPass, read.end()}).median / kOperands;
  };
  session.record({.metric = "time_per_instruction",
                  .unit = "cycles",
                  .sampled = session.sample(cycles_each, {.times = 7}),
                  .launch = launch_facts(operands<kStride, kOperands>, {}),
                  .params = {{"op", "FFMA"},
                             {"working_set_bytes", kStride == 0 ? 4 : kOperands * kStride},
                             {"stride_bytes", kStride},
                             {"operands", kOperands}}});
}

template <int kStride, int... kOperands>
void measure_sizes(Session& session, std::integer_sequence<int, kOperands...>) {
  Buffer<float> values(96);
  values.fill(Input::Random);
  (measure_operands<kStride, kOperands>(session, values), ...);
}

void run_operands(Session& session) {
  const std::vector<std::uint32_t> ones(kTableBytes / 4, 0x3f800000);
  SILICON_CHECK(cudaMemcpyToSymbol(table, ones.data(), kTableBytes));
  using Sizes = std::integer_sequence<int, 8, 16, 24, 32, 48, 64, 96, 128, 256, 384, 512, 768, kMostOperands>;
  measure_sizes<0>(session, Sizes{});
  measure_sizes<kLineBytes>(session, Sizes{});
}

const Registered kLoad{{.name = "micro/cache/constant_load", .priority = 70, .seconds = 0.6, .run = run_loads}};
const Registered kOperand{
    {.name = "micro/cache/constant_operand", .priority = 70, .seconds = 0.4, .run = run_operands}};

}  // namespace
}  // namespace gpusim::silicon
