// SPDX-License-Identifier: MIT
#include "sim/system/generate/kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/rounding.h"
#include "sim/system/generate/fp32_products.h"
#include "sim/system/generate/tiles.h"

namespace gpusim::generate {

using application::Parameters;
using application::Roofline;
using application::Simulated;

namespace {

/// What a copy larger than L2 reaches of DRAM's peak on an H100, simulated.
constexpr double kCopyReach = 0.85;

std::string text(std::uint64_t value) {
  return std::to_string(value);
}

/// The product of sizes, which may be more than 64 bits hold.
template <class... Sizes>
double volume(Sizes... sizes) {
  return (static_cast<double>(sizes) * ...);
}

double flops_of(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  return 2.0 * volume(m, n, k);
}

double elements_of(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  return volume(m, k) + volume(k, n) + volume(m, n);
}

KernelForm roofline_product(std::string_view peak, double reach, double element_bytes, std::uint64_t m, std::uint64_t n,
                            std::uint64_t k, std::uint64_t count = 1) {
  const double flops = static_cast<double>(count) * flops_of(m, n, k);
  const double bytes = static_cast<double>(count) * elements_of(m, n, k) * element_bytes;
  return {Roofline{flops, bytes, std::string(peak), reach}, flops};
}

bool is_ampere_or_later(const Target& target) {
  return target.compute_capability >= "8.0" || target.compute_capability.size() > 3;
}

bool has_tcgen05(const Target& target) {
  return target.compute_capability == "10.0" || target.compute_capability == "10.3";
}

constexpr std::array<Tile, 6> kHopperTiles{{{128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64}, {64, 32}}};
/// cuBLAS before its nvjet kernels. In the profile that vLLM's documentation shows, those with the name
/// sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1 take 46 % of the time, 256x128x64
/// with two warpgroups 15 %, 64x128x64 12 %. No name has a cluster. That large products have the first is a guess.
constexpr std::array<Tile, 3> kHopperTilesOf2023{{{128, 128}, {64, 128}, {64, 64}}};
/// The first is that of gemm-bf16, the others those of gemm-mma.
constexpr std::array<Tile, 3> kA100Tiles{{{128, 256}, {128, 128}, {64, 128}}};

/// The tile of `count` products with which the last SM ends first; of equals the first, the largest, which reads least.
Tile best_tile(std::span<const Tile> shapes, const Target& target, std::uint64_t m, std::uint64_t n,
               std::uint64_t count = 1) {
  const auto cost = [&](const Tile& tile) {
    const std::uint64_t tiles = count * tiles_of(tile, m, n);
    const std::uint64_t rounds = round_up(tiles, target.sms) / target.sms;
    // A small tile reads as many bytes a step for fewer products.
    constexpr double kOverhead = 32;
    return static_cast<double>(rounds) * (static_cast<double>(tile.m) + kOverhead) *
           (static_cast<double>(tile.n) + kOverhead);
  };
  return *std::ranges::min_element(shapes, {}, cost);
}

/// Stages that 192 KiB of shared memory hold on Hopper. Each has 128 bytes of each row of both matrices.
std::uint64_t stages_of(const Tile& tile) {
  constexpr std::uint64_t kRows = 1536;
  return kRows / (tile.m + tile.n);
}

/// `kernel`: one whose CTAs take steps of `step` of k, 128 bytes of a row. `count` products side by side.
KernelForm hopper_product(const char* kernel, std::uint64_t step, const Target& target, std::uint64_t m,
                          std::uint64_t n, std::uint64_t k, std::uint64_t count = 1) {
  const bool is_of_2023 = target.libraries == Libraries::k2023;
  const std::span<const Tile> tiles = is_of_2023 ? std::span<const Tile>(kHopperTilesOf2023) : kHopperTiles;
  const Tile tile = best_tile(tiles, target, m, n, count);
  const std::uint64_t rows = round_up(m, tile.m);
  const std::uint64_t cluster = !is_of_2023 && rows / tile.m % 2 == 0 ? 2 : 1;
  Simulated how{kernel,
                {{"m", text(rows)},
                 {"n", text(round_up(n, tile.n))},
                 {"k", text(round_up(k, step))},
                 {"sms", text(target.sms)},
                 {"cluster", text(cluster)},
                 {"tile_m", text(tile.m)},
                 {"tile_n", text(tile.n)},
                 {"stages", text(stages_of(tile))}}};
  if (count > 1) {
    how.params.emplace_back("batch", text(count));
  }
  return {std::move(how), static_cast<double>(count) * flops_of(m, n, k)};
}

constexpr std::uint64_t kLargestMma = 131072;  // side of a product of gemm-mma and gemm-pipelined

/// In FP16, on the tensor cores of Volta or Turing.
KernelForm pipelined_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  if (std::max({m, n, k}) > kLargestMma || target.compute_capability < "7.0") {
    return roofline_product("fp16_tensor", 1, 2, m, n, k);
  }
  const bool is_turing = target.compute_capability == "7.5";
  return {Simulated{is_turing ? "gemm-turing" : "gemm-hmma-volta",
                    {{"m", text(round_up(m, 128))},
                     {"n", text(round_up(n, is_turing ? 256 : 128))},
                     {"k", text(round_up(k, 32))}}},
          flops_of(m, n, k)};
}

/// On an A100 profilers show cuBLAS with tiles of 128 x 256 and three stages of 64 (gemm_bf16.trace says where), which
/// GPUs with less shared memory do not hold.
KernelForm mma_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  if (std::max({m, n, k}) > kLargestMma) {
    return roofline_product("bf16_tensor", 1, 2, m, n, k);
  }
  const Tile& largest = kA100Tiles.front();
  if (target.compute_capability == "8.0" && best_tile(kA100Tiles, target, m, n).n == largest.n) {
    return {
        Simulated{
            "gemm-bf16",
            {{"m", text(round_up(m, largest.m))}, {"n", text(round_up(n, largest.n))}, {"k", text(round_up(k, 64))}}},
        flops_of(m, n, k)};
  }
  const std::uint64_t tile = m < 128 ? 64 : 128;
  return {Simulated{"gemm-mma",
                    {{"m", text(round_up(m, tile))},
                     {"n", text(round_up(n, 128))},
                     {"k", text(round_up(k, 32))},
                     {"tile_m", text(tile)}}},
          flops_of(m, n, k)};
}

