// SPDX-License-Identifier: MIT
// The work of matrix products. Every rung of the SGEMM ladder does 2 m n k FLOPs, and 3 more an element of C for alpha
// and beta; what differs is how often A and B are asked for: once for each tile that needs them.
#include "tests/traces/library_work.h"

namespace gpusim::testing {
namespace {

constexpr std::uint64_t kWordSize = 4;

/// C = alpha A B + beta C where each element of A is fetched for every `reuse_a` columns, of B for every `reuse_b`
/// rows.
Work sgemm(const Values& v, std::uint64_t reuse_a, std::uint64_t reuse_b) {
  const std::uint64_t m = v.at("m");
  const std::uint64_t n = v.at("n");
  const std::uint64_t k = v.at("k");
  return {2 * m * n * k + 3 * m * n, kWordSize * (m * k * n / reuse_a + k * n * m / reuse_b + m * n), kWordSize * m * n,
          0};
}

Work naive(const Values& v) {
  return sgemm(v, 1, 1);
}

Work shared(const Values& v) {
  return sgemm(v, v.at("tile"), v.at("tile"));
}

Work tiled(const Values& v) {
  return sgemm(v, v.at("tile_n"), v.at("tile_m"));
}

/// A CTA fetches its rows of A and B once, and every part of k has all of C for itself, times alpha.
Work multistage(const Values& v) {
  const std::uint64_t m = v.at("m");
  const std::uint64_t n = v.at("n");
  const std::uint64_t k = v.at("k");
  const std::uint64_t sums = v.at("splits") * m * n;
  return {2 * m * n * k + sums, kWordSize * (m * k * (n / v.at("tile_n")) + k * n * (m / v.at("tile_m"))),
          kWordSize * sums, 0};
}

/// Every plane is read and added, and the sum is scaled.
Work split_k_reduce(const Values& v) {
  const std::uint64_t elements = v.at("m") * v.at("n");
  const std::uint64_t splits = v.at("splits");
  return {(splits + 1) * elements, kWordSize * splits * elements, kWordSize * elements, 0};
}

/// A CTA fetches its rows of A and B once; with splits every part of k adds all of C in fp32.
Work mma(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  const std::uint64_t rows = v.at("batch") * v.at("m");
  const std::uint64_t n = v.at("n");
  const std::uint64_t k = v.at("k");
  const std::uint64_t size = v.at("type") == 2 ? 1 : kHalf;
  const std::uint64_t read = size * (rows * k * (n / v.at("tile_n")) + n * k * (rows / v.at("tile_m")));
  const bool split = v.at("splits") > 1;
  return {2 * rows * n * k, read, split ? 0 : kHalf * rows * n, split ? kWordSize * rows * n * v.at("splits") : 0};
}

/// A CTA loads its rows of A and B once, and stores its tile.
Work pipelined(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  const std::uint64_t m = v.at("m");
  const std::uint64_t n = v.at("n");
  const std::uint64_t k = v.at("k");
  return {2 * m * n * k, kHalf * (m * k * (n / v.at("tile_n")) + n * k * (m / v.at("tile_m"))), kHalf * m * n, 0};
}

/// A warp loads both fragments of 16 x 16 for each 16 of k, on Volta every element for two lanes; C is read and
/// written.
Work wmma(const Values& v) {
  constexpr std::uint64_t kFragmentBytes = 512;
  const std::uint64_t m = v.at("m");
  const std::uint64_t n = v.at("n");
  const std::uint64_t k = v.at("k");
  const std::uint64_t copies = v.at("mma") == 0 ? 2 : 1;
  const std::uint64_t products = m / 16 * (n / 16) * (k / 16);
  return {2 * m * n * k + 3 * m * n, 2 * kFragmentBytes * copies * products + kWordSize * m * n, kWordSize * m * n, 0};
}

/// Whole tiles of 16 rows are multiplied, but only rows that are there are read and written: the sums of every part in
/// fp32, which the second kernel reads and adds to zero.
Work small_m(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  const std::uint64_t m = v.at("m");
  const std::uint64_t n = v.at("n");
  const std::uint64_t k = v.at("k");
  const std::uint64_t sums = v.at("splits") * m * n;
  return {2 * ((m + 15) / 16 * 16) * n * k + sums, kHalf * (m * k * (n / v.at("tile_n")) + n * k) + kWordSize * sums,
          kWordSize * sums + kHalf * m * n, 0};
}

/// A tile has the TMA fetch its rows of A once, a cluster its rows of B, and each writes its part of D.
Work wgmma(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  const std::uint64_t m = v.at("batch") * v.at("m");
  const std::uint64_t n = v.at("n");
  const std::uint64_t k = v.at("k");
  return {2 * m * n * k, kHalf * (m * k * (n / v.at("tile_n")) + n * k * (m / v.at("tile_m")) / v.at("cluster")),
          kHalf * m * n, 0};
}

/// The same in bytes. Promotion is an addition for each element and 128 of k, or a multiplication with the scales as
/// well. Those of A come once a row and tile, those of B for each thread of the consumers, which has two rows and
/// multiplies both. `rows` counts those of all tiles and stages.
Work fp8(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  const std::uint64_t m = v.at("m");
  const std::uint64_t n = v.at("n");
  const std::uint64_t k = v.at("k");
  const std::uint64_t promote = v.at("promote");
  const std::uint64_t rows = promote == 2 ? m * (n / v.at("tile_n")) * (k / 128) : 0;
  return {2 * m * n * k + promote * m * n * (k / 128) + 4 * rows,
          m * k * (n / v.at("tile_n")) + n * k * (m / v.at("tile_m")) / v.at("cluster") + kWordSize * rows +
              2 * kWordSize * rows,
          kHalf * m * n, 0};
}

/// A thread multiplies 4 x 8 elements of a tile, adds them up, and takes part in five additions over lanes for each of
/// its rows, one over warps, and one to each row's sum. Every CTA reads x.
Work gemv_tiled(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  const std::uint64_t m = v.at("m");
  const std::uint64_t k = v.at("k");
  const std::uint64_t of_thread = 4 * (8 + 7) + 4 * 5 + 1 + 4;
  return {m / 8 * (k / 512) * 128 * of_thread, kHalf * (m * k + m / 8 * k), kHalf * m, 0};
}

constexpr std::uint64_t kSumOfWarp = 32 * 5;  // FLOPs of five additions over lanes

/// Bytes of an element of the type bf16 | f16 | f32.
std::uint64_t bytes_of_type(const Values& v) {
  return v.at("type") == 2 ? 4 : 2;
}

/// A warp multiplies its part of a row with x, adds up its lanes' two sums, and its lanes.
Work gemv_split_k(const Values& v) {
  const std::uint64_t m = v.at("m");
  const std::uint64_t k = v.at("k");
  const std::uint64_t warps = m * v.at("splits");
  return {2 * m * k + warps * (32 + kSumOfWarp), 2 * bytes_of_type(v) * m * k, 0, kWordSize * warps};
}

/// A thread reads its columns, and all of x that belongs to its rows.
Work gemv_transposed(const Values& v) {
  const std::uint64_t m = v.at("m");
  const std::uint64_t n = v.at("n");
  const std::uint64_t splits = v.at("splits");
  return {2 * m * n, bytes_of_type(v) * m * (n + n / v.at("each")), splits == 1 ? kWordSize * n : 0,
          splits == 1 ? 0 : kWordSize * n * splits};
}

/// A lane has 32 weights and their x. Two weights become f16 by an addition or an FMA, and are multiplied; of eight
/// products the first two are not added to any, the last two sums are, in fp32, and the result is scaled. The zero
/// point is taken from two constants, each for two weights.
Work gemv_quantised(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  constexpr std::uint64_t kOfEight = 2 * (2 + 4) + 2 + 3 * 4 + 1 + 2;
  const std::uint64_t m = v.at("m");
  const std::uint64_t k = v.at("k");
  const std::uint64_t lanes = m * k / 32;
  return {lanes * (4 * kOfEight + 2 * 2) + m * kSumOfWarp, m * k / 2 + kWordSize * lanes + kHalf * m * k, kHalf * m, 0};
}

Algorithm quantised(const Values& v) {
  return {2 * v.at("m") * v.at("k"), 100};
}

Algorithm matrix_vector(const Values& v) {
  return {2 * v.at("m") * v.at("k"), 40};
}

Algorithm plain_gemv(const Values& v) {
  return {2 * v.at("m") * v.at("n")};
}

Algorithm plain_product(const Values& v) {
  return {2 * v.at("m") * v.at("n") * v.at("k")};
}

/// 2 m n k, and at most two for each element and 128 of k.
Algorithm promoted_product(const Values& v) {
  return {2 * v.at("m") * v.at("n") * v.at("k"), 2};
}

/// 2 m n k; alpha and beta are 3 more an element of C.
Algorithm product(const Values& v) {
  return {2 * v.at("m") * v.at("n") * v.at("k") + 3 * v.at("m") * v.at("n")};
}

/// 2 m n k; alpha is one more for each element of a part of C, which is at least 8 deep.
Algorithm scaled_product(const Values& v) {
  return {2 * v.at("m") * v.at("n") * v.at("k"), 7};
}

/// Rows are rounded up to 16, and the sums of the parts are one addition for every 2 k / splits of the product.
Algorithm few_rows(const Values& v) {
  const std::uint64_t m = v.at("m");
  const auto in_vain = static_cast<unsigned>((100 * ((m + 15) / 16 * 16 - m) + m - 1) / m);
  return {2 * m * v.at("n") * v.at("k"), in_vain + 2};
}

Algorithm products(const Values& v) {
  return {2 * v.at("batch") * v.at("m") * v.at("n") * v.at("k")};
}

std::vector<LibraryCase> sgemm_cases() {
  return {{"sgemm-naive", naive, {"", "m=32 n=32 k=4 warp_along=row", "m=64 n=32 k=12"}, product},
          {"sgemm-shared", shared, {"", "m=32 n=16 k=48 tile=16"}, product},
          {"sgemm-block-tiled",
           tiled,
           {"", "vectors=no", "m=128 n=64 tile_m=64 tile_n=64 rn=1 vectors=no",
            "m=64 n=128 k=32 tile_m=32 tile_n=64 tile_k=16 rm=4 rn=4",
            "m=128 n=256 k=32 tile_m=128 tile_n=256 tile_k=16 rm=8 rn=8 vectors=yes",
            "m=32 n=128 k=8 tile_m=16 tile_n=128 tile_k=4 rm=4 rn=8 vectors=no"},
           product},
          {"sgemm-warp-tiled",
           tiled,
           {"", "m=256 n=64 k=16 tile_m=256 tile_n=64 tile_k=8", "m=64 n=64 k=16 tile_m=64 tile_n=64 tile_k=8"},
           product},
          {"sgemm-multistage",
           multistage,
           {"", "m=128 n=256 tile_m=128 tile_n=256", "k=48 tile_m=128 tile_n=128 stages=3 splits=2",
            "n=64 k=8 tile_m=128 tile_n=64 stages=2", "m=64 n=128 tile_m=64 tile_n=64 stages=6 splits=4"},
           scaled_product},
          {"split-k-reduce", split_k_reduce, {"", "m=1 n=7 splits=64", "m=512 n=3 splits=6"}}};
}

}  // namespace

std::span<const LibraryCase> dense_cases() {
  static const std::vector<LibraryCase> kCases{
      {"gemv-tiled", gemv_tiled, {"", "m=8 k=512 type=f16", "m=24 k=2048"}, matrix_vector},
      {"gemv-split-k", gemv_split_k, {"", "m=4 k=16384 splits=4 type=f16", "splits=1 type=f32"}, matrix_vector},
      {"gemv-transposed",
       gemv_transposed,
       {"", "splits=1 type=f32", "n=512 each=4 type=f32 m=32", "n=1024 each=8 type=f16", "each=2 splits=1",
        "n=512 each=4 splits=4 m=96 type=f16"},
       plain_gemv},
      {"gemv-quantised", gemv_quantised, {"", "m=4 k=1024", "m=24 k=3072"}, quantised},
      {"gemm-mma",
       mma,
       {"", "m=128 n=384 k=512 splits=4", "batch=3 m=128 n=128 k=64", "m=512 n=128 k=64 batch=3 skew=128",
        "type=f16 tile_k=64 stages=3 warps_n=4", "type=e4m3 tile_k=64",
        "type=e4m3 tile_k=128 stages=3 splits=2 warps_m=4",
        "m=48 n=128 tile_m=16 tile_k=64 warps_m=1 warps_n=4 splits=2",
        "m=64 n=64 k=32 tile_m=64 tile_n=32 warps_m=4 warps_n=1 stages=2"},
       products},
      {"gemm-pipelined",
       pipelined,
       {"", "sums=f16 m=256 n=128 k=64", "mma=m16n8k8 tile_n=256 warps_n=4 k=32",
        "mma=m16n8k8 sums=f16 m=64 n=64 tile_m=32 tile_n=64 warps_m=1 warps_n=2", "mma=m16n8k16 k=64",
        "mma=m16n8k16 sums=f16 m=256 tile_m=256 tile_n=64 warps_m=4 warps_n=1", "warps_m=4 warps_n=2",
        "tile_n=64 warps_m=1 warps_n=4"},
       plain_product},
      {"gemm-wmma", wmma, {"", "mma=m16n8k8 m=16 n=112", "mma=m16n8k16 m=64 n=16 k=16", "m=128 n=32 k=32"}, product},
      {"gemm-small-m",
       small_m,
       {"", "m=64 k=1024 splits=4 stages=3", "m=33 n=256 tile_n=128 splits=8", "m=1 n=64 k=192 splits=3 type=f16"},
       few_rows},
      {"gemm-fp8",
       fp8,
       {"", "m=128 n=256 k=128 cluster=1 type=e5m2", "m=384 k=256 sms=5 cluster=1 promote=added tile_n=128",
        "m=512 n=768 k=384 sms=7 cluster=4 promote=scaled tile_n=128", "m=128 n=128 tile_m=64 tile_n=64 promote=scaled",
        "m=256 n=64 k=384 tile_m=64 tile_n=32 stages=3 sms=5 cluster=1 promote=added"},
       promoted_product},
      {"gemm-wgmma",
       wgmma,
       {"", "m=128 n=256 k=64 cluster=1", "type=f16 m=384 k=128 sms=5 cluster=1", "m=512 n=768 k=192 sms=7 cluster=4",
        "m=256 n=64 k=320 tile_m=64 tile_n=32 stages=3 sms=5 cluster=1",
        "m=256 n=256 k=192 tile_n=64 stages=8 cluster=2", "m=128 n=128 k=64 tile_m=64 tile_n=128 cluster=2",
        "batch=3 m=256 n=512 k=128 sms=4", "batch=5 m=128 n=64 k=192 tile_n=64 stages=3 sms=3 cluster=1"},
       products}};
  static const std::vector<LibraryCase> kAll = [] {
    std::vector<LibraryCase> all = sgemm_cases();
    all.insert(all.end(), kCases.begin(), kCases.end());
    return all;
  }();
  return kAll;
}

}  // namespace gpusim::testing
