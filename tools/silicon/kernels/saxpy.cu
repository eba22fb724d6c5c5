// SPDX-License-Identifier: MIT
// y = a x + y, one element per thread: the kernel of traces/saxpy.trace.
#include <cmath>
#include <cstdint>

#include "tools/silicon/device/workload.cuh"

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

void run(Session& session) {
  for (const std::uint32_t n : sizes_for<std::uint32_t>(session, {1u << 16, 1u << 22, 1u << 26})) {
    Problem problem{n};
    if (is_right(session, problem)) {
      // Reads x and y, writes y.
      time_workload(session, {.run = [&] { problem.run(); },
                              .launch = launch_facts(saxpy, problem.config),
                              .params = {{"n", n}},
                              .work = {.bytes = 12.0 * n, .flops = 2.0 * n},
                              .trace = {"saxpy.trace", {{"n", n}}}});
    }
  }
}

const Registered kSaxpy{{.name = "kernels/saxpy", .priority = 70, .seconds = 2, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