/// On the data centre's Blackwell, whose tensor cores work from memory of their own (tcgen05), which no kernel of the
/// library does. Tiles of 128 rows fill the SMs in turns; few of them are split over the depth, as cuBLAS does. 77.6 %
/// of the peak is what the best of many shapes reached on B200 (1,745 of 2,250 TFLOP/s, ml-engineering's search for the
/// most that products achieve).
KernelForm tcgen05_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  constexpr std::array<Tile, 3> kTiles{{{128, 256}, {128, 128}, {128, 64}}};
  constexpr std::uint64_t kLeastDepth = 1024;
  constexpr double kReach = 0.776;
  if (m < kTiles.front().m) {  // few rows wait for the weights
    return roofline_product("bf16_tensor", kReach, 2, m, n, k);
  }
  const Tile tile = best_tile(kTiles, target, m, n);
  const std::uint64_t tiles = tiles_of(tile, m, n);
  const std::uint64_t splits = std::max<std::uint64_t>(1, std::min<std::uint64_t>(target.sms / tiles, k / kLeastDepth));
  const std::uint64_t turns = round_up(tiles * splits, target.sms) / target.sms;
  const double places = static_cast<double>(turns * target.sms) / static_cast<double>(splits);  // for whole tiles
  const double used = volume(m, n) / (places * volume(tile.m, tile.n));
  return roofline_product("bf16_tensor", kReach * used, 2, m, n, k);
}

KernelForm fp32_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const bool is_multistage = is_ampere_or_later(target);
  if (std::max({m, n, k}) > (is_multistage ? kLargestMultistage : kLargestTiled)) {
    return roofline_product("fp32", 1, 4, m, n, k);
  }
  return is_multistage ? multistage_product(target, m, n, k) : tiled_product(target, m, n, k);
}

/// TF32 on the tensor cores: elements are twice as wide as those of BF16, and an instruction is half as deep for the
/// same time. So a product reads as many bytes, and takes as many instructions and as long, as one of BF16 of twice the
/// depth; only the result is wider. `reach`: of the roofline, where the library has no kernel.
KernelForm tf32_product(const Target& target, double reach, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  if (!is_ampere_or_later(target)) {
    return fp32_product(target, m, n, k);
  }
  const bool has_kernel = reach == 1 && !has_tcgen05(target);
  if (!has_kernel) {
    return roofline_product("tf32_tensor", reach, 4, m, n, k);
  }
  KernelForm form = target.compute_capability == "9.0" ? hopper_product("gemm-wgmma", 64, target, m, n, 2 * k)
                                                       : mma_product(target, m, n, 2 * k);
  form.flops = flops_of(m, n, k);
  return form;
}

