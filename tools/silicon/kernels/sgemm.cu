// SPDX-License-Identifier: MIT
// The SGEMM ladder; its last step is the kernel of traces/sgemm_tiled.trace. Expected on an H200 (66 TFLOP/s at 1.98
// GHz) at 4096 cubed: about 6, 9, 35 and 45 TFLOP/s.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tools/silicon/device/workload.cuh"
#include "tools/silicon/host/reference.h"
#include "tools/silicon/kernels/gpu_cta.cuh"
#include "tools/silicon/kernels/sgemm.h"

namespace gpusim::silicon {
namespace {

constexpr float kAlpha = 0.5f;

__global__ void __launch_bounds__(kSgemmNaive.threads) naive(SgemmArguments arguments) {
  sgemm_naive(GpuCta{}, arguments);
}
__global__ void __launch_bounds__(kSgemmShared.threads) shared_tiles(SgemmArguments arguments) {
  sgemm_shared(GpuCta{}, arguments);
}
__global__ void __launch_bounds__(kSgemmRegisters.threads, 2) register_tiles(SgemmArguments arguments) {
  sgemm_registers(GpuCta{}, arguments);
}
__global__ void __launch_bounds__(kSgemmDouble.threads, 2) double_buffered(SgemmArguments arguments) {
  sgemm_double(GpuCta{}, arguments);
}

struct Step {
  const char* name;
  void (*kernel)(SgemmArguments);
  SgemmShape shape;
  const char* trace;
};
constexpr Step kLadder[] = {{"naive", naive, kSgemmNaive, ""},
                            {"shared_tiles", shared_tiles, kSgemmShared, ""},
                            {"register_tiles", register_tiles, kSgemmRegisters, ""},
                            {"double_buffered", double_buffered, kSgemmDouble, "sgemm_tiled.trace"}};

struct Problem {
  std::uint32_t m, n, k;
  Buffer<float> a{std::size_t{m} * k};
  Buffer<float> b{std::size_t{k} * n};
  Buffer<float> c{std::size_t{m} * n};

  [[nodiscard]] double flops() const { return 2.0 * m * n * k; }
  [[nodiscard]] Params params() const { return {{"m", m}, {"n", n}, {"k", k}}; }
  [[nodiscard]] LaunchConfig config(const SgemmShape& shape) const {
    return {.grid = {n / shape.columns, m / shape.rows}, .block = shape.threads, .dynamic_smem = shape.shared_bytes};
  }
  void run(const Step& step) const {
    launch(step.kernel, config(step.shape), SgemmArguments{a.get(), b.get(), c.get(), m, n, k, kAlpha});
  }

  /// In double precision; B by columns.
  [[nodiscard]] Product product() const {
    Product product{m, n, k, a.to_host(), std::vector<float>(std::size_t{n} * k), kAlpha};
    const std::vector<float> by_rows = b.to_host();
    for (std::size_t row = 0; row < k; ++row) {
      for (std::size_t column = 0; column < n; ++column) {
        product.b[column * k + row] = by_rows[row * n + column];
      }
    }
    return product;
  }
};

// Every element of the small size, 16384 of the others, and that all are written. An addition rounds by 2^-24 of a
// partial sum at most, and partial sums of products with variance 1/9 stay below 2 sqrt(k): k additions whose errors
// all have one sign lose k 2 sqrt(k) 2^-24, in practice sqrt(k) times less, 2^-23 k. Eight times that is allowed: 0.004
// at k = 4096, where results are about 10 and a product that is missing or too many 0.12.
bool is_right(Session& session, Problem& problem, const Product& product, const Step& step, const Params& params) {
  constexpr std::size_t kSamples = 16384;
  problem.c.poison();
  problem.run(step);
  const std::size_t samples = problem.flops() < 1e9 ? problem.c.size() : kSamples;
  const Tolerance tolerance{.relative = 1e-6, .absolute = problem.k * 0x1p-20};
  return session.verify("sgemm", product.check(problem.c.to_host(), samples, tolerance), params);
}

void measure(Session& session, const Problem& problem, const Step& step, Params params) {
  constexpr double kBatchUs = 100;
  constexpr double kMostFlopsPerUs = 50e6;
  const auto batch = static_cast<int>(std::ceil(kBatchUs * kMostFlopsPerUs / problem.flops()));
  const Sampled us = session.sample_us([&] { problem.run(step); }, {.times = 7, .batch = std::min(batch, 50)});
  params.emplace_back("flops", problem.flops());
  Result result{.metric = "time",
                .unit = "us",
                .sampled = us,
                .launch = launch_facts(step.kernel, problem.config(step.shape)),
                .params = params,
                .input = Input::Random};
  if (*step.trace != '\0') {
    result.trace = {step.trace, problem.params()};
  }
  session.record(result);
  result.metric = "throughput";
  result.unit = "TFLOP/s";
  result.sampled = us.map([&](double t) { return problem.flops() / t * 1e-6; });
  session.record(result);
}

void run(Session& session) {
  struct Size {
    std::uint32_t m, n, k;
  };
  for (const Size& size :
       sizes_for<Size>(session, {{256, 384, 320}, {1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}})) {
    Problem problem{size.m, size.n, size.k};
    problem.a.fill(Input::Random, 1);
    problem.b.fill(Input::Random, 2);
    const Product product = problem.product();
    for (const Step& step : kLadder) {
      Params params = problem.params();
      params.emplace_back("step", step.name);
      if (is_right(session, problem, product, step, params)) {
        measure(session, problem, step, params);
      }
    }
  }
  for (const Step& step : kLadder) {
    session.expect_sass(launch_facts(step.kernel, {}), "FFMA", step.shape.rows == 128 ? 512 : 1);
  }
}

const Registered kSgemm{{.name = "kernels/sgemm", .priority = 70, .seconds = 4, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
