// SPDX-License-Identifier: MIT
// Follows the data of the library's tensor GEMM: its tiling is a parameter, so every tiling has to fit together.
#include <algorithm>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"

#include "tests/traces/machine.h"
#include "tests/traces/tally.h"

namespace gpusim::testing {
namespace {

constexpr std::int64_t kRowsOfTile = 16;  // rows of an HMMA
constexpr std::int64_t kColumns = 8;
constexpr std::int64_t kDepth = 16;
constexpr std::int64_t kDirect = 1;  // a value of the parameter epilogue
constexpr std::int64_t kFp8 = 2;     // a value of the parameter type
constexpr std::int64_t kFp16 = 1;    // a value of the parameter sums

trace::Trace library(const std::string& name, const Overrides& values) {
  trace::ParameterChoice choice;
  choice.overrides = values;
  return frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/library/" + name + ".trace", choice);
}

trace::Trace gemm(const Overrides& values) {
  trace::ParameterChoice choice;
  choice.overrides = {{"m", 256}, {"n", 256}, {"k", 128}};
  choice.overrides.insert(choice.overrides.end(), values.begin(), values.end());
  choice.use_test_set = true;
  return frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/library/gemm-mma.trace", choice);
}

std::int64_t value_of(const trace::Trace& trace, const std::string& name) {
  return std::ranges::find(trace.parameters, name, &trace::Parameter::name)->value;
}

/// Every product of a GEMM, once.
std::map<Product, int> products_of(std::int64_t m, std::int64_t n, std::int64_t k) {
  std::map<Product, int> all;
  for (std::int64_t row = 0; row < m; row += kRowsOfTile) {
    for (std::int64_t column = 0; column < n; column += kColumns) {
      for (std::int64_t depth = 0; depth < k; depth += kDepth) {
        all[{"C", row, column, depth}] = 1;
      }
    }
  }
  return all;
}

const std::vector<Overrides> kTilings{
    {},
    {{"stages", 2}, {"k", 64}},
    {{"stages", 6}, {"k", 96}},
    {{"tile_k", 64}, {"stages", 3}, {"warps_n", 4}, {"k", 192}},
    {{"tile_k", 64}, {"stages", 2}, {"type", 1}, {"k", 64}},
    {{"m", 64}, {"n", 64}, {"tile_m", 64}, {"tile_n", 32}, {"warps_m", 4}, {"warps_n", 1}},
    {{"m", 512}, {"n", 64}, {"tile_m", 256}, {"tile_n", 64}, {"warps_m", 4}, {"warps_n", 1}},
    {{"m", 48}, {"tile_m", 16}, {"tile_k", 64}, {"warps_m", 1}, {"warps_n", 4}, {"stages", 3}},
    {{"splits", 4}},
    {{"overlap", 0}, {"epilogue", kDirect}},
    {{"overlap", 0}, {"stages", 2}, {"tile_k", 64}, {"k", 64}},
    {{"type", 1}, {"sums", kFp16}, {"tile_n", 256}, {"stages", 2}},
    {{"type", 1}, {"sums", kFp16}, {"tile_m", 256}, {"warps_m", 4}, {"stages", 3}, {"epilogue", kDirect}},
    {{"tile_n", 64}, {"n", 64}, {"warps_n", 4}, {"stages", 3}},
};

std::string told(const Overrides& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += name + "=" + std::to_string(value) + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("whatever its tiling, the tensor GEMM forms every product once and puts C in its place") {
  for (const Overrides& values : kTilings) {
    INFO(told(values));
    const trace::Trace trace = gemm(values);
    const trace::Kernel& kernel = trace.kernels[0];
    const std::int64_t m = value_of(trace, "m");
    const std::int64_t n = value_of(trace, "n");
    const std::int64_t k = value_of(trace, "k");
    Machine machine(kernel, {{"A", k}, {"B", k}, {"C", n}});
    for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
      machine.run(trace::cta_at(cta, kernel.grid));
    }
    CHECK(machine.products() == products_of(m, n, k));
    if (value_of(trace, "splits") == 1) {
      const std::int64_t elements = value_of(trace, "epilogue") == kDirect ? 2 : 8;  // that a lane stores at once
      CHECK(machine.stored().size() == static_cast<std::size_t>(m * n / elements));
      CHECK(std::ranges::all_of(machine.stored(), [](const auto& entry) { return entry.second == 1; }));
    }
  }
}

TEST_CASE("whatever its tiling, the tensor GEMM's shared memory has no bank conflicts") {
  std::vector<Overrides> tilings = kTilings;
  tilings.push_back({{"type", kFp8}, {"tile_k", 64}});
  tilings.push_back({{"type", kFp8}, {"tile_k", 128}, {"k", 256}});
  for (const Overrides& values : tilings) {
    INFO(told(values));
    CHECK(tally(gemm(values).kernels[0]).conflicts == 0);
  }
}

TEST_CASE("the tensor GEMM of few rows forms every product once, without bank conflicts") {
  for (const Overrides& values : std::vector<Overrides>{
           {{"m", 16}, {"n", 128}, {"k", 256}, {"splits", 2}},
           {{"m", 64}, {"n", 64}, {"k", 512}, {"splits", 2}, {"stages", 3}},
           {{"m", 48}, {"n", 256}, {"k", 768}, {"splits", 4}, {"tile_n", 128}, {"stages", 2}},
       }) {
    INFO(told(values));
    const trace::Trace trace = library("gemm-small-m", values);
    const trace::Kernel& kernel = trace.kernels[0];
    const std::int64_t k = value_of(trace, "k");
    Machine machine(kernel, {{"A", k}, {"B", k}});  // what it stores are parts of C
    for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
      machine.run(trace::cta_at(cta, kernel.grid));
    }
    CHECK(machine.products() == products_of(value_of(trace, "m"), value_of(trace, "n"), k));
    CHECK(tally(kernel).conflicts == 0);
  }
}

TEST_CASE("in FP8 the tensor GEMM has half of the products of twice the depth, without bank conflicts") {
  const Tally half = tally(gemm({{"k", 256}, {"tile_k", 64}, {"stages", 3}, {"overlap", 0}}).kernels[0]);
  const Tally fp8 =
      tally(gemm({{"k", 256}, {"tile_k", 128}, {"stages", 3}, {"type", kFp8}, {"overlap", 0}}).kernels[0]);
  CHECK(2 * fp8.count("QMMA.16832.F32.E4M3.E4M3") == half.count("HMMA.16816.F32.BF16"));
  CHECK(2 * fp8.count("LDSM") == half.count("LDSM"));
  CHECK(fp8.tensor_flops == half.tensor_flops);
  CHECK(fp8.conflicts == 0);
}

}  // namespace gpusim::testing