/// A matrix times a vector: what a product of one row is.
KernelForm gemv(std::uint64_t n, std::uint64_t k) {
  return {Simulated{"gemv", {{"m", text(round_up(n, 4))}, {"k", text(round_up(k, 1024))}}}, flops_of(1, n, k)};
}

double attention_flops(const AttentionShape& shape) {
  const std::uint64_t keys = shape.keys == 0 ? shape.sequence : shape.keys;
  const double pairs = volume(shape.sequence, keys);
  return 4.0 * volume(shape.batch, shape.heads, shape.head_size) * pairs / (shape.causal ? 2 : 1);
}

/// A FlashAttention of the library: the heads' widths that it has, whether query heads may share keys and values, and
/// whether scores get a bias for each key.
struct FlashKernel {
  const char* name;
  std::span<const std::uint64_t> widths;
  bool shares;
  bool has_bias = false;
};
constexpr std::array<std::uint64_t, 2> kFewWidths{64, 128};
constexpr std::array<std::uint64_t, 4> kWidths{64, 96, 128, 256};
/// llm-foundry adds the mask of padding, or ALiBi, as a bias for each key (MPTModel._attn_bias; a "vector" in
/// flash_attn_triton.py).
constexpr FlashKernel kFlash1{"flash-attention-1", kFewWidths, false, true};
constexpr FlashKernel kFlash1Backward{"flash-attention-1-backward", kFewWidths, false, true};
constexpr FlashKernel kFlash2{"flash-attention-2", kWidths, true};
constexpr FlashKernel kFlash2Backward{"flash-attention-2-backward", kFewWidths, false};
constexpr FlashKernel kFlash3{"flash-attention-3", kWidths, true};

/// Heads of a width that the kernel does not have are so many of 128 as have the same features in all.
Simulated flash_attention(const FlashKernel& kernel, const AttentionShape& shape) {
  constexpr std::uint64_t kUsual = 128;
  const bool has_width = std::ranges::find(kernel.widths, shape.head_size) != kernel.widths.end();
  const std::uint64_t heads =
      has_width ? shape.heads : std::max<std::uint64_t>(1, shape.heads * shape.head_size / kUsual);
  Simulated out{kernel.name,
                {{"batch", text(shape.batch)},
                 {"heads", text(heads)},
                 {"seq", text(round_up(shape.sequence, 128))},
                 {"d", text(has_width ? shape.head_size : kUsual)},
                 {"causal", shape.causal ? "yes" : "no"}}};
  if (kernel.shares && has_width && shape.kv_heads < heads && heads % shape.kv_heads == 0) {
    out.params.emplace_back("group", text(heads / shape.kv_heads));
  }
  if (shape.keys != 0 && shape.keys != shape.sequence) {
    out.params.emplace_back("kv", text(shape.keys));
  }
  if (kernel.has_bias) {
    out.params.emplace_back("bias", "yes");
  }
  return out;
}

/// Parameters of a kernel that computes a function of each element.
Parameters activation_parameters(double elements, Precision precision) {
  constexpr std::uint64_t kRow = 1024;  // any: only their product counts
  const auto rows = static_cast<std::uint64_t>(std::ceil(elements / static_cast<double>(kRow)));
  return {{"rows", text(std::max<std::uint64_t>(rows, 1))},
          {"columns", text(kRow)},
          {"type", precision == Precision::kBf16 ? "bf16" : "f32"},
          {"threads", "128"}};
}

/// Whether an SM's registers hold a CTA of the library's sum and norm.
bool fits_registers(std::uint64_t columns, std::uint64_t threads) {
  constexpr std::uint64_t kRegisters = 65536;
  constexpr std::uint64_t kOthers = 22;
  constexpr std::uint64_t kMostElements = 64;  // elements of a thread
  const std::uint64_t elements = (columns + threads - 1) / threads;
  return elements <= kMostElements && round_up(kOthers + 2 * elements, 8) * threads <= kRegisters;
}

