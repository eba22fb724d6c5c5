// SPDX-License-Identifier: MIT
// ldmatrix (LDSM), the way from shared memory into fragments of mma.sync: one, two and four 8 x 8 matrices, as they are
// and transposed. Checked element by element; latency (an addition between two of them) and rate by warps, without bank
// conflicts. Expected: 128 bytes a cycle and SM, so four matrices every four cycles.
#include <algorithm>
#include <vector>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/mma.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kMatrixBytes = 128;  // 8 rows of 8 elements of 16 bits
constexpr int kFew = 32;
constexpr int kMany = 288;
constexpr int kAtOnce = 8;

template <int kMatrices, bool kTransposed>
__device__ __forceinline__ void load(std::uint32_t (&r)[kMatrices], std::uint32_t row) {
  if constexpr (kTransposed) {
    load_matrix_transposed(r, row);
  } else {
    load_matrix(r, row);
  }
}

// Lane 8 i + r gives row r of matrix i; the matrices lie one after another, each without gaps, which is free of
// conflicts. Fewer than four need the rows of the first lanes only; the others repeat them.
template <int kMatrices>
__device__ __forceinline__ std::uint32_t own_row(std::uint32_t base) {
  return base + threadIdx.x % (8 * kMatrices) * 16;
}

template <int kMatrices, bool kTransposed>
__global__ void once(std::uint16_t* out) {
  __shared__ alignas(16) std::uint16_t memory[kMatrices * 64];
  for (std::uint32_t i = threadIdx.x; i < kMatrices * 64; i += 32) {
    memory[i] = static_cast<std::uint16_t>(i);
  }
  __syncthreads();
  std::uint32_t r[kMatrices];
  load<kMatrices, kTransposed>(r, own_row<kMatrices>(shared_address(memory)));
#pragma unroll
  for (int i = 0; i < kMatrices; ++i) {
    out[(i * 32 + threadIdx.x) * 2] = static_cast<std::uint16_t>(r[i] & 0xffff);
    out[(i * 32 + threadIdx.x) * 2 + 1] = static_cast<std::uint16_t>(r[i] >> 16);
  }
}

// All of memory is 0, which is added to the address.
template <int kMatrices, bool kTransposed>
__global__ void chain_of_loads(int steps, std::uint64_t* cycles) {
  __shared__ alignas(16) std::uint32_t memory[kMatrices * 32];
  for (std::uint32_t i = threadIdx.x; i < kMatrices * 32; i += 32) {
    memory[i] = 0;
  }
  __syncthreads();
  std::uint32_t at = own_row<kMatrices>(shared_address(memory));
  const std::uint64_t begin = sm_cycles();
#pragma unroll 8
  for (int i = 0; i < steps; ++i) {
    std::uint32_t r[kMatrices];
    load<kMatrices, kTransposed>(r, at);
    at += r[0];
  }
  const std::uint64_t end = sm_cycles();
  if (threadIdx.x == 0) {
    cycles[0] = end - begin;
    cycles[1] = at;
  }
}

// Every warp the same memory, eight loads whose results meet at the end of a step.
template <int kMatrices, bool kTransposed>
__global__ void many_loads(int steps, std::uint64_t* spans, std::uint32_t* out) {
  __shared__ alignas(16) std::uint32_t memory[kAtOnce * kMatrices * 32];
  for (std::uint32_t i = threadIdx.x; i < kAtOnce * kMatrices * 32; i += blockDim.x) {
    memory[i] = i;
  }
  __syncthreads();
  const std::uint32_t row = own_row<kMatrices>(shared_address(memory));
  std::uint32_t mixed = 0;
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    std::uint32_t r[kAtOnce][kMatrices];
#pragma unroll
    for (std::uint32_t k = 0; k < kAtOnce; ++k) {
      load<kMatrices, kTransposed>(r[k], row + k * kMatrices * kMatrixBytes);
    }
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      mixed ^= r[k][0];
    }
  }
  const std::uint64_t end = sm_cycles();
  out[threadIdx.x] = mixed;
  if (threadIdx.x % 32 == 0) {
    spans[threadIdx.x / 32 * 2] = begin;
    spans[threadIdx.x / 32 * 2 + 1] = end;
  }
}

