// SPDX-License-Identifier: MIT
// gemm_bf16.trace and sgemm_tiled.trace against what a matrix product needs.
#include <catch2/catch.hpp>

#include "tests/traces/machine.h"
#include "tests/traces/tally.h"

namespace gpusim::testing {
namespace {

struct GemmShape {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  [[nodiscard]] Overrides overrides() const { return {{"m", m}, {"n", n}, {"k", k}}; }
  [[nodiscard]] std::uint64_t flops() const { return 2 * static_cast<std::uint64_t>(m * n * k); }
};

/// Every CTA reads its rows of A and B whole: A once for each tile along n, B once for each along m.
void check_traffic(const Tally& counts, const GemmShape& shape, GemmShape tile, std::int64_t bytes) {
  const auto read_a = static_cast<std::uint64_t>(shape.n / tile.n * shape.m * shape.k * bytes);
  const auto read_b = static_cast<std::uint64_t>(shape.m / tile.m * shape.n * shape.k * bytes);
  const auto written = static_cast<std::uint64_t>(shape.m * shape.n * bytes);
  CHECK(counts.bytes_read == std::map<std::string, std::uint64_t>{{"A", read_a}, {"B", read_b}});
  CHECK(counts.bytes_written == std::map<std::string, std::uint64_t>{{"C", written}});
}

/// Every m16n8k16 product of the algorithm, once.
std::map<Product, int> products_of(const GemmShape& shape) {
  std::map<Product, int> products;
  for (std::int64_t row = 0; row < shape.m; row += 16) {
    for (std::int64_t col = 0; col < shape.n; col += 8) {
      for (std::int64_t k = 0; k < shape.k; k += 16) {
        products[{"C", row, col, k}] = 1;
      }
    }
  }
  return products;
}

/// Every eight neighbours of C, once.
std::map<std::pair<std::int64_t, std::int64_t>, int> rows_of_c(const GemmShape& shape) {
  std::map<std::pair<std::int64_t, std::int64_t>, int> stored;
  for (std::int64_t row = 0; row < shape.m; ++row) {
    for (std::int64_t col = 0; col < shape.n; col += 8) {
      stored[{row, col}] = 1;
    }
  }
  return stored;
}

}  // namespace

TEST_CASE("The bf16 GEMM multiplies exactly 2 m n k FLOPs and reads each tile's rows once") {
  for (const GemmShape& shape :
       {GemmShape{256, 512, 256}, GemmShape{128, 256, 64}, GemmShape{384, 256, 192}, GemmShape{1024, 256, 128}}) {
    const Tally counts = tally(shipped("gemm_bf16", shape.overrides()).kernels[0]);
    CHECK(counts.tensor_flops == shape.flops());
    CHECK(counts.flops == shape.flops());
    CHECK(counts.count("HMMA.16816.F32.BF16") * 4096 == shape.flops());
    check_traffic(counts, shape, {128, 256, 64}, 2);
  }
}

TEST_CASE("The bf16 GEMM's copies ask for whole lines, each once") {
  const GemmShape shape{256, 512, 320};
  const Tally counts = tally(shipped("gemm_bf16", shape.overrides()).kernels[0]);
  const std::int64_t elements = shape.n / 256 * shape.m * shape.k + shape.m / 128 * shape.n * shape.k;
  CHECK(counts.lines_copied == static_cast<std::uint64_t>(elements * 2 / 128));
}

TEST_CASE("The bf16 GEMM issues fewer other instructions than HMMAs, and one barrier for 128 of them") {
  const std::uint64_t warps = 8;
  const std::uint64_t steps = 4096 / 64;
  const Tally counts = tally(shipped("gemm_bf16", GemmShape{128, 256, 4096}.overrides()).kernels[0]);
  // A warp's 64 x 64 x 64 are 4 m16 x 8 n8 x 4 k16. A quarter's fragments are four m16 of A and as many n16 of B. The
  // CTA's (128 + 256) rows of 128 bytes are 12 copies of 16 bytes a thread.
  const std::uint64_t hmma = std::uint64_t{4} * 8 * 4;
  const std::uint64_t ldsm = std::uint64_t{4} * (4 + 4);
  const std::uint64_t copies = std::uint64_t{128 + 256} * 128 / 16 / 256;
  CHECK(counts.count("HMMA") == warps * steps * hmma);
  CHECK(counts.count("LDSM") == warps * (ldsm / 4 + steps * ldsm));
  CHECK(counts.count("LDGSTS") == warps * steps * copies);
  CHECK(counts.count("BAR.SYNC") == warps * (steps + 2));
  CHECK(counts.instructions < 2 * counts.count("HMMA"));
  // Beside these a step moves a pointer of two registers for each copy, closes and awaits a group, meets at the
  // barrier, counts (with two comparisons), renames three stages, and branches.
  const Tally shorter = tally(shipped("gemm_bf16", GemmShape{128, 256, 2048}.overrides()).kernels[0]);
  const std::uint64_t step = hmma + ldsm + copies + 2 * copies + 2 + 1 + 3 + 4 + 1;
  CHECK(counts.instructions - shorter.instructions == warps * (steps / 2) * step);
}

TEST_CASE("The bf16 GEMM's registers and stages fit one CTA of 256 threads into an SM") {
  const trace::Trace gemm = shipped_at_defaults("gemm_bf16");
  const trace::Kernel& kernel = gemm.kernels.at(0);
  CHECK(registers_used(kernel) <= kernel.registers_per_thread);
  CHECK(kernel.registers_per_thread * kernel.threads_per_cta() <= 65536);
  CHECK(kernel.shared_dynamic_bytes == std::uint64_t{3} * (128 + 256) * 64 * 2);
  CHECK(kernel.grid == Dim3{8, 16, 4});
}

TEST_CASE("The bf16 GEMM's data fits: every product is formed once, and C lands in its place") {
  // One step, as many as there are stages, and more; several tiles both ways.
  for (const GemmShape& shape : {GemmShape{128, 256, 64}, GemmShape{128, 256, 192}, GemmShape{256, 512, 320}}) {
    INFO("k=" << shape.k);
    const trace::Trace gemm = shipped("gemm_bf16", shape.overrides());
    Machine machine(gemm.kernels[0], {{"A", shape.k}, {"B", shape.k}, {"C", shape.n}});
    for (std::uint64_t cta = 0; cta < gemm.kernels[0].ctas(); ++cta) {
      machine.run(trace::cta_at(cta, gemm.kernels[0].grid));
    }
    CHECK(machine.products() == products_of(shape));
    CHECK(machine.stored() == rows_of_c(shape));
  }
}

TEST_CASE("The tiled SGEMM takes one FFMA a multiplication and reads each tile's rows once") {
  for (const GemmShape& shape : {GemmShape{128, 256, 32}, GemmShape{256, 128, 8}, GemmShape{128, 128, 72}}) {
    const trace::Trace sgemm = shipped("sgemm_tiled", shape.overrides());
    const Tally counts = tally(sgemm.kernels[0]);
    CHECK(counts.count("FFMA") * kWarpLanes * 2 == shape.flops());
    CHECK(counts.count("LDS.128") == sgemm.kernels[0].ctas() * 8 * static_cast<std::uint64_t>(4 + 4 * shape.k));
    check_traffic(counts, shape, {128, 128, 8}, 4);
    CHECK(registers_used(sgemm.kernels[0]) <= sgemm.kernels[0].registers_per_thread);
  }
}

TEST_CASE("The SGEMM's inner product reads at most one register of each bank once the reuse cache is warm") {
  const trace::Trace sgemm = shipped("sgemm_tiled");
  const trace::Kernel& kernel = sgemm.kernels[0];
  const isa::Instr* before = nullptr;
  unsigned conflicts = 0;
  unsigned total = 0;
  for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
    if (!kernel.texts[pc].opcode.starts_with("FFMA")) {
      continue;
    }
    const isa::Instr& instr = kernel.code[pc];
    unsigned reads[2] = {0, 0};
    for (std::size_t slot = 0; slot < 3; ++slot) {
      const isa::Operand& source = instr.sources[slot];
      const bool cached =
          before != nullptr && before->sources[slot].reuse && before->sources[slot].index == source.index;
      reads[source.index % 2] += cached ? 0 : 1;
    }
    conflicts += reads[0] > 1 || reads[1] > 1 ? 1 : 0;
    before = &instr;
    ++total;
  }
  CHECK(total == 512);
  CHECK(conflicts <= 8);  // the first of each k
}