/// Threads that share a row evenly, each with whole accesses of `vector` elements, 16 or more; else those that have
/// about 16 elements of a longer row. 0: the registers do not hold it.
std::uint64_t threads_of_row(std::uint64_t columns, std::uint64_t vector) {
  constexpr std::uint64_t kFewest = 64;
  constexpr std::uint64_t kElements = 16;
  const auto usual = std::clamp<std::uint64_t>(std::bit_floor(columns / kElements), kFewest, 1024);
  for (std::uint64_t threads = usual; threads >= kFewest; threads /= 2) {
    if (columns % (threads * vector) == 0 && fits_registers(columns, threads)) {
      return threads;
    }
  }
  return fits_registers(round_up(columns, usual * vector), usual) ? usual : 0;
}

}  // namespace

KernelForm from_cold_caches(KernelForm form) {
  if (auto* const simulated = std::get_if<Simulated>(&form.how)) {
    simulated->is_cold = true;
  }
  return form;
}

KernelForm moving(double bytes) {
  constexpr double kBytesPerElement = 8;
  constexpr std::uint64_t kStep = 128;
  constexpr double kMostElements = 4294967296;
  if (bytes > kMostElements * kBytesPerElement) {
    return {Roofline{0, bytes, "fp32", kCopyReach}, 0};
  }
  const auto elements = static_cast<std::uint64_t>(std::ceil(bytes / kBytesPerElement));
  return {Simulated{"copy", {{"n", text(round_up(std::max<std::uint64_t>(elements, 1), kStep))}, {"threads", "128"}}},
          0};
}

KernelForm mixed(Mixed function, double elements) {
  constexpr std::array<const char*, 3> kNames{"cast-mixed", "add-mixed", "multiply-mixed"};
  constexpr std::uint64_t kStep = 512;
  const auto count = static_cast<std::uint64_t>(std::ceil(elements));
  return {Simulated{kNames[static_cast<std::size_t>(function)],
                    {{"n", text(round_up(std::max<std::uint64_t>(count, 1), kStep))}}},
          0};
}

KernelForm strided(Strided function, const StridedShape& shape, Precision precision) {
  constexpr std::array<const char*, 6> kNames{"multiply-strided", "add-layouts",  "negate-strided",
                                              "repeat-heads",     "multiply-row", "multiply-row-scale"};
  Parameters values{{"tokens", text(shape.tokens)},
                    {"heads", text(shape.heads)},
                    {"d", text(round_up(shape.head_size, 32))},
                    {"type", precision == Precision::kBf16 ? "bf16" : "f32"}};
  if (function == Strided::kRepeat) {
    values.emplace_back("groups", text(shape.groups));
  }
  return {Simulated{kNames[static_cast<std::size_t>(function)], std::move(values)}, 0};
}

KernelForm concatenation(const Target& target, std::uint64_t rows, std::uint64_t first, std::uint64_t second,
                         Precision precision) {
  return {Simulated{"concatenate",
                    {{"rows", text(rows)},
                     {"first", text(first)},
                     {"second", text(second)},
                     {"sms", text(target.sms)},
                     {"type", precision == Precision::kBf16 ? "bf16" : "f32"}}},
          0};
}

KernelForm row_mean(std::uint64_t rows, std::uint64_t columns) {
  return {Simulated{"row-mean", {{"rows", text(round_up(rows, 16))}, {"columns", text(round_up(columns, 128))}}}, 0};
}

KernelForm silu(double elements, Precision precision) {
  return {Simulated{"silu", activation_parameters(elements, precision)}, 0};
}

KernelForm gelu(double elements, Precision precision) {
  Parameters values = activation_parameters(elements, precision);
  values.emplace_back("function", "erf");
  return {Simulated{"gelu", std::move(values)}, 0};
}

