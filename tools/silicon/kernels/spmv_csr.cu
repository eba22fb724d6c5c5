// SPDX-License-Identifier: MIT
// y = A x for a sparse matrix in CSR form, fp32, with row lengths as of a graph: most rows have few elements, few have
// thousands, P(length > l) = (4 / l)^(4/3) from 4 to 2048, some 15 on average. Columns are spread evenly over the row,
// each at a random place of its interval, so they rise and x is gathered over all its length.
//
// For a trace: CTAs of 256 threads.
//  scalar  row = thread: two LDG.E for begin and end, then a real loop of one trip an element: LDG.E column, LDG.E
//  value,
//          LDG.E x[column], FFMA. A warp runs as many trips as its longest row (the note says how many lanes work on
//          average); lanes read places as far apart as their rows are long
//  vector  row = warp: lane l takes elements begin + l, begin + l + 32, ..; 32 neighbours coalesce; then five SHFL and
//          FADD, lane 0 stores. Rows of 4 leave 28 lanes idle
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tools/silicon/device/warp.cuh"
#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr double kLongestRow = 2048;

__global__ void __launch_bounds__(kBlock) spmv_scalar(const std::uint32_t* row_begin, const std::uint32_t* column,
                                                      const float* value, const float* x, float* y) {
  const std::uint32_t row = blockIdx.x * kBlock + threadIdx.x;
  const std::uint32_t end = row_begin[row + 1];
  float sum = 0;
#pragma unroll 1
  for (std::uint32_t k = row_begin[row]; k < end; ++k) {
    sum = fmaf(value[k], x[column[k]], sum);
  }
  y[row] = sum;
}

__global__ void __launch_bounds__(kBlock) spmv_vector(const std::uint32_t* row_begin, const std::uint32_t* column,
                                                      const float* value, const float* x, float* y) {
  const std::uint32_t row = blockIdx.x * (kBlock / 32) + threadIdx.x / 32;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t end = row_begin[row + 1];
  float sum = 0;
#pragma unroll 1
  for (std::uint32_t k = row_begin[row] + lane; k < end; k += 32) {
    sum = fmaf(value[k], x[column[k]], sum);
  }
  sum = over_warp(sum, Sum{});
  if (lane == 0) {
    y[row] = sum;
  }
}

/// Square, on the host. The same on every machine: made of hashed integers and IEEE operations that round correctly.
struct Matrix {
  std::uint32_t rows = 0;
  std::vector<std::uint32_t> row_begin{0};
  std::vector<std::uint32_t> column;

  [[nodiscard]] std::uint32_t length(std::uint32_t row) const { return row_begin[row + 1] - row_begin[row]; }
  [[nodiscard]] std::size_t elements() const { return column.size(); }
};

// Uniform in (0, 1), a function of `seed` alone: one round of a multiplicative mix.
double uniform(std::uint64_t seed) {
  std::uint64_t bits = (seed + 1) * 0x9e3779b97f4a7c15ull;
  bits = (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9ull;
  return (static_cast<double>((bits ^ (bits >> 32)) >> 12) + 0.5) * 0x1p-52;
}

// The inverse of P(length > l) = (4 / l)^(4/3): 4 / u^(3/4), the power by square roots.
std::uint32_t random_length(std::uint32_t row) {
  const double root = std::sqrt(uniform(row));
  return static_cast<std::uint32_t>(std::min(kLongestRow, 4 / (root * std::sqrt(root))));
}

Matrix make_matrix(std::uint32_t rows) {
  Matrix matrix{.rows = rows};
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t length = random_length(row);
    const double interval = static_cast<double>(rows) / length;
    for (std::uint32_t k = 0; k < length; ++k) {
      const double place = k + uniform(std::uint64_t{matrix.row_begin.back()} + k + (std::uint64_t{1} << 40));
      matrix.column.push_back(std::min(rows - 1, static_cast<std::uint32_t>(place * interval)));
    }
    matrix.row_begin.push_back(static_cast<std::uint32_t>(matrix.column.size()));
  }
  return matrix;
}

// How many of the 32 lanes of a warp work on average while the kernel with one row per thread runs.
double busy_lanes(const Matrix& matrix) {
  double trips = 0;
  for (std::uint32_t row = 0; row < matrix.rows; row += 32) {
    std::uint32_t longest = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      longest = std::max(longest, matrix.length(row + lane));
    }
    trips += longest;
  }
  return static_cast<double>(matrix.elements()) / trips;
}

struct Problem {
  Matrix matrix;
  Buffer<std::uint32_t> row_begin{matrix.row_begin};
  Buffer<std::uint32_t> column{matrix.column};
  Buffer<float> value{matrix.elements()};
  Buffer<float> x{matrix.rows};
  Buffer<float> y{matrix.rows};
  std::vector<double> expected{};

  [[nodiscard]] Work work() const {
    const auto elements = static_cast<double>(matrix.elements());
    return {.bytes = 8 * elements + 12.0 * matrix.rows, .flops = 2 * elements};
  }
};

std::vector<double> reference(const Problem& problem) {
  const std::vector<float> value = problem.value.to_host();
  const std::vector<float> x = problem.x.to_host();
  std::vector<double> y(problem.matrix.rows);
  for (std::uint32_t row = 0; row < problem.matrix.rows; ++row) {
    for (std::uint32_t k = problem.matrix.row_begin[row]; k < problem.matrix.row_begin[row + 1]; ++k) {
      y[row] += static_cast<double>(value[k]) * x[problem.matrix.column[k]];
    }
  }
  return y;
}

// The longest rows add 2048 products of values in [-1, 1) one after the other, partial sums below 60.
void measure(Session& session, Problem& problem, const char* variant, decltype(&spmv_scalar) kernel,
             std::uint32_t rows_of_cta) {
  const LaunchConfig config{.grid = problem.matrix.rows / rows_of_cta, .block = kBlock};
  const auto run = [&] {
    launch(kernel, config, problem.row_begin.get(), problem.column.get(), problem.value.get(), problem.x.get(),
           problem.y.get());
  };
  const Params params{{"variant", variant}, {"rows", problem.matrix.rows}, {"elements", problem.matrix.elements()}};
  problem.y.poison();
  run();
  const Comparison comparison = compare(problem.y.to_host(), problem.expected, {.relative = 1e-5, .absolute = 1e-4});
  if (session.verify("spmv", comparison, params)) {
    time_workload(session,
                  {.run = run,
                   .launch = launch_facts(kernel, config),
                   .params = params,
                   .work = problem.work(),
                   .note = "a row per thread: " + std::to_string(busy_lanes(problem.matrix)) + " of 32 lanes busy"});
  }
}

void run(Session& session) {
  for (const std::uint32_t rows : sizes_for<std::uint32_t>(session, {1u << 12, 1u << 16, 1u << 20})) {
    Problem problem{make_matrix(rows)};
    problem.value.fill(Input::Random, 1);
    problem.x.fill(Input::Random, 2);
    problem.expected = reference(problem);
    measure(session, problem, "scalar", spmv_scalar, kBlock);
    measure(session, problem, "vector", spmv_vector, kBlock / 32);
  }
}

const Registered kSpmvCsr{{.name = "kernels/spmv_csr", .priority = 70, .seconds = 2, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
