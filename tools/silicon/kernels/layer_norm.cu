// SPDX-License-Identifier: MIT
// Layer norm over rows of 4096, fp32: out = (x - mean) / sqrt(variance + epsilon) * gain + bias. The row stays in the
// registers of its CTA in both variants; they differ in how they come by the variance.
//
// For a trace: CTAs of 256 threads, grid rows; access j of a thread is 256 accesses of 16 bytes after access j - 1.
// Four LDG.E.128 for x, in flight together; at the end four times LDG.E.128 of gain and of bias (which all CTAs share,
// so from L1 or L2) and STG.E.128, one after the other because they might overlap.
//  two_pass  mean, then the squares of the differences: two reductions over the CTA, each five SHFL, one STS per warp,
//            BAR.SYNC, two broadcast LDS.128
//  welford   one chain of 16 steps (difference, mean, second moment) a thread, then five times two SHFL and a merge of
//            equal counts, one STS.64 a warp, one BAR.SYNC, four broadcast LDS.128, a tree of merges
// FLOPs are counted as eight an element in both, so that the rates compare: sum; difference, square, add; difference,
// factor, gain, bias.
#include <cmath>
#include <cstdint>

#include "tools/silicon/device/warp.cuh"
#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kWarps = kBlock / 32;
constexpr std::uint32_t kColumns = 4096;
constexpr std::uint32_t kItemsOfRow = kColumns / 4;
constexpr std::uint32_t kItems = kItemsOfRow / kBlock;
constexpr std::uint32_t kValues = 4 * kItems;
constexpr float kEpsilon = 1e-5f;

struct Row {
  Float4 item[kItems];

  __device__ float& at(std::uint32_t i) { return item[i / 4].at[i % 4]; }
};

__device__ Row load_row(const Float4* in) {
  const Float4* from = in + std::size_t{blockIdx.x} * kItemsOfRow + threadIdx.x;
  Row row;
#pragma unroll
  for (std::uint32_t j = 0; j < kItems; ++j) {
    row.item[j] = from[j * kBlock];
  }
  return row;
}

__device__ void store_normalised(Row& row, float mean, float variance, const Float4* gain, const Float4* bias,
                                 Float4* out) {
  const float factor = rsqrtf(variance + kEpsilon);
  Float4* to = out + std::size_t{blockIdx.x} * kItemsOfRow + threadIdx.x;
#pragma unroll
  for (std::uint32_t j = 0; j < kItems; ++j) {
    const Float4 g = gain[j * kBlock + threadIdx.x];
    const Float4 b = bias[j * kBlock + threadIdx.x];
    Float4 result;
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      result.at[e] = fmaf((row.item[j].at[e] - mean) * factor, g.at[e], b.at[e]);
    }
    to[j * kBlock] = result;
  }
}

__global__ void __launch_bounds__(kBlock)
    layer_norm_two_pass(const Float4* in, const Float4* gain, const Float4* bias, Float4* out) {
  __shared__ float sums[kWarps];
  __shared__ float squares[kWarps];
  Row row = load_row(in);
  float sum = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < kValues; ++i) {
    sum += row.at(i);
  }
  const float mean = over_cta(sum, sums, Sum{}) * (1.0f / kColumns);
  float square = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < kValues; ++i) {
    const float difference = row.at(i) - mean;
    square = fmaf(difference, difference, square);
  }
  const float variance = over_cta(square, squares, Sum{}) * (1.0f / kColumns);
  store_normalised(row, mean, variance, gain, bias, out);
}

/// Mean and sum of squared differences of `count` values, known where it is used.
struct Moments {
  float mean;
  float square;
};

// The moments of two sets of `count` values each, together.
__device__ Moments merged(const Moments& a, const Moments& b, float count) {
  const float difference = b.mean - a.mean;
  return {0.5f * (a.mean + b.mean), fmaf(difference * difference, 0.5f * count, a.square + b.square)};
}

__device__ Moments moments_of(Row& row) {
  Moments moments{0, 0};
#pragma unroll
  for (std::uint32_t i = 0; i < kValues; ++i) {
    const float difference = row.at(i) - moments.mean;
    moments.mean = fmaf(difference, 1.0f / static_cast<float>(i + 1), moments.mean);
    moments.square = fmaf(difference, row.at(i) - moments.mean, moments.square);
  }
  return moments;
}

