// SPDX-License-Identifier: MIT
// The work of the kernels of attention.
#include <algorithm>
#include <iterator>

#include "tests/traces/library_work.h"

namespace gpusim::testing {
namespace {

/// Rows of K and V: as many as of Q where the kernel has no other choice, or none was made.
std::uint64_t keys_of(const Values& v) {
  const auto kv = v.find("kv");
  return kv == v.end() || kv->second == 0 ? v.at("seq") : kv->second;
}

/// Two products of 2 s s d FLOPs and the scale; in the softmax 6 an element (two FFMA, a sum, a product), a warp's sum
/// and the scaled maximum a row. S is written, read three times and replaced; every other operand is read for each tile
/// of 32.
Work attention_naive(const Values& v) {
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const std::uint64_t s = v.at("seq");
  const std::uint64_t keys = keys_of(v);
  const std::uint64_t d = v.at("d");
  const std::uint64_t flops = 4 * s * keys * d + 7 * s * keys + s * 32 * (5 + 1);
  const std::uint64_t read = 3 * d * s * keys / 32 + 3 * s * keys + s * keys * d / 32;
  return {all * flops, type_bytes(v) * all * read, type_bytes(v) * all * (2 * s * keys + s * d), 0};
}

/// Two products of 2 s s d FLOPs, whose operands are read for each tile of Q or S, and the scale. In the softmax each
/// of a row's lanes has four scores a load: a difference and a product for the power of two, a sum, a product with the
/// reciprocal; then the scaled maximum, the sum over a warp and over eight warps. With the mask a row reads what it
/// sees, and every tile of four of it.
Work attention_naive_mma(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const std::uint64_t s = v.at("seq");
  const std::uint64_t keys = keys_of(v);
  const std::uint64_t d = v.at("d");
  const std::uint64_t tile = v.at("tile");
  const std::uint64_t wide = d % 128 == 0 && tile == 128 ? 128 : d % 64 == 0 ? 64 : 32;
  const std::uint64_t lanes = keys <= 1024 ? 32 : 256;
  const std::uint64_t scores = (keys + 4 * lanes - 1) / (4 * lanes) * 4;  // a lane has so many
  const std::uint64_t of_row = lanes * (4 * scores + 5 + (lanes == 256 ? 7 : 0));
  std::uint64_t seen = s * keys;
  for (std::uint64_t row = 0; v.at("causal") == 1 && row < s; ++row) {
    seen -= keys - std::min(keys, (row + 1 + keys - s + 3) / 4 * 4);
  }
  const std::uint64_t read = 2 * s * d * (keys / tile) + seen + s * keys * (d / wide) + s / tile * keys * d;
  return {all * (4 * s * keys * d + s * keys + s * of_row), kHalf * all * read, kHalf * all * (2 * s * keys + s * d),
          0};
}

/// Two products of 2 seq kv d; the softmax weighs the more, the narrower the heads are.
Algorithm attention(const Values& v) {
  const std::uint64_t keys = keys_of(v);
  return {4 * v.at("batch") * v.at("heads") * v.at("seq") * keys * v.at("d"), 12};
}

/// What the tiles of Q of a head see of its K and V: tiles of `n` rows, and the rows that are there.
struct Seen {
  std::uint64_t blocks = 0;  ///< tiles of Q
  std::uint64_t tiles = 0;
  std::uint64_t rows = 0;
};

/// Tiles of Q are `m` rows high. With the mask they see keys up to their last row's, and the last of all rows sees all.
Seen seen(std::uint64_t queries, std::uint64_t keys, std::uint64_t m, std::uint64_t n, bool causal) {
  Seen all;
  for (; all.blocks * m < queries; ++all.blocks) {
    const std::uint64_t end = causal ? std::min((all.blocks + 1) * m + keys - queries, keys) : keys;
    const std::uint64_t tiles = (end + n - 1) / n;
    all.tiles += tiles;
    all.rows += std::min(tiles * n, keys);
  }
  return all;
}

/// Tiles of 64 rows of Q a warpgroup by `n` of K and V. A lane has n/2 scores: an FFMA and a sum for each, but two sums
/// less in the first tile, and in the others two FFMAs more and four FLOPs for its rows' factors. O is rescaled in the
/// others, too, or, with d = 256, before each tile's product of P and V;
/// two for its rows' scaled maxima. In the end four sums, two products and two FFMAs, and O is divided. The TMA reads
/// no rows beyond the last, and for two CTAs at once where they form a cluster; the mask has a counter of tiles.
Work flash_attention_3(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  constexpr std::uint64_t kWord = 4;
  const std::uint64_t d = v.at("d");
  const std::uint64_t seq = v.at("seq");
  const bool causal = v.at("causal") == 1;
  const std::uint64_t groups = d < 128 ? 3 : 2;
  const std::uint64_t m = 64 * groups;
  const std::uint64_t n = d == 256 ? 80 : d == 96 ? 144 : causal ? 128 : d == 64 ? 192 : 176;
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const Seen kv = seen(seq, keys_of(v), m, n, causal);
  const std::uint64_t clusters = v.at("clusters") == 1 && !causal && d >= 128 && kv.blocks % 2 == 0 ? 2 : 1;
  const std::uint64_t first = n + n / 2 - 2 + 2;
  const std::uint64_t later = n + n / 2 + 2 + 2 + 4;
  const std::uint64_t rescaled = (d == 256 ? kv.tiles : kv.tiles - kv.blocks) * d / 2;
  const std::uint64_t softmax =
      128 * groups * (kv.blocks * (first + 10 + d / 2) + (kv.tiles - kv.blocks) * later + rescaled);
  return {all * (kv.tiles * 4 * m * n * d + softmax), all * kHalf * d * (seq + 2 * kv.rows / clusters),
          all * (kHalf * d + kWord) * seq, causal ? all * kv.blocks * kWord : 0};
}

/// The same with warps that have registers for four rows a lane, for two with d = 256; an FMUL a row for the scaled
/// maximum. The products of powers of two that keep denormals are never needed.
Work flash_attention_2(const Values& v) {
  constexpr std::uint64_t kHalf = 2;
  constexpr std::uint64_t kWord = 4;
  const std::uint64_t d = v.at("d");
  const std::uint64_t lanes = d == 256 ? 2 : 4;  // rows of a lane
  const std::uint64_t m = v.at("tile_m") > 0 ? v.at("tile_m") : d == 256 ? 64 : 128;
  const std::uint64_t n = d == 64 ? 128 : 64;
  const std::uint64_t rows = v.at("queries") > 0 ? v.at("queries") : v.at("seq");
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const Seen kv = seen(rows, keys_of(v), m, n, v.at("causal") == 1);
  const std::uint64_t threads = 4 * m / lanes;
  const std::uint64_t first = 3 * (lanes * n / 4);
  const std::uint64_t later = first + 4 * lanes + lanes * d / 4;
  const std::uint64_t end = 5 * lanes + lanes * d / 4;
  const std::uint64_t softmax = threads * (kv.blocks * (first + end) + (kv.tiles - kv.blocks) * later);
  return {all * (kv.tiles * 4 * m * n * d + softmax), all * kHalf * d * (rows + 2 * kv.rows),
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
  const std::uint64_t pairs = seen(seq, seq, kTile, kTile, causal).tiles;
  // A bias is added where a score is scaled; the power then has a sum, and no row a factor.
  const bool has_bias = v.at("bias") == 1;
  const std::uint64_t tile = (causal ? 5 : 4) * scores - rows + 10 * rows + 64 + (has_bias ? scores - rows : 0);
  const std::uint64_t softmax = threads * (pairs * tile + blocks * (2 * rows + 64));
  const std::uint64_t row_words = kWord * kSharing * kTile;
  const std::uint64_t factors = (pairs + blocks) * row_words;
  const std::uint64_t biases = has_bias ? pairs * threads * kTile / kSharing * kWord : 0;
  return {all * (pairs * 4 * kTile * kTile * d + softmax),
          all * (kHalf * d * (seq + 2 * pairs * kTile) + factors + biases),
          all * (kHalf * d * seq + blocks * row_words + factors), 0};
}

/// Two products of 2 queries kv d; with the mask without the half square that it hides. Tiles that reach beyond the
/// last row or the diagonal are computed whole, which weighs most in the test's short sequences.
Algorithm flash_attention(const Values& v) {
  const auto few = v.find("queries");
  const std::uint64_t rows = few != v.end() && few->second > 0 ? few->second : v.at("seq");
  const std::uint64_t hidden = v.at("causal") == 1 ? rows * rows / 2 : 0;
  return {4 * v.at("batch") * v.at("heads") * (rows * keys_of(v) - hidden) * v.at("d"), 130};
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
  const std::uint64_t pairs = seen(seq, seq, kTile, kTile, v.at("causal") == 1).tiles;
  const std::uint64_t all = v.at("batch") * v.at("heads");
  const bool has_bias = v.at("bias") == 1;
  const std::uint64_t flops =
      pairs * kTile * kTile * (10 * d + (has_bias ? 7 : 6)) + seq * d / 8 * (8 * 2 - 1 + steps_of(d / 8));
  const std::uint64_t sums = pairs * kWord * kTile * d;
  const bool parallel = v.at("parallel") == 1;
  const std::uint64_t operands = 2 * kHalf * kTile * d;
  const std::uint64_t read = 2 * kHalf * seq * d + seq / kTile * operands +
                             pairs * (operands + 2 * kWord * kSharing * kTile) + kWord * seq * d +
                             (has_bias ? pairs * 256 * kTile / kSharing * kWord : 0) + (parallel ? 0 : sums);
  const std::uint64_t written = kWord * seq * d / 8 + (kWord + 3 * kHalf) * seq * d + (parallel ? 0 : sums);
  return {all * flops, all * read, all * written, parallel ? all * sums : 0};
}

/// Five products of 2 seq seq d, or half of it.
Algorithm flash_attention_backward(const Values& v) {
  const std::uint64_t whole = 10 * v.at("batch") * v.at("heads") * v.at("seq") * v.at("seq") * v.at("d");
  return {v.at("causal") == 1 ? whole / 2 : whole, 60};
}

/// A team of d / 8 lanes takes 4 keys in a turn: for each head and lane 4 dot products of 8 (60) and the steps to add
/// them up, factor, maximum, powers and their sum (2 + 1 + 8 + 5), the sum of values rescaled and extended (8 + 64).
/// The teams are joined with 6 FLOPs each a thread, 2 more for a second column, then the parts with 6, and one
/// division. More than eight heads are two CTAs, which both ask for the cache; in pages, each lane asks the table for
/// the pages of its team's keys.
Work attention_decode(const Values& v) {
  constexpr std::uint64_t kEntry = 4;
  const std::uint64_t d = v.at("d");
  const std::uint64_t splits = v.at("splits");
  const std::uint64_t page = v.at("page");
  const std::uint64_t caches = v.at("batch") * v.at("kv_heads");
  const std::uint64_t heads = caches * v.at("group");
  const std::uint64_t readers = caches * (v.at("group") > 8 ? 2 : 1);
  const std::uint64_t teams = 128 / (d / 8);
  const std::uint64_t turns = v.at("length") / splits / (4 * teams);
  const std::uint64_t of_thread = turns * (60 + 4 * steps_of(d / 8) + 16 + 72) + teams * (d == 256 ? 8 : 6);
  const std::uint64_t row = 2 * d;
  const std::uint64_t entries = page == 0 ? 0 : page < 4 ? 4 / page : 1;
  // The query is read by each team; the join's threads read maximum (twice), sum and column of every part.
  const std::uint64_t read = 2 * readers * v.at("length") * row + heads * splits * (teams * row + 16 * d) +
                             readers * splits * turns * 128 * entries * kEntry;
  return {heads * (splits * 128 * of_thread + d * (6 * splits + 1)), read, heads * (splits * (4 * d + 8) + row), 0};
}

/// A product with all keys and one with all values; each lane of a team has part in the softmax.
Algorithm decode(const Values& v) {
  return {4 * v.at("batch") * v.at("kv_heads") * v.at("group") * v.at("length") * v.at("d"), 75};
}

std::vector<LibraryCase> flash_attention_cases() {
  const std::vector<std::string> shapes{"", "causal=yes", "d=64", "d=64 causal=yes seq=384", "batch=2 heads=2 seq=128"};
  return {{"flash-attention-3",
           flash_attention_3,
           {"", "causal=yes", "seq=512 batch=2 sms=5", "causal=yes seq=640", "d=64", "d=64 causal=yes seq=640",
            "d=64 seq=512 batch=2 sms=3", "d=96", "d=96 causal=yes seq=640", "d=256", "d=256 causal=yes seq=512",
            "d=256 seq=512 kv=1000 heads=4 group=2 sms=6", "kv=200 heads=3 group=3", "d=96 kv=700 group=2",
            "d=64 causal=yes group=2", "causal=yes seq=256 kv=640 clusters=no", "d=64 causal=yes seq=384 kv=1000 sms=3",
            "d=256 causal=yes seq=128 kv=512", "clusters=no seq=512"},
           flash_attention,
           "next take"},
          {"flash-attention-2",
           flash_attention_2,
           {"",
            "causal=yes",
            "d=64",
            "d=64 causal=yes seq=384",
            "batch=2 heads=2 seq=128",
            "math=fast causal=yes",
            "queries=128 seq=128",
            "queries=128 seq=128 d=64",
            "d=96",
            "d=96 causal=yes kv=330",
            "d=256",
            "d=256 causal=yes",
            "d=256 tile_m=128",
            "d=256 tile_m=128 causal=yes kv=500",
            "heads=4 group=4 kv=200",
            "d=64 kv=300",
            "d=64 causal=yes kv=300 heads=2 group=2",
            "causal=yes kv=640 batch=2 heads=4 group=2",
            "queries=60 kv=100 d=256 heads=2 group=2",
            "queries=100 kv=200 d=96",
            "kv=40"},
           flash_attention},
          {"flash-attention-1",
           flash_attention_1,
           {"", "causal=yes", "d=64", "d=64 causal=yes seq=384", "batch=2 heads=2 seq=128", "bias=yes causal=yes",
            "bias=yes d=64 batch=2 heads=3"},
           flash_attention},
          {"flash-attention-1-backward",
           flash_attention_1_backward,
           {"", "causal=yes", "d=64 parallel=no", "d=64 causal=yes seq=384", "causal=yes seq=384 parallel=no",
            "batch=2 heads=2 seq=128", "bias=yes causal=yes batch=2 heads=3", "bias=yes d=64 parallel=no"},
           flash_attention_backward},
          {"flash-attention-2-backward", flash_attention_2_backward, shapes, flash_attention_backward}};
}

std::vector<LibraryCase> other_cases() {
  return {
      {"attention-naive",
       attention_naive,
       {"", "batch=2 heads=1 seq=32 d=96", "kv=160 causal=yes", "type=f16 seq=128 d=64", "type=bf16 kv=32 causal=yes"},
       attention},
      {"attention-naive-mma",
       attention_naive_mma,
       {"", "causal=yes", "batch=2 d=128 type=f16 kv=256", "d=96", "tile=64 seq=192 kv=320 causal=yes", "kv=1152 d=256",
        "kv=2048 causal=yes", "kv=1280 causal=yes heads=1", "d=32 tile=64"},
       attention},
      {"attention-decode",
       attention_decode,
       {"", "group=8 splits=1", "batch=1 kv_heads=3 group=1 length=96 splits=3", "d=64 type=bf16 group=3",
        "d=256 length=64", "d=256 group=7 type=bf16", "d=64 group=5", "group=16", "group=10 splits=1 d=64", "page=16",
        "page=1 kv_heads=1 batch=3", "page=2 d=64 group=3 type=bf16", "page=4 group=8 d=256", "page=64",
        "page=256 group=5", "page=32 group=16 length=512 splits=4", "page=8 splits=1"},
       decode}};
}

}  // namespace

std::span<const LibraryCase> attention_cases() {
  static const std::vector<LibraryCase> kCases = [] {
    std::vector<LibraryCase> cases = flash_attention_cases();
    std::ranges::move(other_cases(), std::back_inserter(cases));
    return cases;
  }();
  return kCases;
}

}  // namespace gpusim::testing
