// SPDX-License-Identifier: MIT
// y = a x + y, one element a thread: the kernel of traces/saxpy.trace.
#include <cmath>
#include <cstdint>

#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr float kFactor = 0.75f;

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

struct Problem {
  std::uint32_t n;
  Buffer<float> x{n};
  Buffer<float> y{n};
  LaunchConfig config{.grid = (n + kBlock - 1) / kBlock, .block = kBlock};

  void run() const { launch(saxpy, config, static_cast<int>(n), kFactor, x.get(), y.get()); }
};

// Against double precision; one rounding of the product and sum together is half an ulp of the result.
bool is_right(Session& session, Problem& problem) {
  problem.x.fill(Input::Random, 1);
  problem.y.fill(Input::Random, 2);
  const std::vector<float> x = problem.x.to_host();
  const std::vector<float> y = problem.y.to_host();
  problem.run();
  std::vector<double> expected(problem.n);
  for (std::uint32_t i = 0; i < problem.n; ++i) {
    expected[i] = static_cast<double>(kFactor) * x[i] + y[i];
  }
  const Comparison comparison = compare(problem.y.to_host(), expected, {.relative = 1e-6, .absolute = 1e-7});
  return session.verify("saxpy", comparison, {{"n", problem.n}});
}

void measure(Session& session, Problem& problem, Cache cache) {
  constexpr double kBytesAnElement = 12;  // reads x and y, writes y
  const Sampled us = session.sample_us([&] { problem.run(); }, {.cache = cache});
  Result result{.metric = "time",
                .unit = "us",
                .sampled = us,
                .launch = launch_facts(saxpy, problem.config),
                .params = {{"n", problem.n}},
                .input = Input::Random,
                .cache = cache,
                .trace = {"saxpy.trace", {{"n", problem.n}}}};
  session.record(result);
  result.metric = "bandwidth";
  result.unit = "GB/s";
  result.sampled = us.map([&](double t) { return kBytesAnElement * problem.n / t * 1e-3; });
  session.record(result);
}

void run(Session& session) {
  for (const std::uint32_t n : {1u << 16, 1u << 22, 1u << 26}) {
    Problem problem{n};
    if (is_right(session, problem)) {
      measure(session, problem, Cache::Warm);
      measure(session, problem, Cache::Cold);
    }
  }
}

const Registered kSaxpy{{.name = "kernels/saxpy", .priority = 70, .seconds = 2, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
