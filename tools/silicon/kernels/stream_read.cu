// SPDX-License-Identifier: MIT
// Reads a buffer once, four independent accesses of 16 bytes a thread and trip: the kernel of
// traces/stream_read.trace, with the same CTAs, the same order and one accumulator (R12 there).
#include <cmath>
#include <cstdint>
#include <limits>

#include "tools/silicon/device/warp.cuh"
#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kItems = 4;
constexpr float kNever = std::numeric_limits<float>::infinity();
constexpr float kAlways = -kNever;

// The sum is stored where it exceeds `limit`: everywhere to be checked, nowhere to be timed.
__global__ void __launch_bounds__(kBlock)
    stream_read(const Float4* data, float* sum, std::uint32_t trips, float limit) {
  const std::uint32_t threads = gridDim.x * kBlock;
  const std::uint32_t thread = blockIdx.x * kBlock + threadIdx.x;
  const Float4* from = data + thread;
  float total = 0;
#pragma unroll 1
  for (std::uint32_t trip = 0; trip < trips; ++trip) {
    Float4 item[kItems];
#pragma unroll
    for (std::uint32_t j = 0; j < kItems; ++j) {
      item[j] = from[std::size_t{j} * threads];
    }
#pragma unroll
    for (std::uint32_t e = 0; e < 4 * kItems; ++e) {
      total += item[e / 4].at[e % 4];
    }
    from += std::size_t{kItems} * threads;
  }
  if (total > limit) {
    sum[thread] = total;
  }
}

struct Problem {
  std::size_t bytes;
  std::uint32_t ctas;
  Buffer<float> data{bytes / sizeof(float)};
  Buffer<float> sum{std::size_t{ctas} * kBlock};
  LaunchConfig config{.grid = ctas, .block = kBlock};
  std::uint32_t trips = static_cast<std::uint32_t>(bytes / (std::size_t{ctas} * kBlock * kItems * sizeof(Float4)));

  void run(float limit) const {
    launch(stream_read, config, reinterpret_cast<const Float4*>(data.get()), sum.get(), trips, limit);
  }
};

// The sums of one CTA's threads, from its columns of the data seen as rows of what all threads read at once.
std::vector<double> sums_of_cta(const Problem& problem, std::uint32_t cta) {
  const std::size_t width = std::size_t{kBlock} * 4;
  const std::vector<float> data =
      to_host(problem.data, {cta * width, problem.ctas * width, width, std::size_t{problem.trips} * kItems});
  std::vector<double> sums(kBlock);
  for (std::size_t i = 0; i < data.size(); ++i) {
    sums[i % width / 4] += data[i];
  }
  return sums;
}

// Up to 128 values in [-1, 1) one after the other: partial sums below 30, so an error of 1e-4 is never reached.
bool is_right(Session& session, Problem& problem, const Params& params) {
  constexpr std::uint32_t kCheckedCtas = 16;
  problem.data.fill(Input::Random);
  problem.run(kAlways);
  const std::vector<float> sums = problem.sum.to_host();
  for (std::uint32_t k = 1; k <= kCheckedCtas; ++k) {
    const std::uint32_t cta = problem.ctas * k / kCheckedCtas - 1;
    const auto first = sums.begin() + static_cast<std::ptrdiff_t>(cta) * kBlock;
    const std::vector<float> got(first, first + kBlock);
    if (!session.verify("stream_read", compare(got, sums_of_cta(problem, cta), {1e-5, 1e-4}), params)) {
      return false;
    }
  }
  return true;
}

void measure(Session& session, std::size_t bytes, std::uint32_t ctas) {
  Problem problem{bytes, ctas};
  const Params params{{"bytes", bytes}, {"ctas", ctas}};
  if (!is_right(session, problem, params)) {
    return;
  }
  const LaunchFacts facts = launch_facts(stream_read, problem.config);
  session.expect_sass(facts, "LDG.E.128", kItems);
  time_workload(session, {.run = [&] { problem.run(kNever); },
                          .launch = facts,
                          .params = params,
                          .work = {.bytes = static_cast<double>(bytes), .flops = static_cast<double>(bytes) / 4},
                          .trace = {"stream_read.trace", params}});
}

void run(Session& session) {
  struct Size {
    std::size_t mebibytes;
    std::uint32_t ctas;
  };
  for (const Size& size : sizes_for<Size>(session, {{4, 256}, {32, 1024}, {512, 4096}})) {
    measure(session, size.mebibytes << 20, size.ctas);
  }
}

const Registered kStreamRead{{.name = "kernels/stream_read", .priority = 70, .seconds = 1, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
