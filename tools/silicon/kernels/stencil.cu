// SPDX-License-Identifier: MIT
// Five-point stencil on an n x n grid, fp32: out = 0.5 in + 0.125 (north + south + east + west), zero beyond the edge.
// How much of the fivefold reading the L1 takes away decides the time.
//
// For a trace: CTAs of 32 x 8 threads.
//  direct   one point per thread, grid (n/32, n/8), no loop: five LDG.E (three rows; east, west: the same lines but
//           for one sector), predicated at the edge, STG.E
//  marching a thread goes down a column of 64 rows, grid (n/32, n/512), a real loop: north and centre stay in
//  registers,
//           three LDG.E (south, east, west) and one STG.E a row
#include <algorithm>
#include <cstdint>

#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kWidth = 32;
constexpr std::uint32_t kHeight = 8;
constexpr std::uint32_t kMarch = 64;
constexpr float kCentre = 0.5f;
constexpr float kSide = 0.125f;

__global__ void __launch_bounds__(kWidth* kHeight) stencil_direct(const float* in, float* out, std::uint32_t n) {
  const std::uint32_t column = blockIdx.x * kWidth + threadIdx.x;
  const std::uint32_t row = blockIdx.y * kHeight + threadIdx.y;
  const std::uint32_t i = row * n + column;
  const float north = row > 0 ? in[i - n] : 0;
  const float south = row + 1 < n ? in[i + n] : 0;
  const float west = column > 0 ? in[i - 1] : 0;
  const float east = column + 1 < n ? in[i + 1] : 0;
  out[i] = fmaf(kCentre, in[i], kSide * ((north + south) + (west + east)));
}

__global__ void __launch_bounds__(kWidth* kHeight) stencil_marching(const float* in, float* out, std::uint32_t n) {
  const std::uint32_t column = blockIdx.x * kWidth + threadIdx.x;
  const std::uint32_t first = (blockIdx.y * kHeight + threadIdx.y) * kMarch;
  std::uint32_t i = first * n + column;
  float north = first > 0 ? in[i - n] : 0;
  float centre = in[i];
#pragma unroll 1
  for (std::uint32_t row = first; row < first + kMarch; ++row) {
    const float south = row + 1 < n ? in[i + n] : 0;
    const float west = column > 0 ? in[i - 1] : 0;
    const float east = column + 1 < n ? in[i + 1] : 0;
    out[i] = fmaf(kCentre, centre, kSide * ((north + south) + (west + east)));
    north = centre;
    centre = south;
    i += n;
  }
}

struct Variant {
  const char* name;
  void (*kernel)(const float*, float*, std::uint32_t);
  std::uint32_t rows_of_cta;
};

struct Problem {
  std::uint32_t n;
  Buffer<float> in{std::size_t{n} * n};
  Buffer<float> out{std::size_t{n} * n};
};

// One row of the result; `rows` are that row of the input and its neighbours, zero where there is none.
std::vector<double> reference(const std::vector<std::vector<float>>& rows) {
  const std::vector<float>& centre = rows[1];
  const std::size_t n = centre.size();
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double west = i > 0 ? centre[i - 1] : 0;
    const double east = i + 1 < n ? centre[i + 1] : 0;
    out[i] = kCentre * static_cast<double>(centre[i]) + kSide * (west + east + rows[0][i] + rows[2][i]);
  }
  return out;
}

std::vector<float> row_of(const Buffer<float>& grid, std::size_t n, std::size_t row) {
  return row < n ? to_host(grid, {row * n, n, n, 1}) : std::vector<float>(n);
}

// Rows spread evenly, first and last among them; results are below 1, six roundings of some 6e-8.
bool is_right(Session& session, const Problem& problem, const Params& params) {
  constexpr std::size_t kCheckedRows = 128;
  const std::size_t n = problem.n;
  for (std::size_t k = 0; k < kCheckedRows; ++k) {
    const std::size_t row = k * (n - 1) / (kCheckedRows - 1);
    // Before the first row: n, which does not exist either.
    const std::vector<double> expected = reference(
        {row_of(problem.in, n, row > 0 ? row - 1 : n), row_of(problem.in, n, row), row_of(problem.in, n, row + 1)});
    const Comparison comparison = compare(row_of(problem.out, n, row), expected, {.relative = 0, .absolute = 1e-6});
    if (!session.verify("stencil", comparison, params)) {
      return false;
    }
  }
  return true;
}

void measure(Session& session, Problem& problem, const Variant& variant) {
  const LaunchConfig config{.grid = dim3(problem.n / kWidth, problem.n / variant.rows_of_cta),
                            .block = dim3(kWidth, kHeight)};
  const auto run = [&] { launch(variant.kernel, config, problem.in.get(), problem.out.get(), problem.n); };
  const Params params{{"variant", variant.name}, {"n", problem.n}};
  problem.out.poison();
  run();
  if (is_right(session, problem, params)) {
    const double points = static_cast<double>(problem.n) * problem.n;
    time_workload(session,
                  {run, launch_facts(variant.kernel, config), params, {.bytes = 8 * points, .flops = 6 * points}});
  }
}

void run(Session& session) {
  for (const std::uint32_t n : sizes_for<std::uint32_t>(session, {512, 2048, 8192})) {
    Problem problem{n};
    problem.in.fill(Input::Random);
    measure(session, problem, {"direct", stencil_direct, kHeight});
    measure(session, problem, {"marching", stencil_marching, kHeight * kMarch});
  }
}

const Registered kStencil{{.name = "kernels/stencil", .priority = 50, .seconds = 1.5, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
