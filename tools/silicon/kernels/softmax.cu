// SPDX-License-Identifier: MIT
// Softmax over the rows of a matrix, fp32, with a scale as attention has it: out = exp(8 x - 8 max) / sum. The scale
// and the base are folded into one factor, so that an element is one FFMA and one MUFU.EX2.
//
// For a trace: CTAs of 256 threads; a lane's access j of 16 bytes is 32 (row a warp) or 256 (row a CTA) accesses
// further.
//  warp    a row of 1024 in the registers of one warp (eight LDG.E.128, 32 values a lane): maximum, exponentials, sum,
//          MUFU.RCP, product, eight STG.E.128; two butterflies of five SHFL; no barrier. Grid rows / 8
//  cta     a row of 4096 in the registers of a CTA (four LDG.E.128, 16 values a thread); each reduction is a butterfly,
//  one
//          STS a warp, BAR.SYNC and eight broadcast values. Grid rows
//  online  a row of 32768 that does not fit: a real loop of 32 trips keeps maximum and sum of what was read (two more
//          MUFU.EX2 a trip at most), a reduction of both, then a second loop that reads again and stores. Grid rows
// FLOPs are counted as five an element: scale and subtract, exponential, maximum, sum, product.
#include <cmath>
#include <cstdint>

#include "tools/silicon/device/warp.cuh"
#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kWarps = kBlock / 32;
constexpr double kScale = 8;
constexpr float kFactor = 11.5415603f;  // 8 log2(e)
constexpr std::uint32_t kColumnsOfWarp = 1024;
constexpr std::uint32_t kColumnsOfCta = 4096;
constexpr std::uint32_t kColumnsOnline = 32768;

__device__ float exp2_approximately(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

__device__ float reciprocal_approximately(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

__device__ float maximum_of(const Float4& item) {
  return fmaxf(fmaxf(item.at[0], item.at[1]), fmaxf(item.at[2], item.at[3]));
}

// Replaces x by exp2(factor x - offset); the sum of the four.
__device__ float exponentiate(Float4& item, float offset) {
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    item.at[e] = exp2_approximately(fmaf(item.at[e], kFactor, -offset));
  }
  return (item.at[0] + item.at[1]) + (item.at[2] + item.at[3]);
}

__device__ Float4 scaled(const Float4& item, float factor) {
  return {item.at[0] * factor, item.at[1] * factor, item.at[2] * factor, item.at[3] * factor};
}

// A row in the registers of the threads that share it; `over` combines a value over them.
template <std::uint32_t kItems, std::uint32_t kThreads, typename OverMaximum, typename OverSum>
__device__ void softmax_row(const Float4* from, Float4* to, OverMaximum over_maximum, OverSum over_sum) {
  Float4 item[kItems];
  float maximum = -INFINITY;
#pragma unroll
  for (std::uint32_t j = 0; j < kItems; ++j) {
    item[j] = from[j * kThreads];
  }
#pragma unroll
  for (std::uint32_t j = 0; j < kItems; ++j) {
    maximum = fmaxf(maximum, maximum_of(item[j]));
  }
  const float offset = kFactor * over_maximum(maximum);
  float sum = 0;
#pragma unroll
  for (std::uint32_t j = 0; j < kItems; ++j) {
    sum += exponentiate(item[j], offset);
  }
  const float factor = reciprocal_approximately(over_sum(sum));
#pragma unroll
  for (std::uint32_t j = 0; j < kItems; ++j) {
    to[j * kThreads] = scaled(item[j], factor);
  }
}

__global__ void __launch_bounds__(kBlock) softmax_warp(const Float4* in, Float4* out) {
  constexpr std::uint32_t kItemsOfRow = kColumnsOfWarp / 4;
  const std::size_t row = std::size_t{blockIdx.x} * kWarps + threadIdx.x / 32;
  const std::size_t first = row * kItemsOfRow + threadIdx.x % 32;
  softmax_row<kItemsOfRow / 32, 32>(
      in + first, out + first, [](float x) { return over_warp(x, Maximum{}); },
      [](float x) { return over_warp(x, Sum{}); });
}

__global__ void __launch_bounds__(kBlock) softmax_cta(const Float4* in, Float4* out) {
  constexpr std::uint32_t kItemsOfRow = kColumnsOfCta / 4;
  __shared__ float maxima[kWarps];
  __shared__ float sums[kWarps];
  const std::size_t first = std::size_t{blockIdx.x} * kItemsOfRow + threadIdx.x;
  softmax_row<kItemsOfRow / kBlock, kBlock>(
      in + first, out + first, [](float x) { return over_cta(x, maxima, Maximum{}); },
      [](float x) { return over_cta(x, sums, Sum{}); });
}

__global__ void __launch_bounds__(kBlock) softmax_online(const Float4* in, Float4* out) {
  constexpr std::uint32_t kItemsOfRow = kColumnsOnline / 4;
  __shared__ float maxima[kWarps];
  __shared__ float sums[kWarps];
  const Float4* from = in + std::size_t{blockIdx.x} * kItemsOfRow;
  Float4* to = out + std::size_t{blockIdx.x} * kItemsOfRow;
  float offset = -INFINITY;  // factor times the maximum so far
  float sum = 0;             // of exp2(factor x - offset) so far
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < kItemsOfRow; i += kBlock) {
    Float4 item = from[i];
    const float higher = fmaxf(offset, kFactor * maximum_of(item));
    sum = fmaf(sum, exp2_approximately(offset - higher), exponentiate(item, higher));
    offset = higher;
  }
  const float highest = over_cta(offset, maxima, Maximum{});
  const float whole = over_cta(sum * exp2_approximately(offset - highest), sums, Sum{});
  const float factor = reciprocal_approximately(whole);
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < kItemsOfRow; i += kBlock) {
    Float4 item = from[i];
    exponentiate(item, highest);
    to[i] = scaled(item, factor);
  }
}

