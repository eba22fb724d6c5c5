// SPDX-License-Identifier: MIT
// out[i] = table[index[i]] with uniformly random indices into a table of as many items, of 4 and 16 bytes, one or four
// independent gathers in flight a thread. Small tables sit in the L2 (1 and 16 MiB), the large one (256 MiB) mostly in
// the DRAM, where each gather costs a sector of 32 bytes or more, and its pages try the TLBs.
//
// For a trace: CTAs of 256 threads, no loop; gather j of a thread is element (ctaid * items + j) * 256 + tid. All LDG
// of the indices (coalesced, 4 bytes), then all LDG from the table, then all STG (coalesced). An index is 32 hashed
// bits modulo the size of the table. Bytes are those asked for: index, item read, item written.
#include <cstdint>

#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;

__global__ void keep_low_bits(std::uint32_t* values, std::size_t count, std::uint32_t mask) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    values[i] &= mask;
  }
}

template <typename T, std::uint32_t kItems>
__global__ void __launch_bounds__(kBlock) gather(const T* table, const std::uint32_t* index, T* out) {
  const std::uint32_t i = blockIdx.x * kItems * kBlock + threadIdx.x;
  std::uint32_t where[kItems];
  T item[kItems];
#pragma unroll
  for (std::uint32_t j = 0; j < kItems; ++j) {
    where[j] = index[i + j * kBlock];
  }
#pragma unroll
  for (std::uint32_t j = 0; j < kItems; ++j) {
    item[j] = table[where[j]];
  }
#pragma unroll
  for (std::uint32_t j = 0; j < kItems; ++j) {
    out[i + j * kBlock] = item[j];
  }
}

template <typename T>
struct Problem {
  std::size_t bytes;
  std::uint32_t n = static_cast<std::uint32_t>(bytes / sizeof(T));
  Buffer<float> table{bytes / sizeof(float)};
  Buffer<float> out{bytes / sizeof(float)};
  Buffer<std::uint32_t> index{n};
  std::vector<float> on_host;  // the table

  void fill() {
    table.fill(Input::Random, 1);
    index.fill(Input::Random, 2);
    launch(keep_low_bits, {.grid = 1024, .block = 256}, index.get(), index.size(), n - 1);
    on_host = table.to_host();
  }
};

template <typename T>
bool is_right(Session& session, const Problem<T>& problem, const Params& params) {
  constexpr std::size_t kFloats = sizeof(T) / sizeof(float);
  const Rectangle part = sampled_rows(problem.n, 1024);
  const std::vector<std::uint32_t> index = to_host(problem.index, part);
  const std::vector<float> got =
      to_host(problem.out, {part.first * kFloats, part.pitch * kFloats, part.width * kFloats, part.rows});
  std::vector<double> expected(got.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = problem.on_host[index[i / kFloats] * kFloats + i % kFloats];
  }
  return session.verify("gather", compare(got, expected, {}), params);
}

template <typename T, std::uint32_t kItems>
void measure(Session& session, Problem<T>& problem) {
  const LaunchConfig config{.grid = problem.n / (kBlock * kItems), .block = kBlock};
  const auto run = [&] {
    launch(gather<T, kItems>, config, reinterpret_cast<const T*>(problem.table.get()), problem.index.get(),
           reinterpret_cast<T*>(problem.out.get()));
  };
  const Params params{{"table_bytes", problem.bytes}, {"width", sizeof(T)}, {"items", kItems}};
  problem.out.poison();
  run();
  if (!is_right(session, problem, params)) {
    return;
  }
  const LaunchFacts facts = launch_facts(gather<T, kItems>, config);
  session.expect_sass(facts, sizeof(T) == 16 ? "LDG.E.128" : "LDG.E", kItems);
  time_workload(session, {run, facts, params, {.bytes = (4.0 + 2.0 * sizeof(T)) * problem.n}});
}

template <typename T>
void measure_width(Session& session, std::size_t bytes) {
  Problem<T> problem{bytes};
  problem.fill();
  measure<T, 1>(session, problem);
  measure<T, 4>(session, problem);
}

void run(Session& session) {
  for (const std::size_t mebibytes : sizes_for<std::size_t>(session, {1, 16, 256})) {
    measure_width<float>(session, mebibytes << 20);
    measure_width<float4>(session, mebibytes << 20);
  }
}

const Registered kGather{{.name = "kernels/gather", .priority = 70, .seconds = 2.5, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