template <int kMatrices, bool kTransposed>
Params params_of() {
  return {{"matrices", kMatrices}, {"transposed", kTransposed ? 1 : 0}};
}

// Element (row, column) of matrix i goes to register i of lane 4 row + column / 2, half column % 2; transposed with row
// and column exchanged.
template <int kMatrices, bool kTransposed>
bool is_right(Session& session) {
  Buffer<std::uint16_t> out(kMatrices * 64);
  launch(once<kMatrices, kTransposed>, {}, out.get());
  std::vector<double> expected;
  for (int i = 0; i < kMatrices; ++i) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int half = 0; half < 2; ++half) {
        const int row = lane / 4;
        const int column = lane % 4 * 2 + half;
        expected.push_back(i * 64 + (kTransposed ? column * 8 + row : row * 8 + column));
      }
    }
  }
  return session.verify("ldmatrix", compare(out.to_host(), expected, {}), params_of<kMatrices, kTransposed>());
}

template <int kMatrices, bool kTransposed>
void measure_latency(Session& session) {
  Buffer<std::uint64_t> cycles(2);
  const auto time = [&](int steps) {
    launch(chain_of_loads<kMatrices, kTransposed>, {}, steps, cycles.get());
    return static_cast<double>(cycles.to_host()[0]);
  };
  const LaunchFacts facts = launch_facts(chain_of_loads<kMatrices, kTransposed>, {});
  session.record({.metric = "latency",
                  .unit = "cycles",
                  .sampled = session.sample([&] {
                    time(kFew);  // fetches the code
                    return (time(kMany) - time(kFew)) / (kMany - kFew);
                  }),
                  .launch = facts,
                  .params = params_of<kMatrices, kTransposed>(),
                  .note = "with the addition that makes the next address"});
  session.expect_sass(facts, "LDSM", 8, true);
}

template <int kMatrices, bool kTransposed>
void measure_throughput(Session& session, std::uint32_t warps) {
  const LaunchConfig config{.block = warps * 32};
  Buffer<std::uint64_t> spans(2 * warps);
  Buffer<std::uint32_t> out(warps * 32);
  const auto time = [&](int steps) {
    launch(many_loads<kMatrices, kTransposed>, config, steps, spans.get(), out.get());
    const std::vector<std::uint64_t> read = spans.to_host();
    std::uint64_t first = read[0];
    std::uint64_t last = read[1];
    for (std::size_t i = 2; i < read.size(); i += 2) {
      first = std::min(first, read[i]);
      last = std::max(last, read[i + 1]);
    }
    return static_cast<double>(last - first);
  };
  const double loads = static_cast<double>(warps) * kAtOnce * (kMany - kFew);
  Params params = params_of<kMatrices, kTransposed>();
  params.emplace_back("warps", warps);
  session.record({.metric = "throughput",
                  .unit = "inst/cycle/SM",
                  .sampled = session.sample(
                      [&] {
                        time(1);  // fetches the code
                        return loads / (time(kMany) - time(kFew));
                      },
                      {.times = 7, .warm_ups = 1}),
                  .launch = launch_facts(many_loads<kMatrices, kTransposed>, config),
                  .params = params});
}

template <int kMatrices, bool kTransposed>
void measure(Session& session) {
  if (!is_right<kMatrices, kTransposed>(session)) {
    return;
  }
  measure_latency<kMatrices, kTransposed>(session);
  for (std::uint32_t warps = 1; warps <= 32; warps *= 2) {
    measure_throughput<kMatrices, kTransposed>(session, warps);
  }
}

void run(Session& session) {
  measure<1, false>(session);
  measure<2, false>(session);
  measure<4, false>(session);
  measure<1, true>(session);
  measure<2, true>(session);
  measure<4, true>(session);
}

const Registered kLdmatrix{
    {.name = "micro/tensor/ldmatrix", .priority = 60, .seconds = 1, .needs = {Feature::Sm80}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