struct Variant {
  const char* name;
  void (*kernel)(const Float4*, Float4*);
  std::uint32_t columns;
  std::uint32_t rows_of_cta;
};

std::vector<Variant> variants() {
  return {{"warp", softmax_warp, kColumnsOfWarp, kWarps},
          {"cta", softmax_cta, kColumnsOfCta, 1},
          {"online", softmax_online, kColumnsOnline, 1}};
}

struct Problem {
  std::size_t elements;
  Buffer<float> in{elements};
  Buffer<float> out{elements};
};

std::vector<double> reference(const std::vector<float>& in, std::size_t columns) {
  std::vector<double> out(in.size());
  for (std::size_t first = 0; first < in.size(); first += columns) {
    double sum = 0;
    for (std::size_t i = first; i < first + columns; ++i) {
      out[i] = std::exp(kScale * in[i]);  // at most e^8: no maximum to take off in double precision
      sum += out[i];
    }
    for (std::size_t i = first; i < first + columns; ++i) {
      out[i] /= sum;
    }
  }
  return out;
}

// The exponent is rounded at a magnitude of up to 23, 2e-6 relative in the result; ex2.approx and rcp.approx are good
// to 2 ulp and 1.
bool is_right(Session& session, const Problem& problem, const Variant& variant, const Params& params) {
  const Rectangle part = sampled_rows(problem.elements, variant.columns);
  const std::vector<double> expected = reference(to_host(problem.in, part), variant.columns);
  return session.verify("softmax", compare(to_host(problem.out, part), expected, {.relative = 2e-5}), params);
}

void measure(Session& session, Problem& problem, const Variant& variant) {
  const auto rows = static_cast<std::uint32_t>(problem.elements / variant.columns);
  const LaunchConfig config{.grid = rows / variant.rows_of_cta, .block = kBlock};
  const auto run = [&] {
    launch(variant.kernel, config, reinterpret_cast<const Float4*>(problem.in.get()),
           reinterpret_cast<Float4*>(problem.out.get()));
  };
  const Params params{{"variant", variant.name}, {"rows", rows}, {"columns", variant.columns}};
  problem.out.poison();
  run();
  if (!is_right(session, problem, variant, params)) {
    return;
  }
  const LaunchFacts facts = launch_facts(variant.kernel, config);
  session.expect_sass(facts, "MUFU.EX2", 4);
  session.expect_sass(facts, "LDG.E.128");
  const auto elements = static_cast<double>(problem.elements);
  time_workload(session, {run, facts, params, {.bytes = 8 * elements, .flops = 5 * elements}});
}

void run(Session& session) {
  for (const std::size_t elements : sizes_for<std::size_t>(session, {1u << 18, 1u << 22, 1u << 26})) {
    Problem problem{elements};
    problem.in.fill(Input::Random);
    for (const Variant& variant : variants()) {
      measure(session, problem, variant);
    }
  }
}

const Registered kSoftmax{{.name = "kernels/softmax", .priority = 70, .seconds = 3, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