__device__ Moments moments_over_warp(Moments moments) {
  float count = kValues;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const Moments other{__shfl_xor_sync(kAllLanes, moments.mean, distance),
                        __shfl_xor_sync(kAllLanes, moments.square, distance)};
    moments = merged(moments, other, count);
    count *= 2;
  }
  return moments;
}

__device__ Moments moments_over_cta(const Moments* of_warp) {
  Moments moments[kWarps];
#pragma unroll
  for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
    moments[warp] = of_warp[warp];
  }
  float count = 32 * kValues;
#pragma unroll
  for (std::uint32_t left = kWarps / 2; left > 0; left /= 2) {
#pragma unroll
    for (std::uint32_t warp = 0; warp < left; ++warp) {
      moments[warp] = merged(moments[warp], moments[warp + left], count);
    }
    count *= 2;
  }
  return moments[0];
}

__global__ void __launch_bounds__(kBlock)
    layer_norm_welford(const Float4* in, const Float4* gain, const Float4* bias, Float4* out) {
  __shared__ Moments of_warp[kWarps];
  Row row = load_row(in);
  const Moments of_lane = moments_over_warp(moments_of(row));
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = of_lane;
  }
  __syncthreads();
  const Moments moments = moments_over_cta(of_warp);
  store_normalised(row, moments.mean, moments.square * (1.0f / kColumns), gain, bias, out);
}

struct Variant {
  const char* name;
  void (*kernel)(const Float4*, const Float4*, const Float4*, Float4*);
};

struct Problem {
  std::uint32_t rows;
  Buffer<float> in{std::size_t{rows} * kColumns};
  Buffer<float> gain{kColumns};
  Buffer<float> bias{kColumns};
  Buffer<float> out{std::size_t{rows} * kColumns};
};

void normalise(std::vector<double>& row, const std::vector<float>& gain, const std::vector<float>& bias) {
  double mean = 0;
  double square = 0;
  for (const double x : row) {
    mean += x / kColumns;
  }
  for (const double x : row) {
    square += (x - mean) * (x - mean) / kColumns;
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = (row[i] - mean) / std::sqrt(square + kEpsilon) * gain[i] + bias[i];
  }
}

// Values below 2.8, from sums whose relative error is some 1e-6.
bool is_right(Session& session, const Problem& problem, const Params& params) {
  const Rectangle part = sampled_rows(problem.in.size(), kColumns);
  const std::vector<float> in = to_host(problem.in, part);
  const std::vector<float> gain = problem.gain.to_host();
  const std::vector<float> bias = problem.bias.to_host();
  std::vector<double> expected;
  for (auto first = in.begin(); first != in.end(); first += kColumns) {
    std::vector<double> row(first, first + kColumns);
    normalise(row, gain, bias);
    expected.insert(expected.end(), row.begin(), row.end());
  }
  const Comparison comparison = compare(to_host(problem.out, part), expected, {.relative = 1e-5, .absolute = 1e-5});
  return session.verify("layer norm", comparison, params);
}

void measure(Session& session, Problem& problem, const Variant& variant) {
  const LaunchConfig config{.grid = problem.rows, .block = kBlock};
  const auto as_items = [](const Buffer<float>& buffer) { return reinterpret_cast<Float4*>(buffer.get()); };
  const auto run = [&] {
    launch(variant.kernel, config, as_items(problem.in), as_items(problem.gain), as_items(problem.bias),
           as_items(problem.out));
  };
  const Params params{{"variant", variant.name}, {"rows", problem.rows}, {"columns", kColumns}};
  problem.out.poison();
  run();
  if (!is_right(session, problem, params)) {
    return;
  }
  const LaunchFacts facts = launch_facts(variant.kernel, config);
  session.expect_sass(facts, "LDG.E.128", kItems);
  const double elements = static_cast<double>(problem.in.size());
  time_workload(session, {run, facts, params, {.bytes = 8 * elements + 8.0 * kColumns, .flops = 8 * elements}});
}

void run(Session& session) {
  for (const std::uint32_t rows : sizes_for<std::uint32_t>(session, {64, 1024, 16384})) {
    Problem problem{rows};
    problem.in.fill(Input::Random, 1);
    problem.gain.fill(Input::Random, 2);
    problem.bias.fill(Input::Random, 3);
    measure(session, problem, {"two_pass", layer_norm_two_pass});
    measure(session, problem, {"welford", layer_norm_welford});
  }
}

const Registered kLayerNorm{{.name = "kernels/layer_norm", .priority = 70, .seconds = 2, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
