// SPDX-License-Identifier: MIT
// The work of the kernels of neural networks.
#include <algorithm>
#include <iterator>

#include "tests/traces/library_work.h"

namespace gpusim::testing {
namespace {

std::uint64_t steps_of(std::uint64_t n) {
  std::uint64_t steps = 0;
  for (; n > 1; n /= 2) {
    ++steps;
  }
  return steps;
}

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
  const std::uint64_t of_thread = centre ? 1 + 2 : 2;  // the mean; the mean of the squares plus eps
  const std::uint64_t of_row =
      (centre ? 7 : 4) * v.at("columns") + v.at("threads") * of_thread + (centre ? 2 : 1) * cta_sum(v);
  return {v.at("rows") * of_row, type_bytes(v) * elements * (centre ? 3 : 2), type_bytes(v) * elements, 0};
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
  return {(v.at("centre") == 1 ? 7 : 4) * v.at("rows") * v.at("columns"), 85};
}

/// Two products of 2 s s d FLOPs and the scale; in the softmax 6 an element (two FFMA, a sum, a product), a warp's sum
/// and the scaled maximum a row. S is written, read three times and replaced; every other operand is read for each tile
/// of 32.
Work attention_naive(const Values& v) {
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const std::uint64_t s = v.at("seq");
  const std::uint64_t keys = v.at("kv") == 0 ? s : v.at("kv");
  const std::uint64_t d = v.at("d");
  const std::uint64_t flops = 4 * s * keys * d + 7 * s * keys + s * 32 * (5 + 1);
  const std::uint64_t read = 3 * d * s * keys / 32 + 3 * s * keys + s * keys * d / 32;
  return {all * flops, type_bytes(v) * all * read, type_bytes(v) * all * (2 * s * keys + s * d), 0};
}

/// Two products of 2 seq kv d; the softmax weighs the more, the narrower the heads are.
Algorithm attention(const Values& v) {
  const std::uint64_t keys = v.at("kv") == 0 ? v.at("seq") : v.at("kv");
  return {4 * v.at("batch") * v.at("heads") * v.at("seq") * keys * v.at("d"), 12};
}

/// Tiles of K and V that the tiles of Q of a head see: `m` rows by `n`, up to the diagonal with the mask.
std::uint64_t pairs_of(std::uint64_t seq, std::uint64_t m, std::uint64_t n, bool causal) {
  const std::uint64_t columns = (seq + n - 1) / n;
  std::uint64_t pairs = 0;
  for (std::uint64_t block = 0; block * m < seq; ++block) {
    pairs += causal ? std::min(((block + 1) * m + n - 1) / n, columns) : columns;
  }
  return pairs;
}

/// Tiles of 64 rows of Q a warpgroup by `n` of K and V. A lane has n/2 scores: an FFMA and a sum for each, but two sums
/// less in the first tile, and in the others two FFMAs more, four FLOPs for its rows' factors and the rescaling of O;
/// two for its rows' scaled maxima. In the end four sums, two products and two FFMAs, and O is divided. The TMA reads
/// no rows beyond the last, and for two CTAs at once where they form a cluster; the mask has a counter of tiles.
Work flash_attention_3(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  constexpr std::uint64_t kWord = 4;
  const std::uint64_t d = v.at("d");
  const std::uint64_t seq = v.at("seq");
  const bool causal = v.at("causal") == 1;
  const std::uint64_t groups = d == 64 ? 3 : 2;
  const std::uint64_t m = 64 * groups;
  const std::uint64_t n = causal ? 128 : d == 64 ? 192 : 176;
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const std::uint64_t blocks = (seq + m - 1) / m;
  const std::uint64_t pairs = pairs_of(seq, m, n, causal);
  const std::uint64_t clusters = !causal && d == 128 && blocks % 2 == 0 ? 2 : 1;
  const std::uint64_t keys = causal ? pairs * n : blocks * seq / clusters;
  const std::uint64_t first = n + n / 2 - 2 + 2;
  const std::uint64_t later = n + n / 2 + 2 + 2 + 4 + d / 2;
  const std::uint64_t softmax = 128 * groups * (blocks * (first + 10 + d / 2) + (pairs - blocks) * later);
  return {all * (pairs * 4 * m * n * d + softmax), all * kHalf * d * (seq + 2 * keys), all * (kHalf * d + kWord) * seq,
          causal ? all * blocks * kWord : 0};
}

/// The same with four warps and registers for n scores a lane, of four rows; an FMUL a row for the scaled maximum. The
/// products of powers of two that keep denormals are never needed.
Work flash_attention_2(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  constexpr std::uint64_t kWord = 4;
  constexpr std::uint64_t m = 128;
  const std::uint64_t d = v.at("d");
  const std::uint64_t seq = v.at("seq");
  const std::uint64_t n = d == 64 ? 128 : 64;
  const std::uint64_t queries = v.at("queries");
  const std::uint64_t rows = queries > 0 ? queries : seq;
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const std::uint64_t blocks = queries > 0 ? 1 : seq / m;
  const std::uint64_t pairs = queries > 0 ? seq / n : pairs_of(seq, m, n, v.at("causal") == 1);
  const std::uint64_t first = 2 * n + n - 4 + 4;
  const std::uint64_t later = 2 * n + n + 4 + 12 + d;
  const std::uint64_t softmax = 128 * (blocks * (first + 20 + d) + (pairs - blocks) * later);
  return {all * (pairs * 4 * m * n * d + softmax), all * kHalf * d * (rows + 2 * pairs * n),
          all * (kHalf * d + kWord) * rows, 0};
}

/// Triton's tiles of 128 rows by 128: a thread has `scores` of them, of `rows` rows. A score takes an FFMA, a product
/// and a sum, with the mask one more sum; the first score of a row has no sum. A row takes the scale of its maximum,
/// two steps to its power and two to that of its lse, which takes two sums over the quad, one more and an FFMA; 64
/// elements of O are rescaled, and in the end once more. All four lanes that share a row write and read its factor, and
/// write its lse.
Work flash_attention_1(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  constexpr std::uint64_t kWord = 4;
  constexpr std::uint64_t kTile = 128;
  constexpr std::uint64_t kSharing = 4;
  const std::uint64_t d = v.at("d");
  const std::uint64_t seq = v.at("seq");
  const std::uint64_t threads = d == 64 ? 128 : 256;
  const std::uint64_t scores = kTile * kTile / threads;
  const std::uint64_t rows = kSharing * kTile / threads;
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const std::uint64_t blocks = seq / kTile;
  const bool causal = v.at("causal") == 1;
  const std::uint64_t pairs = pairs_of(seq, kTile, kTile, causal);
  const std::uint64_t tile = (causal ? 5 : 4) * scores - rows + 10 * rows + 64;
  const std::uint64_t softmax = threads * (pairs * tile + blocks * (2 * rows + 64));
  const std::uint64_t row_words = kWord * kSharing * kTile;
  const std::uint64_t factors = (pairs + blocks) * row_words;
  return {all * (pairs * 4 * kTile * kTile * d + softmax), all * (kHalf * d * (seq + 2 * pairs * kTile) + factors),
          all * (kHalf * d * seq + blocks * row_words + factors), 0};
}

/// Two products of 2 seq seq d, or half of it. Tiles that reach beyond the last row or the diagonal are computed whole,
/// which weighs most in the test's short sequences.
Algorithm flash_attention(const Values& v) {
  const std::uint64_t whole = 4 * v.at("batch") * v.at("heads") * v.at("seq") * v.at("seq") * v.at("d");
  return {v.at("causal") == 1 ? whole / 2 : whole, 130};
}

/// Tiles of `m` rows of Q by 128 of K. For each five products and, an element, an FFMA, a difference and a product; L
/// is scaled in four rows a thread. Then dK once and dQ once, and D: a product an element, added up over d / 8 lanes,
/// all of which add. L and D are read by each lane that has a part of their rows.
Work flash_attention_2_backward(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  constexpr std::uint64_t kWord = 4;
  constexpr std::uint64_t kThreads = 256;
  constexpr std::uint64_t n = 128;
  const std::uint64_t d = v.at("d");
  const std::uint64_t seq = v.at("seq");
  const std::uint64_t m = d == 128 ? 64 : 128;
  const std::uint64_t ctas = seq / n;
  const std::uint64_t pairs = v.at("causal") == 1 ? n / m * ctas * (ctas + 1) / 2 : ctas * (seq / m);
  const std::uint64_t tile = 10 * m * n * d + 4 * m * n + 4 * kThreads;
  const std::uint64_t sums = seq * d * 2 - seq * d / 8 + seq * d / 8 * steps_of(d / 8);
  const std::uint64_t flops = pairs * tile + 2 * seq * d + sums;
  const std::uint64_t read =
      2 * kHalf * seq * d * 2 + pairs * (2 * kHalf * m * d + 8 * kWord * kThreads) + kWord * seq * d;
  const std::uint64_t written = 3 * kHalf * seq * d + kWord * seq * (d + 1);
  const std::uint64_t all = v.at("batch") * v.at("heads");
  return {all * flops, all * read, all * written, all * pairs * kWord * m * d};
}

/// Triton's tiles of 128 rows of Q by 128 of K: five products and six FLOPs a score (an FFMA, a difference, three
/// products). L and D are read by the four lanes that share a row, and D is stored by all that do; a thread of its
/// kernel adds up eight products and has part in the sum over the lanes. dQ is added by atomics, or loaded and stored.
Work flash_attention_1_backward(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  constexpr std::uint64_t kWord = 4;
  constexpr std::uint64_t kTile = 128;
  constexpr std::uint64_t kSharing = 4;
  const std::uint64_t d = v.at("d");
  const std::uint64_t seq = v.at("seq");
  const std::uint64_t pairs = pairs_of(seq, kTile, kTile, v.at("causal") == 1);
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const std::uint64_t flops = pairs * kTile * kTile * (10 * d + 6) + seq * d / 8 * (8 * 2 - 1 + steps_of(d / 8));
  const std::uint64_t sums = pairs * kWord * kTile * d;
  const bool parallel = v.at("parallel") == 1;
  const std::uint64_t operands = 2 * kHalf * kTile * d;
  const std::uint64_t read = 2 * kHalf * seq * d + seq / kTile * operands +
                             pairs * (operands + 2 * kWord * kSharing * kTile) + kWord * seq * d +
                             (parallel ? 0 : sums);
  const std::uint64_t written = kWord * seq * d / 8 + (kWord + 3 * kHalf) * seq * d + (parallel ? 0 : sums);
  return {all * flops, all * read, all * written, parallel ? all * sums : 0};
}

/// Five products of 2 seq seq d, or half of it.
Algorithm flash_attention_backward(const Values& v) {
  const std::uint64_t whole = 10 * v.at("batch") * v.at("heads") * v.at("seq") * v.at("seq") * v.at("d");
  return {v.at("causal") == 1 ? whole / 2 : whole, 60};
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

/// A team of d / 8 lanes takes 4 keys in a turn: for each head and lane 4 dot products of 8 (60) and the steps to add
/// them up, factor, maximum, powers and their sum (2 + 1 + 8 + 5), the sum of values rescaled and extended (8 + 64).
/// The teams are joined with 6 FLOPs each a thread, 2 more for a second column, then the parts with 6, and one
/// division.
Work attention_decode(const Values& v) {
  const std::uint64_t d = v.at("d");
  const std::uint64_t splits = v.at("splits");
  const std::uint64_t caches = v.at("batch") * v.at("kv_heads");
  const std::uint64_t heads = caches * v.at("group");
  const std::uint64_t teams = 128 / (d / 8);
  const std::uint64_t turns = v.at("length") / splits / (4 * teams);
  const std::uint64_t of_thread = turns * (60 + 4 * steps_of(d / 8) + 16 + 72) + teams * (d == 256 ? 8 : 6);
  const std::uint64_t row = 2 * d;
  // The query is read by each team; the join's threads read maximum (twice), sum and column of every part.
  const std::uint64_t read = 2 * caches * v.at("length") * row + heads * splits * (teams * row + 16 * d);
  return {heads * (splits * 128 * of_thread + d * (6 * splits + 1)), read, heads * (splits * (4 * d + 8) + row), 0};
}

/// A product with all keys and one with all values; each lane of a team has part in the softmax.
Algorithm decode(const Values& v) {
  return {4 * v.at("batch") * v.at("kv_heads") * v.at("group") * v.at("length") * v.at("d"), 75};
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

std::vector<LibraryCase> flash_attention_cases() {
  const std::vector<std::string> shapes{"", "causal=yes", "d=64", "d=64 causal=yes seq=384", "batch=2 heads=2 seq=128"};
  return {{"flash-attention-3",
           flash_attention_3,
           {"", "causal=yes", "seq=512 batch=2 sms=5", "causal=yes seq=640", "d=64", "d=64 causal=yes seq=640",
            "d=64 seq=512 batch=2 sms=3"},
           flash_attention,
           "next take"},
          {"flash-attention-2",
           flash_attention_2,
           {"", "causal=yes", "d=64", "d=64 causal=yes seq=384", "batch=2 heads=2 seq=128", "math=fast causal=yes",
            "queries=128 seq=128", "queries=128 seq=128 d=64"},
           flash_attention},
          {"flash-attention-1", flash_attention_1, shapes, flash_attention},
          {"flash-attention-1-backward",
           flash_attention_1_backward,
           {"", "causal=yes", "d=64 parallel=no", "d=64 causal=yes seq=384", "causal=yes seq=384 parallel=no",
            "batch=2 heads=2 seq=128"},
           flash_attention_backward},
          {"flash-attention-2-backward", flash_attention_2_backward, shapes, flash_attention_backward}};
}

std::vector<LibraryCase> other_cases() {
  return {
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
       {"", "centre=no", "type=f32 columns=4096 threads=1024", "rows=3 type=f16 threads=128"},
       norm_formula},
      {"attention-naive",
       attention_naive,
       {"", "batch=2 heads=1 seq=32 d=96", "kv=160 causal=yes", "type=f16 seq=128 d=64", "type=bf16 kv=32 causal=yes"},
       attention},
      {"attention-decode",
       attention_decode,
       {"", "group=8 splits=1", "batch=1 kv_heads=3 group=1 length=96 splits=3", "d=64 type=bf16 group=3",
        "d=256 length=64", "d=256 group=7 type=bf16", "d=64 group=5"},
       decode},
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
}

}  // namespace

std::span<const LibraryCase> network_cases() {
  static const std::vector<LibraryCase> kCases = [] {
    std::vector<LibraryCase> cases = flash_attention_cases();
    std::ranges::move(other_cases(), std::back_inserter(cases));
    return cases;
  }();
  return kCases;
}

}  // namespace gpusim::testing