TEST_CASE("The multistage SGEMM reads six vectors for 128 FFMAs of a warp, and has a barrier for 1,024 of them") {
  const GemmShape shape{512, 256, 64};
  const trace::Trace sgemm = shipped("library/sgemm-multistage", shape.overrides());
  const trace::Kernel& kernel = sgemm.kernels[0];
  const Tally counts = tally(kernel);
  const std::uint64_t warps = 8 * kernel.ctas();
  const auto depth = static_cast<std::uint64_t>(shape.k);
  constexpr std::uint64_t kRowsOfEpilogue = 16;  // rows of a lane, with two barriers each
  CHECK(counts.count("FFMA") == warps * depth * 128);
  CHECK(counts.count("LDS.128") == warps * (depth + 1) * 6);
  CHECK(counts.count("BAR") == warps * (depth / 8 + 1 + 2 * kRowsOfEpilogue));
  CHECK(counts.count("LDGSTS") == warps * (depth / 8) * 12);  // 12 a step; those behind the last one are masked
  check_traffic(counts, shape, {256, 128, 8}, 4);
  CHECK(registers_used(kernel) <= kernel.registers_per_thread);
  CHECK(kernel.registers_per_thread == 202);
}

TEST_CASE("The GEMMs' shared memory has no bank conflict") {
  CHECK(tally(shipped("gemm_bf16").kernels[0]).conflicts == 0);
  CHECK(tally(shipped("sgemm_tiled").kernels[0]).conflicts == 0);
}

}  // namespace gpusim::testing