/// Rows of up to 1,024 elements have a warp each, longer ones a CTA that keeps its row in registers (softmax.trace). A
/// row that is longer still is read for its maximum, for its sum, and for the result.
KernelForm softmax(std::uint64_t rows, std::uint64_t columns, Precision precision) {
  constexpr std::uint64_t kRowOfWarp = 1024;
  constexpr std::uint64_t kRowOfCta = 16384;
  constexpr std::uint64_t kRowsOfCta = 4;
  if (columns > kRowOfCta) {
    constexpr double kPasses = 4;
    const double width = precision == Precision::kBf16 ? 2 : 4;
    return moving(kPasses * width * static_cast<double>(rows) * static_cast<double>(columns));
  }
  const bool is_short = columns <= kRowOfWarp;
  const std::uint64_t threads = is_short ? 32 : 1024;
  return {Simulated{"softmax",
                    {{"rows", text(round_up(rows, kRowsOfCta))},
                     {"columns", text(round_up(columns, threads))},
                     {"type", precision == Precision::kBf16 ? "bf16" : "f32"},
                     {"threads", text(threads)},
                     {"width", "1"},
                     {"rows_a_cta", text(is_short ? kRowsOfCta : 1)},
                     {"math", "ieee"},
                     {"combine", "first"},
                     {"checked", "yes"}}},
          0};
}

KernelForm lookup(std::uint64_t rows, std::uint64_t columns, std::uint64_t table, Precision precision) {
  constexpr std::uint64_t kLeastTable = 64;
  constexpr std::uint64_t kMostTable = 4194304;
  return {Simulated{"embedding",
                    {{"tokens", text(round_up(rows, 4))},
                     {"vocab", text(std::clamp(table, kLeastTable, kMostTable))},
                     {"d", text(round_up(columns, 256))},
                     {"type", precision == Precision::kBf16 ? "bf16" : "f32"}}},
          0};
}

/// The parts of the rows are those that PyTorch's setReduceConfig takes: as many CTAs as the GPU holds, but at least 16
/// and at most 256 values a thread.
KernelForm column_sum(const Target& target, std::uint64_t rows, std::uint64_t columns, Precision precision) {
  constexpr std::uint64_t kColumns = 128;  // columns of a CTA
  constexpr std::uint64_t kWarps = 4;
  constexpr std::uint64_t kCtasOfSm = 16;
  const std::uint64_t groups = (columns + kColumns - 1) / kColumns;
  const std::uint64_t wanted = (kCtasOfSm * target.sms + groups - 1) / groups;
  const std::uint64_t most = std::max<std::uint64_t>(1, rows / (16 * kWarps));
  const std::uint64_t least = (rows + 256 * kWarps - 1) / (256 * kWarps);
  const std::uint64_t splits = std::max<std::uint64_t>({std::min(wanted, most), least, 2});
  return {Simulated{"column-sum",
                    {{"rows", text(round_up(rows, 16 * splits))},
                     {"columns", text(groups * kColumns)},
                     {"splits", text(splits)},
                     {"type", precision == Precision::kBf16 ? "bf16" : "f32"}}},
          0};
}

KernelForm norm_weight_gradient(std::uint64_t rows, std::uint64_t columns) {
  return {Simulated{"norm-weight-gradient",
                    {{"rows", text(round_up(rows, 256))}, {"columns", text(round_up(columns, 32))}}},
          0};
}

KernelForm product(const Target& target, Precision precision, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const std::uint64_t step = precision == Precision::kBf16 ? 8 : 4;  // elements of 16 bytes
  // 119 TFLOP/s of 989 are what an H100 reaches with n = 50257 (tests/validation/silicon/h100, GPT-2 of batch 8).
  constexpr double kUnalignedReach = 0.12;
  constexpr std::uint64_t kFewRows = 64;  // those of a decode step are padded
  const bool is_aligned = n % step == 0 && k % step == 0 && (m % step == 0 || m <= kFewRows);
  if (precision == Precision::kFp32) {
    return fp32_product(target, m, n, k);
  }
  if (precision == Precision::kTf32) {
    // Elements that are copied one at a time take as long for half of the peak: 126 TFLOP/s of 494 on an H200.
    return tf32_product(target, is_aligned ? 1 : 2 * kUnalignedReach, m, n, k);
  }
  if (m == 1) {
    return gemv(n, k);
  }
  if (!is_aligned) {
    return roofline_product(is_ampere_or_later(target) ? "bf16_tensor" : "fp16_tensor", kUnalignedReach, 2, m, n, k);
  }
  if (target.compute_capability == "9.0") {
    return hopper_product("gemm-wgmma", 64, target, m, n, k);
  }
  if (has_tcgen05(target)) {
    return tcgen05_product(target, m, n, k);
  }
  return is_ampere_or_later(target) ? mma_product(target, m, n, k) : pipelined_product(target, m, n, k);
}

bool differs_by_year(const Target& target) {
  return target.compute_capability == "9.0";
}

