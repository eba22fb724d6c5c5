// SPDX-License-Identifier: MIT
// out = in^T, fp32, as a ladder: naive (the kernel of traces/transpose.trace), through a tile in shared memory whose
// columns lie in one bank (32-way conflicts), through a padded tile, through a swizzled one (no conflicts, either).
//
// For a trace: tiles of 32 x 32, CTAs of 32 x 8 threads, four elements a thread (rows 8 apart), grid (n/32, n/32), no
// loop. Naive: four LDG.E, four STG.E of 32 sectors each. The others: four LDG.E, four STS, BAR.SYNC, four LDS, four
// STG.E of four sectors; word of (row, column) is 32 r + c, 33 r + c, and 32 r + (c ^ r).
#include <cstdint>

#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kTile = 32;
constexpr std::uint32_t kRowsAtOnce = 8;
constexpr std::uint32_t kSteps = kTile / kRowsAtOnce;

__global__ void __launch_bounds__(256) transpose_naive(const float* in, float* out, std::uint32_t n) {
  const std::uint32_t column = blockIdx.x * kTile + threadIdx.x;
  const std::uint32_t row = blockIdx.y * kTile + threadIdx.y;
  float item[kSteps];
#pragma unroll
  for (std::uint32_t j = 0; j < kSteps; ++j) {
    item[j] = in[(row + kRowsAtOnce * j) * n + column];
  }
#pragma unroll
  for (std::uint32_t j = 0; j < kSteps; ++j) {
    out[column * n + row + kRowsAtOnce * j] = item[j];
  }
}

struct Plain {
  static constexpr std::uint32_t kWords = kTile * kTile;
  __device__ static std::uint32_t word(std::uint32_t row, std::uint32_t column) { return row * kTile + column; }
};

struct Padded {
  static constexpr std::uint32_t kWords = kTile * (kTile + 1);
  __device__ static std::uint32_t word(std::uint32_t row, std::uint32_t column) { return row * (kTile + 1) + column; }
};

struct Swizzled {
  static constexpr std::uint32_t kWords = kTile * kTile;
  __device__ static std::uint32_t word(std::uint32_t row, std::uint32_t column) { return row * kTile + (column ^ row); }
};

template <typename Layout>
__global__ void __launch_bounds__(256) transpose_tiled(const float* in, float* out, std::uint32_t n) {
  __shared__ float tile[Layout::kWords];
  const std::uint32_t x = threadIdx.x;
  const std::uint32_t y = threadIdx.y;
#pragma unroll
  for (std::uint32_t j = 0; j < kTile; j += kRowsAtOnce) {
    tile[Layout::word(y + j, x)] = in[(blockIdx.y * kTile + y + j) * n + blockIdx.x * kTile + x];
  }
  __syncthreads();
#pragma unroll
  for (std::uint32_t j = 0; j < kTile; j += kRowsAtOnce) {
    out[(blockIdx.x * kTile + y + j) * n + blockIdx.y * kTile + x] = tile[Layout::word(x, y + j)];
  }
}

struct Variant {
  const char* name;
  void (*kernel)(const float*, float*, std::uint32_t);
  bool has_trace;
};

std::vector<Variant> ladder() {
  return {{"naive", transpose_naive, true},
          {"shared", transpose_tiled<Plain>, false},
          {"padded", transpose_tiled<Padded>, false},
          {"swizzled", transpose_tiled<Swizzled>, false}};
}

struct Problem {
  std::uint32_t n;
  Buffer<float> in{std::size_t{n} * n};
  Buffer<float> out{std::size_t{n} * n};
  LaunchConfig config{.grid = dim3(n / kTile, n / kTile), .block = dim3(kTile, kRowsAtOnce)};
};

// Strips of 32 rows of the result, spread evenly with the last among them, against 32 columns of the input.
bool is_right(Session& session, const Problem& problem, const Params& params) {
  constexpr std::uint32_t kMostStrips = 16;
  const std::size_t n = problem.n;
  const std::uint32_t strips = std::min(kMostStrips, problem.n / kTile);
  for (std::uint32_t k = 1; k <= strips; ++k) {
    const std::size_t first = (problem.n / kTile * k / strips - 1) * std::size_t{kTile};
    const std::vector<float> columns = to_host(problem.in, {first, n, kTile, n});
    const std::vector<float> rows = to_host(problem.out, {first * n, n, n, kTile});
    std::vector<double> expected(rows.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] = columns[i % n * kTile + i / n];
    }
    if (!session.verify("transpose", compare(rows, expected, {}), params)) {
      return false;
    }
  }
  return true;
}

void measure(Session& session, Problem& problem, const Variant& variant) {
  const Params params{{"variant", variant.name}, {"n", problem.n}};
  const TraceOf trace{"transpose.trace", {{"n", problem.n}}};
  const auto run = [&] { launch(variant.kernel, problem.config, problem.in.get(), problem.out.get(), problem.n); };
  problem.out.poison();
  run();
  if (!is_right(session, problem, params)) {
    return;
  }
  time_workload(session, {.run = run,
                          .launch = launch_facts(variant.kernel, problem.config),
                          .params = params,
                          .work = {.bytes = 8.0 * problem.n * problem.n},
                          .trace = variant.has_trace ? trace : TraceOf{}});
}

void run(Session& session) {
  for (const std::uint32_t n : sizes_for<std::uint32_t>(session, {512, 2048, 8192})) {
    Problem problem{n};
    problem.in.fill(Input::Random);
    for (const Variant& variant : ladder()) {
      measure(session, problem, variant);
    }
  }
}

const Registered kTranspose{{.name = "kernels/transpose", .priority = 70, .seconds = 2.5, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
