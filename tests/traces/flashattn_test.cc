// SPDX-License-Identifier: MIT
// flashattn.trace against what the algorithm needs.
#include <catch2/catch.hpp>

#include "tests/traces/machine.h"
#include "tests/traces/tally.h"

namespace gpusim::testing {
namespace {

constexpr std::uint64_t kHeadDimension = 128;
constexpr std::uint64_t kRowsOfQ = 128;  // rows of a CTA
constexpr std::uint64_t kRowsOfKv = 64;  // rows of a tile
constexpr std::uint64_t kWarps = 4;      // warps of a CTA
constexpr std::uint64_t kHmmaFlops = 4096;
constexpr std::uint64_t kBytes = 2;

struct Shape {
  std::int64_t batch;
  std::int64_t heads;
  std::int64_t seq;
  [[nodiscard]] Overrides overrides() const { return {{"batch", batch}, {"heads", heads}, {"seq", seq}}; }
  [[nodiscard]] std::uint64_t rows() const { return static_cast<std::uint64_t>(batch * heads * seq); }
  [[nodiscard]] std::uint64_t length() const { return static_cast<std::uint64_t>(seq); }
  [[nodiscard]] std::uint64_t ctas() const { return rows() / kRowsOfQ; }
  [[nodiscard]] std::uint64_t warp_tiles() const { return ctas() * kWarps * (length() / kRowsOfKv); }
};

const Shape kShapes[] = {{1, 1, 256}, {1, 1, 128}, {2, 3, 128}, {1, 2, 384}};

}  // namespace

TEST_CASE("FlashAttention multiplies exactly 4 seq^2 d FLOPs a head on the tensor cores") {
  for (const Shape& shape : kShapes) {
    const Tally counts = tally(shipped("flashattn", shape.overrides()).kernels[0]);
    const std::uint64_t flops = 4 * shape.rows() * shape.length() * kHeadDimension;
    CHECK(counts.tensor_flops == flops);
    CHECK(counts.count("HMMA.16816.F32.BF16") * kHmmaFlops == flops);
  }
}

TEST_CASE("Causal FlashAttention visits the tiles up to the diagonal, and masks those on it") {
  for (const Shape& shape : kShapes) {
    Overrides causal = shape.overrides();
    causal.emplace_back("causal", 1);
    const Tally counts = tally(shipped("flashattn", causal).kernels[0]);
    // A head's CTA number i visits 2 (i + 1) tiles of 64 keys.
    const std::uint64_t heads = shape.rows() / shape.length();
    const std::uint64_t ctas = shape.length() / kRowsOfQ;
    const std::uint64_t tiles = heads * ctas * (ctas + 1);
    CHECK(counts.tensor_flops == tiles * 4 * kRowsOfQ * kRowsOfKv * kHeadDimension);
    const std::uint64_t kv = tiles * kRowsOfKv * kHeadDimension * kBytes;
    const std::uint64_t once = shape.rows() * kHeadDimension * kBytes;
    CHECK(counts.bytes_read == std::map<std::string, std::uint64_t>{{"K", kv}, {"Q", once}, {"V", kv}});
    CHECK(counts.count("FSEL") == 64 * 2 * heads * ctas * kWarps);
  }
}

TEST_CASE("FlashAttention's default size is 68.7 GFLOP, the same in every CTA") {
  const trace::Trace flash = shipped_at_defaults("flashattn");
  const trace::Kernel& kernel = flash.kernels[0];
  const Tally first_and_last = tally(kernel, kernel.ctas() - 1);
  CHECK(first_and_last.tensor_flops / 2 * kernel.ctas() == std::uint64_t{4} * 2048 * 2048 * 128 * 16 * 2);
}

TEST_CASE("FlashAttention reads Q once, K and V once for each CTA, and writes O once") {
  for (const Shape& shape : kShapes) {
    const Tally counts = tally(shipped("flashattn", shape.overrides()).kernels[0]);
    const std::uint64_t once = shape.rows() * kHeadDimension * kBytes;
    const std::uint64_t each_cta = shape.ctas() * shape.length() * kHeadDimension * kBytes;
    CHECK(counts.bytes_read == std::map<std::string, std::uint64_t>{{"K", each_cta}, {"Q", once}, {"V", each_cta}});
    CHECK(counts.bytes_written == std::map<std::string, std::uint64_t>{{"O", once}});
  }
}

TEST_CASE("FlashAttention's softmax takes one exponential per score, and one per row and tile") {
  for (const Shape& shape : kShapes) {
    const Tally counts = tally(shipped("flashattn", shape.overrides()).kernels[0]);
    const std::uint64_t scores = shape.rows() * shape.length() / kWarpLanes;
    CHECK(counts.count("MUFU.EX2") == scores + 4 * shape.warp_tiles());
    CHECK(counts.count("FFMA") == scores);
    CHECK(counts.count("MUFU.RCP") == 4 * shape.ctas() * kWarps);
    CHECK(counts.count("SHFL.BFLY") == 8 * (shape.warp_tiles() + shape.ctas() * kWarps));
    CHECK(counts.count("LDSM") == (48 + 32) * shape.warp_tiles());
    CHECK(counts.count("BAR.SYNC") == 2 * shape.warp_tiles() + shape.ctas() * kWarps);
  }
}

TEST_CASE("FlashAttention fits two CTAs into an SM: at most 255 registers and 64 KiB of shared memory") {
  const trace::Trace flash = shipped_at_defaults("flashattn");
  REQUIRE(flash.kernels.size() == 1);
  const trace::Kernel& kernel = flash.kernels[0];
  CHECK(registers_used(kernel) <= kernel.registers_per_thread);
  CHECK(kernel.registers_per_thread == 255);
  CHECK(kernel.shared_dynamic_bytes == 65536);
  CHECK(kernel.shared_static_bytes == 0);
  CHECK(kernel.threads_per_cta() == 128);
  CHECK(kernel.grid == Dim3{16, 16, 2});
}

TEST_CASE("FlashAttention's swizzle has no bank conflict") {
  CHECK(tally(shipped("flashattn").kernels[0]).conflicts == 0);
}

TEST_CASE("FlashAttention's data fits: every row meets every key of its own head once, and O lands in its place") {
  const Shape shape{2, 2, 256};
  const auto d = static_cast<std::int64_t>(kHeadDimension);
  const auto rows_of_cta = static_cast<std::int64_t>(kRowsOfQ);
  for (const bool causal : {false, true}) {
    INFO("causal " << causal);
    Overrides values = shape.overrides();
    values.emplace_back("causal", causal);
    const trace::Trace flash = shipped("flashattn", values);
    Machine machine(flash.kernels[0], {{"Q", d}, {"K", d}, {"V", d}, {"O", d}});
    for (std::uint64_t cta = 0; cta < flash.kernels[0].ctas(); ++cta) {
      machine.run(trace::cta_at(cta, flash.kernels[0].grid));
    }
    std::map<Product, int> expected;
    std::map<std::pair<std::int64_t, std::int64_t>, int> stored;
    for (std::int64_t row = 0; row < shape.batch * shape.heads * shape.seq; row += 16) {
      const std::int64_t head = row / shape.seq * shape.seq;
      // Causal: up to the last row of the CTA.
      const std::int64_t end = causal ? row / rows_of_cta * rows_of_cta + rows_of_cta : head + shape.seq;
      for (std::int64_t col = 0; col < d; col += 8) {
        for (std::int64_t key = head; key < end; key += 16) {
          expected[{"O", row, col, key}] = 1;
        }
        for (std::int64_t r = row; r < row + 16; ++r) {
          stored[{r, col}] = 1;
        }
      }
      for (std::int64_t key = head; key < end; key += 8) {
        for (std::int64_t k = 0; k < d; k += 16) {
          expected[{"S", row, key, k}] = 1;
        }
      }
    }
    CHECK(machine.products() == expected);
    CHECK(machine.stored() == stored);
  }
}

}  // namespace gpusim::testing