KernelForm batched_product(const Target& target, Precision precision, std::uint64_t count, std::uint64_t m,
                           std::uint64_t n, std::uint64_t k) {
  constexpr std::uint64_t kTile = 128;
  constexpr std::uint64_t kMostOfGrid = 65535;
  const bool has_kernel = is_ampere_or_later(target) && count <= kMostOfGrid;
  if (precision == Precision::kFp32 || (precision == Precision::kTf32 && !has_kernel)) {
    const bool is_fp32 = precision == Precision::kFp32 || !is_ampere_or_later(target);
    return roofline_product(is_fp32 ? "fp32" : "tf32_tensor", 1, 4, m, n, k, count);
  }
  if (!has_kernel) {
    return roofline_product(is_ampere_or_later(target) ? "bf16_tensor" : "fp16_tensor", 1, 2, m, n, k, count);
  }
  const std::uint64_t depth = precision == Precision::kTf32 ? 2 * k : k;  // as tf32_product() says
  const double flops = static_cast<double>(count) * flops_of(m, n, k);
  if (target.compute_capability == "9.0") {
    KernelForm form = hopper_product("gemm-wgmma", 64, target, m, n, depth, count);
    form.flops = flops;
    return form;
  }
  const std::uint64_t columns = n <= kTile / 2 ? kTile / 2 : kTile;
  return {Simulated{"gemm-mma",
                    {{"m", text(round_up(m, kTile))},
                     {"n", text(round_up(n, columns))},
                     {"k", text(round_up(depth, 32))},
                     {"batch", text(count)},
                     {"tile_n", text(columns)}}},
          flops};
}

KernelForm fp8_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  if (m == 1) {  // each weight is read once: as many bytes as a product in BF16 of half the depth
    KernelForm form = gemv(n, (k + 1) / 2);
    form.flops = flops_of(m, n, k);
    return form;
  }
  if (target.compute_capability == "9.0") {
    return hopper_product("gemm-fp8", 128, target, m, n, k);
  }
  const bool has_mma = target.compute_capability == "8.9" || target.compute_capability == "12.0";
  if (has_mma && std::max({m, n, k}) <= kLargestMma) {
    return {Simulated{"gemm-mma-fp8",
                      {{"m", text(round_up(m, 128))}, {"n", text(round_up(n, 128))}, {"k", text(round_up(k, 64))}}},
            flops_of(m, n, k)};
  }
  const double flops = flops_of(m, n, k);
  return {Roofline{flops, elements_of(m, n, k) + volume(m, n), "fp8_tensor", 1}, flops};
}

KernelForm attention(const Target& target, const AttentionShape& shape, Flash version) {
  const FlashKernel& newest = target.compute_capability == "9.0" ? kFlash3 : kFlash2;
  const FlashKernel& kernel = version == Flash::kNewest ? newest : version == Flash::kFirst ? kFlash1 : kFlash2;
  return {flash_attention(kernel, shape), attention_flops(shape)};
}

bool has_flash_attention(const Target& target) {
  return is_ampere_or_later(target);
}

bool has_bf16(const Target& target) {
  return is_ampere_or_later(target);
}

bool keeps_scores(const Request& request) {
  return request.attention == Attention::kScores || !has_flash_attention(request.target);
}

KernelForm attention_backward(const Target& target, const AttentionShape& shape, Flash version) {
  constexpr double kBackward = 2.5;  // five products in place of two
  // CTAs of the library's kernel take 144 KiB of shared memory and more. The smaller tiles that others have are not in
  // the library; on an A100 the backward pass reaches 63 % of the peak (Dao 2023, arXiv 2307.08691, section 4.1).
  constexpr std::array<std::string_view, 3> kSmallSharedMemory{"8.6", "8.9", "12.0"};
  constexpr double kReach = 0.63;
  if (std::ranges::find(kSmallSharedMemory, target.compute_capability) != kSmallSharedMemory.end()) {
    constexpr double kBytes = 8 * 2;  // Q, K, V, O, dO, dQ, dK and dV, two bytes each
    const double flops = kBackward * attention_flops(shape);
    const double elements = volume(shape.batch, shape.heads, shape.head_size, shape.sequence);
    return {Roofline{flops, kBytes * elements, "bf16_tensor", kReach}, flops};
  }
  const FlashKernel& kernel = version == Flash::kFirst ? kFlash1Backward : kFlash2Backward;
  return {flash_attention(kernel, shape), kBackward * attention_flops(shape)};
}

