// SPDX-License-Identifier: MIT
// The work of the kernels of neural networks.
#include "tests/traces/library_work.h"

namespace gpusim::testing {
namespace {

/// Additions of a sum over a CTA: all lanes add in each of five steps, then in as many as the warps take.
std::uint64_t cta_sum(const Values& v) {
  return v.at("threads") * (5 + steps_of(v.at("threads") / 32));
}

/// x log2(e) - max log2(e), the sum, and the division by it: 4 FLOPs an element. By the rules of IEEE an exponential
/// takes 11 (four FFMAs, two sums, a product) and a division 14 (seven FFMAs). Where the first warp combines, it has 32
/// lanes. With checks the exponential of a CTA's row is there twice, once with the sum in its product, and a division
/// has five FFMAs.
Work softmax(const Values& v) {
  const std::uint64_t elements = v.at("rows") * v.at("columns");
  const bool ieee = v.at("math") == 1;
  const std::uint64_t in_warps = 5 * v.at("threads");
  const std::uint64_t sums = v.at("combine") == 1 ? in_warps + 5 * 32 : cta_sum(v);
  const std::uint64_t checked = v.at("threads") == 32 ? 11 + 1 + 10 : 12 + 11 + 10;
  const std::uint64_t of_element = v.at("checked") == 1 ? checked : ieee ? 11 + 1 + 14 : 4;
  const std::uint64_t of_row = of_element * v.at("columns") + (ieee ? 0 : v.at("threads")) + sums;
  return {v.at("rows") * of_row, type_bytes(v) * elements, type_bytes(v) * elements, 0};
}

/// The difference from the maximum, the sum and the division; powers of the hardware count nothing, those of IEEE 10
/// and their divisions at least as many.
Algorithm softmax_formula(const Values& v) {
  return {(v.at("math") == 1 ? 22 : 3) * v.at("rows") * v.at("columns"), 140};
}

/// Sum, difference, square added, scaled, times gamma plus beta: 1 + 1 + 2 + 1 + 2. Without centre: 2 + 1 + 1.
Work layer_norm(const Values& v) {
  const bool centre = v.at("centre") == 1;
  const std::uint64_t elements = v.at("rows") * v.at("columns");
  const std::uint64_t of_thread = centre ? 1 + 2 : 2;          // the mean; the mean of the squares plus eps
  const std::uint64_t summed = v.at("residual") == 1 ? 1 : 0;  // a sum, another array to read, and one to write
  const std::uint64_t of_row =
      (summed + (centre ? 7 : 4)) * v.at("columns") + v.at("threads") * of_thread + (centre ? 2 : 1) * cta_sum(v);
  return {v.at("rows") * of_row, type_bytes(v) * elements * (summed + (centre ? 3 : 2)),
          type_bytes(v) * elements * (summed + 1), 0};
}

/// Welford's recurrence takes 12 FLOPs an element (the count, four for its reciprocal, two differences, two FFMAs and
/// the sign), the second pass 4. Five pairs of lanes combine by 17 each, 64 threads and then 32 by 16; a division of
/// five FFMAs in a warp and one sum end it. Without centre it is 2 + 2, and a sum for each pair. One thread writes the
/// mean, if there is one, and the factor.
Work layer_norm_welford(const Values& v) {
  const bool centre = v.at("centre") == 1;
  const std::uint64_t elements = v.at("rows") * v.at("columns");
  const std::uint64_t pairs = centre ? 128 * 5 * 17 + (64 + 32) * 16 : 128 * 5 + 64 + 32;
  const std::uint64_t of_row = (centre ? 16 : 4) * v.at("columns") + pairs + 32 * 10 + 128;
  const std::uint64_t told = (centre ? 2 : 1) * sizeof(float) * v.at("rows");
  return {v.at("rows") * of_row, type_bytes(v) * elements * (centre ? 4 : 3), type_bytes(v) * elements + told, 0};
}

/// Mean and variance in one pass cost more than the formula of two.
Algorithm welford_formula(const Values& v) {
  return {(v.at("centre") == 1 ? 16 : 4) * v.at("rows") * v.at("columns"), 160};
}

/// The same without what the threads of a CTA do beside their elements.
Algorithm norm_formula(const Values& v) {
  return {(v.at("residual") + (v.at("centre") == 1 ? 7 : 4)) * v.at("rows") * v.at("columns"), 85};
}

/// A warp's lanes all read its token.
Work embedding(const Values& v) {
  const std::uint64_t row = type_bytes(v) * v.at("d");
  return {0, v.at("tokens") * (32 * 4 + row), v.at("tokens") * row, 0};
}

/// Choices counted a word each, counters flushed once a CTA of 256; one warp per copied row, with one ticket.
Work moe_dispatch(const Values& v) {
  constexpr std::uint64_t kWord = 4;
  const std::uint64_t rows = v.at("tokens") * v.at("top_k");
  const std::uint64_t row = type_bytes(v) * v.at("d");
  return {0, rows * (kWord + 32 * kWord + row) + kWord * v.at("experts"), rows * row + kWord * v.at("experts"),
          kWord * (rows / 256 * v.at("experts") + rows)};
}

/// How often a filter of `edge` places meets an image of `size`, along one of its sides.
std::uint64_t meetings(std::uint64_t size, std::uint64_t edge, std::uint64_t stride) {
  std::uint64_t inside = 0;
  for (std::uint64_t at = 0; at < size; at += stride) {
    for (std::uint64_t i = 0; i < edge; ++i) {
      inside += at + i >= edge / 2 && at + i - edge / 2 < size ? 1 : 0;
    }
  }
  return inside;
}

/// Nothing is asked for outside the images; every tile of filters gathers its places again.
Work convolution(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  const std::uint64_t stride = v.at("stride");
  const std::uint64_t edge = v.at("edge");
  const std::uint64_t places = v.at("batch") * ((v.at("height") - 1) / stride + 1) * ((v.at("width") - 1) / stride + 1);
  const std::uint64_t depth = edge * edge * v.at("channels");
  const std::uint64_t gathered =
      v.at("batch") * v.at("channels") * meetings(v.at("height"), edge, stride) * meetings(v.at("width"), edge, stride);
  const std::uint64_t filters = v.at("filters");
  return {2 * places * filters * depth,
          kHalf * (gathered * (filters / v.at("tile_n")) + depth * filters * (places / v.at("tile_m"))),
          kHalf * places * filters, 0};
}

Algorithm direct(const Values& v) {
  const std::uint64_t rows = (v.at("height") - 1) / v.at("stride") + 1;
  const std::uint64_t columns = (v.at("width") - 1) / v.at("stride") + 1;
  return {2 * v.at("batch") * rows * columns * v.at("filters") * v.at("edge") * v.at("edge") * v.at("channels")};
}

}  // namespace

std::span<const LibraryCase> network_cases() {
  static const std::vector<LibraryCase> kCases{
      {"softmax",
       softmax,
       {"", "type=f32 columns=1024", "rows=3 columns=1024 type=bf16 threads=64",
        "columns=1024 type=bf16 threads=256 width=1 math=ieee combine=first",
        "columns=512 type=f32 threads=128 width=2", "columns=256 threads=32 width=1 rows_a_cta=4 math=ieee",
        "columns=256 type=f32 threads=32 width=1 rows_a_cta=4 math=ieee checked=yes",
        "columns=512 type=bf16 threads=32 width=1 rows_a_cta=2 math=ieee checked=yes",
        "columns=2048 threads=1024 width=2 combine=first",
        "columns=4096 type=f32 threads=1024 width=1 math=ieee combine=first checked=yes",
        "columns=1024 type=bf16 threads=256 width=1 math=ieee combine=first checked=yes"},
       softmax_formula},
      {"layer-norm-welford",
       layer_norm_welford,
       {"", "centre=no", "type=f32 columns=1024", "rows=3 type=f16 columns=512", "centre=no type=f32 columns=512"},
       welford_formula},
      {"layer-norm",
       layer_norm,
       {"", "centre=no", "type=f32 columns=4096 threads=1024", "rows=3 type=f16 threads=128", "residual=yes",
        "residual=yes centre=no type=f32 columns=1024", "residual=yes rows=3 type=f16 threads=64 columns=512"},
       norm_formula},
      {"conv-implicit-gemm",
       convolution,
       {"", "edge=1", "batch=8 stride=2 edge=5", "edge=7", "edge=7 channels=32 stages=8 stride=3 height=46 width=46",
        "filters=128 tile_n=32 tile_k=64 stages=2 type=bf16"},
       direct},
      {"embedding", embedding, {"", "tokens=4 d=256 skew=100", "type=f32 d=384", "type=f16"}, nullptr, "table"},
      {"moe-dispatch",
       moe_dispatch,
       {"", "tokens=128 experts=200 top_k=4 d=512 imbalance=4", "type=f32 d=128", "type=bf16"},
       nullptr,
       "counts cursor"}};
  return kCases;
}

}  // namespace gpusim::testing
