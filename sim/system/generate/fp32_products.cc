// SPDX-License-Identifier: MIT
#include "sim/system/generate/fp32_products.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "sim/base/rounding.h"
#include "sim/system/generate/tiles.h"

namespace gpusim::generate {

using application::Simulated;

namespace {

struct SgemmTile {
  Tile size;
  std::uint64_t stages;
  std::uint64_t resident;  ///< CTAs that the registers of an SM hold
  double alone = 1;        ///< how much slower one is where an SM has no other
};
constexpr std::uint64_t kStepDepth = 8;  // depth of a step

/// Tiles that profilers show in steps of GPT-2 and BERT-large on an H200 (tests/validation/silicon):
/// cutlass_80_simt_sgemm with 256x128_8x4 and 128x256_8x4, sm80_xmma_gemm_f32f32 with tilesize128x128x8_stage3 and
/// 128x64x8; 64x64x8 on an H100 (NeuSight). Four warps and fewer alone on an SM take a tenth longer, a guess.
constexpr double kFewWarps = 1.1;
constexpr std::array<SgemmTile, 5> kMultistageTiles{{{{256, 128}, 4, 1},
                                                     {{128, 256}, 4, 1},
                                                     {{128, 128}, 3, 2, kFewWarps},
                                                     {{128, 64}, 3, 4, kFewWarps},
                                                     {{64, 64}, 3, 8, kFewWarps}}};
/// volta_sgemm_128x128_tn has 256 threads.
constexpr std::array<SgemmTile, 1> kVoltaTiles{{{{128, 128}, 2, 2}}};

struct SgemmShape {
  std::uint64_t m;
  std::uint64_t n;
  std::uint64_t k;
};

struct SgemmPlan {
  SgemmTile tile;
  std::uint64_t splits;
};

double planes_of(const SgemmShape& shape, std::uint64_t splits) {
  return static_cast<double>(splits) * static_cast<double>(shape.m) * static_cast<double>(shape.n);
}

/// Whether the parts go through the workspace: BERT-large's gradients of 1,024 x 1,024 in 4 parts, and GPT-2's of 768 x
/// 768 in 7, are followed by splitKreduce_kernel on an H200, and larger ones are not, but are as quick as parts make
/// them.
bool has_reduction(const Target& target, const SgemmShape& shape, std::uint64_t splits) {
  return splits > 1 && sizeof(float) * planes_of(shape, splits) <= static_cast<double>(target.workspace_bytes);
}

/// Tiles that the busiest SM does. Two CTAs of an SM end together, and the next two take their places, which other SMs
/// may lack; small ones end one by one.
std::uint64_t tiles_of_sm(const SgemmTile& tile, std::uint64_t tiles, std::uint64_t sms) {
  const std::uint64_t share = ceil_divide(tiles, sms);
  return tile.resident == 2 && share > 1 ? round_up(tiles, 2 * sms) / sms : share;
}

/// Multiplications of the busiest SM, with what else takes as long. What the tiles reach of the peak on an H100 when
/// simulated (79, 78, 75 and 69 %) is as if they had so many rows and columns more; to begin and to end takes as long
/// as so much depth, a guess; four warps alone on an SM are slower. An element of a sum of parts takes as long as 40
/// multiplications of an SM: splitKreduce_kernel takes 5.0 us for four planes of 1,024 x 1,024 on an H200, in which an
/// SM does 32,000 of such elements, and 128 multiplications a cycle.
double cost_of(const Target& target, const SgemmShape& shape, const SgemmPlan& plan) {
  constexpr double kOverhead = 8;
  constexpr double kDepth = 48;
  constexpr double kSum = 40;
  const Tile& size = plan.tile.size;
  const std::uint64_t tiles = tiles_of_sm(plan.tile, plan.splits * tiles_of(size, shape.m, shape.n), target.sms);
  const double depth = static_cast<double>(shape.k) / static_cast<double>(plan.splits);
  const double work = static_cast<double>(tiles) * (static_cast<double>(size.m) + kOverhead) *
                      (static_cast<double>(size.n) + kOverhead) * (depth + kDepth);
  const double sums = has_reduction(target, shape, plan.splits) ? planes_of(shape, plan.splits) / target.sms : 0;
  return (tiles == 1 ? plan.tile.alone : 1) * work + kSum * sums;
}

/// The first of equals: the largest tile, in the fewest parts. cuBLAS's grids show parts that fill the SMs so, on V100,
/// T4 and L4 as well: 192 tiles in 5 parts are 6 full turns of a V100, 12 of a T4, and in 9 parts 14.9 of an L4
/// (NeuSight).
SgemmPlan best_plan(std::span<const SgemmTile> tiles, const Target& target, const SgemmShape& shape) {
  constexpr std::uint64_t kMostParts = 16;    // a guess
  constexpr std::uint64_t kLeastDepth = 128;  // what a part has at least, a guess
  SgemmPlan best{tiles.front(), 1};
  double least = cost_of(target, shape, best);
  for (const SgemmTile& tile : tiles) {
    for (std::uint64_t splits = 1; splits == 1 || (splits <= kMostParts && shape.k / splits >= kLeastDepth); ++splits) {
      if (round_up(shape.k, kStepDepth * splits) > kLargestMultistage) {
        continue;
      }
      const SgemmPlan plan{tile, splits};
      if (const double cost = cost_of(target, shape, plan); cost < least) {
        best = plan;
        least = cost;
      }
    }
  }
  return best;
}

KernelForm sgemm_form(const Target& target, const SgemmShape& shape, std::uint64_t splits, Simulated how) {
  KernelForm form{std::move(how),
                  2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k)};
  if (has_reduction(target, shape, splits)) {
    form.then =
        Simulated{"split-k-reduce",
                  {{"m", std::to_string(shape.m)}, {"n", std::to_string(shape.n)}, {"splits", std::to_string(splits)}}};
  }
  return form;
}

}  // namespace

KernelForm multistage_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const SgemmShape shape{m, n, k};
  const auto [tile, splits] = best_plan(kMultistageTiles, target, shape);
  return sgemm_form(target, shape, splits,
                    {"sgemm-multistage",
                     {{"m", std::to_string(round_up(m, tile.size.m))},
                      {"n", std::to_string(round_up(n, tile.size.n))},
                      {"k", std::to_string(round_up(k, kStepDepth * splits))},
                      {"splits", std::to_string(splits)},
                      {"tile_m", std::to_string(tile.size.m)},
                      {"tile_n", std::to_string(tile.size.n)},
                      {"stages", std::to_string(tile.stages)}}});
}

KernelForm tiled_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const SgemmShape shape{m, n, k};
  const SgemmPlan best = best_plan(kVoltaTiles, target, shape);
  const std::uint64_t rows = round_up(m, best.tile.size.m);
  const std::uint64_t splits = std::min(best.splits, kLargestTiled / rows);
  return sgemm_form(target, shape, splits,
                    {"sgemm-tiled",
                     {{"m", std::to_string(splits * rows)},
                      {"n", std::to_string(round_up(n, best.tile.size.n))},
                      {"k", std::to_string(round_up(k, kStepDepth * splits) / splits)}}});
}

}  // namespace gpusim::generate
