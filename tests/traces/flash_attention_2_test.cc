// SPDX-License-Identifier: MIT
// flash-attention-2 with all its widths of heads, grouped heads and K and V of another length, against what the
// algorithm needs.
#include <catch2/catch.hpp>

#include "sim/input/text/load.h"

#include "tests/support/thorough.h"
#include "tests/traces/machine.h"
#include "tests/traces/tally.h"

namespace flash_attention_2_test {

using namespace gpusim;
using namespace gpusim::testing;

namespace {

constexpr std::int64_t kSeq = 256;
constexpr std::int64_t kHeads = 2;

struct Shape {
  std::int64_t d = 128;
  std::int64_t tile_m = 0;
  std::int64_t group = 1;
  std::int64_t kv = 0;
  bool causal = false;
  [[nodiscard]] std::int64_t keys() const { return kv > 0 ? kv : kSeq; }
  [[nodiscard]] std::int64_t rows_of_tile() const { return tile_m > 0 ? tile_m : d == 256 ? 64 : 128; }
  [[nodiscard]] std::string told() const {
    return "d " + std::to_string(d) + ", tile_m " + std::to_string(tile_m) + ", group " + std::to_string(group) +
           ", kv " + std::to_string(kv) + ", causal " + std::to_string(static_cast<int>(causal));
  }
};

trace::Kernel kernel_of(const Shape& shape) {
  const trace::ParameterChoice choice{{{"batch", 1},
                                       {"heads", kHeads},
                                       {"group", shape.group},
                                       {"seq", kSeq},
                                       {"kv", shape.kv},
                                       {"d", shape.d},
                                       {"tile_m", shape.tile_m},
                                       {"causal", shape.causal ? 1 : 0}},
                                      true};
  return frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/library/flash-attention-2.trace", choice).kernels.at(0);
}

/// The first key that row `row` of all heads meets, and the one behind the last: those of the head that it shares; with
/// the mask up to the diagonal at the last row of its tile, which lies so that the last row of Q sees all keys.
std::pair<std::int64_t, std::int64_t> keys_of(const Shape& shape, std::int64_t row) {
  const std::int64_t first = row / kSeq / shape.group * shape.keys();
  const std::int64_t tile = shape.rows_of_tile();
  const std::int64_t end = row % kSeq / tile * tile + tile + shape.keys() - kSeq;
  return {first, first + (shape.causal ? end : shape.keys())};
}

std::map<Product, int> expected(const Shape& shape) {
  std::map<Product, int> products;
  for (std::int64_t row = 0; row < kHeads * kSeq; row += 16) {
    const auto [first, end] = keys_of(shape, row);
    for (std::int64_t key = first; key < end; key += 8) {
      for (std::int64_t k = 0; k < shape.d; k += 16) {
        products[{"S", row, key, k}] = 1;
      }
      for (std::int64_t col = 0; key % 16 == 0 && col < shape.d; col += 8) {
        products[{"O", row, col, key}] = 1;
      }
    }
  }
  return products;
}

}  // namespace

TEST_CASE("FlashAttention-2: every row meets the keys of the head that it shares once, and O lands in its place") {
  const std::vector<Shape> all{{96},  {96, 0, 2, 0, true},    {96, 0, 2, 384, true},    {96, 0, 1, 128},
                               {256}, {256, 0, 2, 512, true}, {256, 128, 1, 320, true}, {256, 128, 2, 64}};
  const std::vector<Shape> sample{{96, 0, 2, 0, true}};
  for (const Shape& shape : test::is_thorough() ? all : sample) {
    INFO(shape.told());
    const std::int64_t d = shape.d;
    const trace::Kernel kernel = kernel_of(shape);
    Machine machine(kernel, {{"Q", d}, {"K", d}, {"V", d}, {"O", d}});
    for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
      machine.run(trace::cta_at(cta, kernel.grid));
    }
    CHECK(machine.products() == expected(shape));
    CHECK(machine.stored().size() == static_cast<std::size_t>(kHeads * kSeq * d / 8));
    for (const auto& [place, times] : machine.stored()) {
      CHECK(times == 1);
    }
  }
}

TEST_CASE("FlashAttention-2: the swizzles of all widths of heads have no bank conflict") {
  for (const Shape& shape :
       {Shape{64, 0, 1, 64}, Shape{96, 0, 1, 64}, Shape{128, 0, 1, 64}, Shape{256, 0, 1, 64}, Shape{256, 128, 1, 64}}) {
    INFO(shape.told());
    CHECK(tally(kernel_of(shape)).conflicts == 0);
  }
}

TEST_CASE("FlashAttention-2 has the authors' tiles and as much shared memory as they say") {
  constexpr std::uint32_t kKibi = 1024;
  for (const auto& [shape, kib, threads] : {std::tuple<Shape, std::uint32_t, std::uint64_t>{{64}, 48, 128},
                                            {{96}, 48, 128},
                                            {{128}, 64, 128},
                                            {{256}, 96, 128},
                                            {{256, 128}, 128, 256}}) {
    INFO(shape.told());
    const trace::Kernel kernel = kernel_of(shape);
    CHECK(kernel.shared_dynamic_bytes == kib * kKibi);
    CHECK(kernel.threads_per_cta() == threads);
    CHECK(kernel.ctas() == static_cast<std::uint64_t>(kHeads * kSeq / shape.rows_of_tile()));
  }
}

TEST_CASE("FlashAttention-2 reads no rows of K and V beyond the last, and masks their scores") {
  constexpr std::uint64_t kWarps = 4;
  for (const std::int64_t kv : {250, 129, 72, 1}) {
    const Shape shape{128, 0, 2, kv};
    INFO(shape.told());
    const trace::Kernel kernel = kernel_of(shape);
    const Tally counts = tally(kernel);
    const auto rows = static_cast<std::uint64_t>(kv);
    CHECK(counts.bytes_read.at("K") == kernel.ctas() * rows * 256);
    CHECK(counts.bytes_read.at("V") == kernel.ctas() * rows * 256);
    // One tile of 64 keys is masked: each lane has 64 scores of it.
    CHECK(counts.count("FSEL") == kernel.ctas() * kWarps * 64);
    // A warp's copy or store has four rows; some have both.
    CHECK(counts.count("STS.128") == kernel.ctas() * 2 * ((64 - rows % 64 + 3) / 4));
  }
}

TEST_CASE("FlashAttention-2 masks, beside the tiles on the diagonal, one more where the last is not full") {
  constexpr std::uint64_t kWarps = 4;
  const auto masked = [](std::int64_t kv) {
    const trace::Kernel kernel = kernel_of({128, 0, 1, kv, true});
    return tally(kernel).count("FSEL") / kernel.ctas() / kWarps / 64;
  };
  CHECK(masked(256) == 2);
  CHECK(masked(384) == 2);
  CHECK(masked(300) == 3);
}

}  // namespace flash_attention_2_test