/// fmha_cutlassF_f32 and fmha_cutlassB_f32 are in no trace of the library. On an H200 BERT-large's take 107 us forward
/// and 195 us backward for 32 sequences of 128 tokens (tests/validation/silicon/h200): these shares of the peak of its
/// CUDA cores. They multiply on tensor cores, each product as three of TF32; that they take as long for a FLOP on other
/// GPUs and shapes is a guess.
KernelForm wide_attention(const AttentionShape& shape, bool backward) {
  constexpr double kForwardReach = 0.30;
  constexpr double kBackwardReach = 0.41;
  constexpr double kBackward = 2.5;
  const double flops = (backward ? kBackward : 1) * attention_flops(shape);
  const double elements = volume(shape.batch, shape.heads, shape.head_size, shape.sequence);
  const double bytes = (backward ? 8 : 4) * 4 * elements;
  return {Roofline{flops, bytes, "fp32", backward ? kBackwardReach : kForwardReach}, flops};
}

KernelForm attention_decode(const AttentionShape& shape) {
  const std::uint64_t splits = std::clamp<std::uint64_t>(shape.sequence / 512, 1, 8);
  const std::uint64_t size = shape.head_size <= 64 ? 64 : shape.head_size <= 128 ? 128 : 256;
  const std::uint64_t sharing = std::clamp<std::uint64_t>(shape.heads / shape.kv_heads, 1, 16);
  return {Simulated{"attention-decode",
                    {{"batch", text(shape.batch)},
                     {"kv_heads", text(shape.kv_heads)},
                     {"group", text(sharing <= 8 ? sharing : sharing / 2 * 2)},
                     {"length", text(round_up(shape.sequence, splits * 256))},
                     {"splits", text(splits)},
                     {"d", text(size)},
                     {"type", "bf16"}}},
          4.0 * volume(shape.batch, shape.heads, shape.head_size, shape.sequence)};
}

KernelForm calculating(const Target& target, double bytes, double instructions) {
  // V100, T4 and A100 have 64 lanes of FP32.
  const bool has_few_lanes = target.compute_capability.size() == 3 && target.compute_capability < "8.6";
  return {Roofline{0, bytes, "fp32", kCopyReach, instructions / (has_few_lanes ? 64 : 128)}, 0};
}

KernelForm fused_adam(const Target& target, double bytes) {
  // PyTorch launches 320 CTAs, each with as many elements, and again for the rest. SMs that have one more than others
  // go on alone, at 38 GB/s each: on an H200 28 bytes each of 1,236 M parameters take 9,877 us. For other
  // GPUs the rate is a guess.
  constexpr std::uint64_t kCtas = 320;
  constexpr double kOfSm = 38e9;
  const double alone = static_cast<double>(kCtas % target.sms);
  const double part = alone / static_cast<double>(kCtas);
  const double all = kCopyReach * target.dram;
  const double slower = alone == 0 ? 1 : std::max(1.0, all / (alone * kOfSm));
  return {Roofline{0, bytes, "fp32", kCopyReach / (1 - part + part * slower)}, 0};
}

KernelForm layer_norm(std::uint64_t rows, std::uint64_t columns, bool centre, Precision precision) {
  return {Simulated{"layer-norm-welford",
                    {{"rows", text(rows)},
                     {"columns", text(round_up(columns, 512))},
                     {"type", precision == Precision::kBf16 ? "bf16" : "f32"},
                     {"centre", centre ? "yes" : "no"}}},
          0};
}

KernelForm added_norm(std::uint64_t rows, std::uint64_t columns, bool centre, Precision precision) {
  const bool is_narrow = precision == Precision::kBf16;
  const std::uint64_t vector = is_narrow ? 8 : 4;  // elements of an access
  const std::uint64_t threads = threads_of_row(columns, vector);
  if (threads == 0) {
    return layer_norm(rows, columns, centre, precision);
  }
  return {Simulated{"layer-norm",
                    {{"rows", text(rows)},
                     {"columns", text(round_up(columns, threads * vector))},
                     {"type", is_narrow ? "bf16" : "f32"},
                     {"centre", centre ? "yes" : "no"},
                     {"residual", "yes"},
                     {"threads", text(threads)}}},
          0};
}

}  // namespace gpusim::generate
