// SPDX-License-Identifier: MIT
// Follows the data of the GEMM whose tiles go through registers, with the tensor instructions of three generations.
#include <algorithm>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"

#include "tests/traces/machine.h"
#include "tests/traces/tally.h"

namespace gpusim::testing::gemm_pipelined_test {
namespace {

constexpr std::int64_t kRows = 256;
constexpr std::int64_t kColumns = 256;
constexpr std::int64_t kDepth = 96;

/// A choice of the parameter `mma`: rows and depth of a product.
struct Shape {
  std::int64_t mma;
  std::int64_t depth;
};
constexpr Shape kVolta{0, 4};
constexpr Shape kTuring{1, 8};
constexpr Shape kAmpere{2, 16};

trace::Trace gemm(const Shape& shape, const Overrides& values) {
  trace::ParameterChoice choice;
  choice.overrides = {{"m", kRows}, {"n", kColumns}, {"k", kDepth}, {"mma", shape.mma}};
  choice.overrides.insert(choice.overrides.end(), values.begin(), values.end());
  return frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/library/gemm-pipelined.trace", choice);
}

const std::vector<Overrides> kTilings{
    {},
    {{"sums", 1}},
    {{"tile_n", 256}, {"warps_n", 4}},
    {{"tile_m", 32}, {"tile_n", 64}, {"warps_m", 1}, {"sums", 1}},
    {{"tile_m", 256}, {"warps_m", 4}},
};

/// Every product of the GEMM once, by the instruction m16n8.
std::map<Product, int> products_of(const Shape& shape) {
  std::map<Product, int> all;
  for (std::int64_t row = 0; row < kRows; row += 16) {
    for (std::int64_t column = 0; column < kColumns; column += 8) {
      for (std::int64_t depth = 0; depth < kDepth; depth += shape.depth) {
        all[{"C", row, column, depth}] = 1;
      }
    }
  }
  return all;
}

/// The same by quad pairs: the four of an instruction have the rows from 0 and from 4 of 16, and such columns.
std::map<Product, int> products_of_quads(unsigned steps) {
  std::map<Product, int> all;
  for (std::int64_t row = 0; row < kRows; row += row % 16 == 0 ? 4 : 12) {
    for (std::int64_t column = 0; column < kColumns; column += column % 16 == 0 ? 4 : 12) {
      for (std::int64_t depth = 0; depth < kDepth; depth += kVolta.depth) {
        for (unsigned step = 0; step < steps; ++step) {
          all[{"C.STEP" + std::to_string(step), row, column, depth}] = 1;
        }
      }
    }
  }
  return all;
}

/// Whether the sums are in FP16, which takes half of the steps and lets a lane of Volta store four neighbours.
bool has_half_sums(const Overrides& values) {
  return std::ranges::find(values, std::pair<std::string, std::int64_t>{"sums", 1}) != values.end();
}

}  // namespace

TEST_CASE("the GEMM through registers forms every product once on each generation and puts C in its place") {
  for (const Shape& shape : {kVolta, kTuring, kAmpere}) {
    for (const Overrides& values : kTilings) {
      const bool half = has_half_sums(values);
      INFO("depth " << shape.depth << ", tiling " << (&values - kTilings.data()));
      const trace::Trace trace = gemm(shape, values);
      const trace::Kernel& kernel = trace.kernels[0];
      Machine machine(kernel, {{"A", kDepth}, {"B", kDepth}, {"C", kColumns}});
      for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
        machine.run(trace::cta_at(cta, kernel.grid));
      }
      const bool volta = shape.mma == kVolta.mma;
      CHECK((machine.products() == (volta ? products_of_quads(half ? 2 : 4) : products_of(shape))));
      const std::int64_t of_store = volta && half ? 4 : 2;
      CHECK(machine.stored().size() == static_cast<std::size_t>(kRows * kColumns / of_store));
      CHECK(std::ranges::all_of(machine.stored(), [](const auto& entry) { return entry.second == 1; }));
    }
  }
}

TEST_CASE("the GEMM through registers has no bank conflicts on any generation") {
  for (const Shape& shape : {kVolta, kTuring, kAmpere}) {
    for (const Overrides& values : kTilings) {
      INFO("depth " << shape.depth << ", tiling " << (&values - kTilings.data()));
      CHECK(tally(gemm(shape, values).kernels[0]).conflicts == 0);
    }
  }
}

}  // namespace gpusim::testing::gemm_pipelined_test
