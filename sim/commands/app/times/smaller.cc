// SPDX-License-Identifier: MIT
#include "sim/commands/app/times/smaller.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <utility>

#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace gpusim::app {
namespace {

/// How much of a kernel is to be simulated.
struct Budget {
  double share = 1;        ///< share of the work
  std::int64_t sms = 1;    ///< that it fills all the same
  std::int64_t slots = 1;  ///< CTAs that these hold
};

/// Work of both forms, of the larger one's.
constexpr double kBothForms = 1.5;

std::int64_t value_of(const trace::Trace& trace, std::string_view name, std::int64_t otherwise = 1) {
  const auto found = std::ranges::find(trace.parameters, name, &trace::Parameter::name);
  return found == trace.parameters.end() ? otherwise : found->value;
}

std::int64_t divided_up(std::int64_t value, std::int64_t by) {
  return (value + by - 1) / by;
}

void add_to_note(SmallerForms& forms, const ParameterValues::value_type& value) {
  forms.note += (forms.note.empty() ? "" : ", ") + value.first + " = " + std::to_string(value.second);
}

/// Two forms of a kernel whose time is linear in `parameter`, of which a turn of its loop takes `step` and the kernel
/// has `whole`: the smaller makes `turns` of them, the larger twice as many. False, and the forms as they were, for a
/// kernel that makes no more.
bool shorten(SmallerForms& forms, std::int64_t whole, const std::string& parameter, std::int64_t step,
             std::int64_t turns) {
  if (2 * turns >= whole) {
    return false;
  }
  forms.larger.emplace_back(parameter, 2 * turns * step);
  forms.smaller.emplace_back(parameter, turns * step);
  forms.rest = static_cast<double>(whole - 2 * turns) / static_cast<double>(turns);
  add_to_note(forms, forms.larger.back());
  return true;
}

bool shorten(SmallerForms& forms, const trace::Trace& trace, const std::string& parameter, std::int64_t step,
             std::int64_t turns) {
  return shorten(forms, value_of(trace, parameter) / step, parameter, step, turns);
}

/// Both forms have this value.
void keep(SmallerForms& forms, const std::string& parameter, std::int64_t value) {
  forms.larger.emplace_back(parameter, value);
  forms.smaller.emplace_back(parameter, value);
  add_to_note(forms, forms.larger.back());
}

/// Whether forms of less depth, or of the whole one (then there is no rest), are less work than the whole.
bool worth_it(const SmallerForms& forms) {
  const bool is_shallow = forms.rest == 0;
  const double larger = is_shallow ? 1 : 2 / (forms.rest + 2);  // its depth, of the whole's
  return (is_shallow ? 1 : kBothForms) * larger < forms.scale;
}

/// The forms of a product with less depth as well, on which the time of a tile depends linearly: 2,048 and 1,024.
/// nullopt where both together are no less work than the whole.
std::optional<SmallerForms> with_less_depth(SmallerForms forms, const trace::Trace& trace) {
  constexpr std::int64_t kStep = 64;      // whole steps of the depth, of any tile
  constexpr std::int64_t kFewSteps = 16;  // as many as a ring has stages, at most
  if (!shorten(forms, trace, "k", kStep, kFewSteps)) {
    keep(forms, "k", value_of(trace, "k"));
  }
  return worth_it(forms) ? std::optional(std::move(forms)) : std::nullopt;
}

/// The tiles of a product, and in which order they are done.
struct Tiling {
  std::int64_t tile_m = 1;
  std::int64_t tile_n = 1;
  std::int64_t rows = 1;     ///< rows of tiles
  std::int64_t columns = 1;  ///< columns of tiles
  std::int64_t band = 1;     ///< rows that are done column by column before the next ones begin
  std::int64_t slots = 1;    ///< tiles that are done at a time: a turn
  std::int64_t batch = 1;    ///< products side by side, or parts of the depth, each of so many tiles
};

/// Tiles of this size, with no band: row of tiles by row.
Tiling tiling_of(const trace::Trace& trace, std::int64_t tile_m, std::int64_t tile_n, std::int64_t slots) {
  return {tile_m, tile_n, value_of(trace, "m") / tile_m, value_of(trace, "n") / tile_n, 1, slots};
}

/// The turns that a smaller form makes: together they have some depth, so that the begin counts no more.
std::int64_t few_turns_of(const trace::Trace& trace) {
  constexpr std::int64_t kLeastTurns = 2;
  constexpr std::int64_t kDepth = 4096;
  return std::max(kLeastTurns, divided_up(kDepth, value_of(trace, "k")));
}

/// A few turns of one product, of whole bands, so that tiles done together share what they read as in the whole. The
/// last turn is nearly full: one that is not takes less time and less power.
SmallerForms fewer_tiles(const Tiling& of, std::int64_t few_turns) {
  const std::int64_t columns =
      std::clamp<std::int64_t>(few_turns * of.slots / std::max(of.band, few_turns), 1, of.columns);
  const std::int64_t of_band = of.band * columns;
  const std::int64_t all_bands = std::max<std::int64_t>(1, of.rows / of.band);
  const auto turns_of = [&](std::int64_t tiles) { return divided_up(tiles, of.slots); };
  const auto fullness = [&](std::int64_t bands) {
    const std::int64_t tiles = bands * of_band;
    return static_cast<double>(tiles) / static_cast<double>(turns_of(tiles) * of.slots);
  };
  std::int64_t bands = std::clamp<std::int64_t>(few_turns * of.slots / of_band, 1, all_bands);
  const std::int64_t most = std::min(all_bands, (few_turns + 1) * of.slots / of_band);
  for (std::int64_t more = bands + 1; more <= most; ++more) {
    bands = fullness(more) > fullness(bands) ? more : bands;
  }
  SmallerForms forms;
  forms.scale =
      static_cast<double>(turns_of(of.batch * of.rows * of.columns)) / static_cast<double>(turns_of(bands * of_band));
  if (of.batch > 1) {
    keep(forms, "batch", 1);
  }
  keep(forms, "m", bands * of.band * of.tile_m);
  keep(forms, "n", columns * of.tile_n);
  return forms;
}

/// A few turns, of less depth.
std::optional<SmallerForms> forms_of_tiles(const trace::Trace& trace, const Tiling& of) {
  return with_less_depth(fewer_tiles(of, few_turns_of(trace)), trace);
}

/// Products side by side take as long each: as many as make a few turns, and twice as many.
std::optional<SmallerForms> side_by_side_forms(const trace::Trace& trace, const Tiling& of) {
  SmallerForms forms;
  const std::int64_t products = divided_up(few_turns_of(trace) * of.slots, of.rows * of.columns);
  return shorten(forms, trace, "batch", 1, products) ? std::optional(std::move(forms)) : std::nullopt;
}

/// A product whose CTAs go from tile to tile, down a band of rows and then to the next column. Clusters have as many
/// rows of tiles as CTAs. Small products side by side are counted; large ones are cut as one is.
std::optional<SmallerForms> product_forms(const trace::Trace& trace, const Budget& budget) {
  constexpr std::int64_t kBand = 16;  // clusters of a band, at most (gemm-wgmma.trace)
  const std::int64_t cluster = value_of(trace, "cluster");
  const std::int64_t slots = std::max<std::int64_t>(1, std::min(budget.sms, value_of(trace, "sms")) / cluster);
  Tiling tiling = tiling_of(trace, value_of(trace, "tile_m") * cluster, value_of(trace, "tile_n"), slots);
  tiling.band = std::min(tiling.rows, kBand);
  tiling.batch = value_of(trace, "batch");
  const bool is_large = divided_up(tiling.rows * tiling.columns, slots) > few_turns_of(trace);
  return tiling.batch > 1 && !is_large ? side_by_side_forms(trace, tiling) : forms_of_tiles(trace, tiling);
}

/// A product of which each CTA has one tile, row of tiles by row.
std::optional<SmallerForms> tile_forms(const trace::Trace& trace, const Budget& budget) {
  if (value_of(trace, "batch") > 1 || value_of(trace, "splits") > 1 || value_of(trace, "skew", 0) > 0) {
    return std::nullopt;
  }
  return forms_of_tiles(trace, tiling_of(trace, value_of(trace, "tile_m"), value_of(trace, "tile_n"), budget.slots));
}

/// Parts of the depth of each tile: as many as best fill a few turns.
std::int64_t fewer_parts(const Tiling& of, std::int64_t few_turns) {
  const std::int64_t tiles = of.rows * of.columns;
  const auto fullness = [&](std::int64_t parts) {
    return static_cast<double>(parts * tiles) / static_cast<double>(divided_up(parts * tiles, of.slots) * of.slots);
  };
  std::int64_t best = 1;
  for (std::int64_t parts = 2; parts <= std::min(of.batch, few_turns * of.slots / tiles); ++parts) {
    best = fullness(parts) > fullness(best) ? parts : best;
  }
  return best;
}

/// A product on the CUDA cores, of which each CTA has a tile, or a part of its depth: a turn of tiles, or, of few
/// tiles, `parts` of each. Where an SM holds several small tiles they end one by one: so a turn has one for each SM,
/// and the forms have as many turns as an SM holds.
struct FewerTiles {
  SmallerForms forms;
  std::int64_t parts = 1;
};

FewerTiles fewer_tiles_or_parts(Tiling tiling, const Budget& budget) {
  constexpr std::int64_t kOneByOne = 4;
  constexpr std::int64_t kTurnsOfParts = 2;
  const std::int64_t resident = budget.slots / budget.sms;
  const bool is_small = resident >= kOneByOne;
  const std::int64_t few_turns = is_small ? resident : 1;
  tiling.slots = is_small ? budget.sms : budget.slots;
  const std::int64_t tiles = tiling.rows * tiling.columns;
  const std::int64_t parts = tiles >= tiling.slots ? 1 : fewer_parts(tiling, std::max(few_turns, kTurnsOfParts));
  const auto turns_of = [&](std::int64_t of) { return static_cast<double>(divided_up(of * tiles, tiling.slots)); };
  const double scale = turns_of(tiling.batch) / turns_of(parts);
  FewerTiles out{{}, parts};
  if (parts == 1) {
    tiling.batch = 1;
    out.forms = fewer_tiles(tiling, few_turns);
  }
  out.forms.scale *= scale;
  return out;
}

/// Instructions bind such a product, so a few steps of the depth say enough.
std::optional<SmallerForms> fp32_tile_forms(const trace::Trace& trace, const Budget& budget) {
  constexpr std::int64_t kTile = 128;   // the only tile of sgemm_tiled
  constexpr std::int64_t kDepth = 128;  // 16 steps
  Tiling tiling = tiling_of(trace, value_of(trace, "tile_m", kTile), value_of(trace, "tile_n", kTile), budget.slots);
  tiling.batch = value_of(trace, "splits");
  auto [forms, parts] = fewer_tiles_or_parts(tiling, budget);
  if (tiling.batch > 1) {
    keep(forms, "splits", parts);
  }
  const std::int64_t depth = value_of(trace, "k") / tiling.batch;
  if (shorten(forms, depth / kDepth, "k", kDepth * parts, 1)) {
    forms.rest = static_cast<double>(depth - 2 * kDepth) / static_cast<double>(kDepth);
  } else {
    keep(forms, "k", depth * parts);
  }
  return worth_it(forms) ? std::optional(std::move(forms)) : std::nullopt;
}

/// A product of which each CTA has a tile of 128 x 256, up to eight rows of tiles at a time (gemm_bf16.trace).
std::optional<SmallerForms> banded_tile_forms(const trace::Trace& trace, const Budget& budget) {
  Tiling tiling = tiling_of(trace, 128, 256, budget.slots);
  tiling.band = std::gcd(tiling.rows, 8);
  return forms_of_tiles(trace, tiling);
}

/// A sum over rows, of which each CTA has a part, or all: fewer rows. The smaller form makes at least `FewTurns` turns:
/// with fewer the begin of the kernel counts too much.
template <std::int64_t RowsOfTurn, std::int64_t FewTurns>
std::optional<SmallerForms> row_sum_forms(const trace::Trace& trace, const Budget& budget) {
  const std::int64_t step = RowsOfTurn * value_of(trace, "splits");
  const std::int64_t turns = value_of(trace, "rows") / step;
  SmallerForms forms;
  if (!shorten(forms, trace, "rows", step,
               std::max(FewTurns, static_cast<std::int64_t>(budget.share * static_cast<double>(turns) / 2)))) {
    return std::nullopt;
  }
  return forms;
}

/// What the CTAs of a head do, in steps of 128 keys; to begin and to end takes about as long as one.
double steps_of_head(std::int64_t ctas, bool is_causal) {
  const auto steps = static_cast<double>(ctas);
  return steps * (1 + (is_causal ? (steps + 1) / 2 : steps));
}

/// Attention takes as long for each head; the heads of all sequences are alike. The smaller form is a wave of CTAs.
/// With a causal mask it is two: CTAs differ in length, and a wave takes as long as the longest, not as their mean.
/// Both forms of long sequences have short ones: a head takes as long as its steps.
std::optional<SmallerForms> attention_forms(const trace::Trace& trace, const Budget& budget) {
  constexpr std::int64_t kRows = 128;  // rows of a CTA
  constexpr std::int64_t kLong = 2048;
  const bool is_causal = value_of(trace, "causal") != 0;
  if (value_of(trace, "queries", 0) != 0 || value_of(trace, "kv", 0) != 0) {
    return std::nullopt;
  }
  const std::int64_t whole_ctas = divided_up(value_of(trace, "seq"), kRows);
  const std::int64_t ctas = std::min(whole_ctas, kLong / kRows);  // CTAs of a head
  const double heads = static_cast<double>(value_of(trace, "batch") * value_of(trace, "heads")) *
                       steps_of_head(whole_ctas, is_causal) / steps_of_head(ctas, is_causal);
  const std::int64_t group = value_of(trace, "group");  // heads that share K and V stay together
  const std::int64_t fill =
      divided_up(std::max<std::int64_t>(1, (is_causal ? 2 : 1) * budget.slots / ctas), group) * group;
  const auto aim = static_cast<std::int64_t>(budget.share * heads);
  const std::int64_t half = std::max<std::int64_t>(1, aim / 2 / fill) * fill;
  if (static_cast<double>(2 * half) * kBothForms >= heads) {
    return std::nullopt;
  }
  SmallerForms forms;
  forms.larger = {{"batch", 1}, {"heads", 2 * half}};
  forms.smaller = {{"batch", 1}, {"heads", half}};
  forms.note = std::to_string(2 * half) + " of " + std::to_string(std::llround(heads)) + " heads";
  if (ctas < whole_ctas) {
    keep(forms, "seq", kLong);
  }
  forms.rest = (heads - static_cast<double>(2 * half)) / static_cast<double>(half);
  return forms;
}

/// A kernel that does the same with each element: as many as fill the GPU several times. The forms are those of any
/// number of elements, so they are simulated once.
std::optional<SmallerForms> element_forms(const trace::Trace& trace, const Budget& budget) {
  constexpr std::int64_t kCtasOfSm = 16;  // CTAs of 128 threads
  constexpr std::int64_t kFewWaves = 4;   // waves of the smaller form: the first fill L2 and write nothing to DRAM
  const auto ctas = static_cast<std::int64_t>(trace.kernels.begin()->ctas());
  const std::int64_t wave = kCtasOfSm * budget.sms;
  const auto aim = static_cast<std::int64_t>(budget.share * static_cast<double>(ctas));
  const std::int64_t half = divided_up(std::max(aim / 2, kFewWaves * wave), wave) * wave;
  SmallerForms forms;
  if (!shorten(forms, trace, "n", divided_up(value_of(trace, "n"), ctas), half)) {
    return std::nullopt;
  }
  return forms;
}

struct Row {
  std::string_view file;  ///< file of the library, without its ending
  std::optional<SmallerForms> (*forms)(const trace::Trace& trace, const Budget& budget);
};
constexpr std::array kRows = std::to_array<Row>({{"copy", element_forms},
                                                 {"elementwise-mixed", element_forms},
                                                 {"gemm-fp8", product_forms},
                                                 {"gemm_bf16", banded_tile_forms},
                                                 {"gemm-mma", tile_forms},
                                                 {"gemm-pipelined", tile_forms},
                                                 {"gemm-wgmma", product_forms},
                                                 {"flashattn", attention_forms},
                                                 {"flash-attention-1", attention_forms},
                                                 {"flash-attention-1-backward", attention_forms},
                                                 {"flash-attention-2", attention_forms},
                                                 {"flash-attention-2-backward", attention_forms},
                                                 {"flash-attention-3", attention_forms},
                                                 {"column-sum", row_sum_forms<16, 8>},
                                                 {"norm-weight-gradient", row_sum_forms<256, 16>},
                                                 {"sgemm-block-tiled", tile_forms},
                                                 {"sgemm-multistage", fp32_tile_forms},
                                                 {"sgemm_tiled", fp32_tile_forms}});

}  // namespace

std::optional<SmallerForms> smaller_forms(const trace::Trace& trace, double work, double target, std::uint32_t sms,
                                          std::uint32_t ctas_of_sm) {
  const std::string file = std::filesystem::path(trace.path).stem().string();
  const auto row = std::ranges::find(kRows, file, &Row::file);
  std::optional<SmallerForms> forms =
      row == kRows.end() ? std::nullopt : row->forms(trace, {target / work, sms, std::int64_t{sms} * ctas_of_sm});
  if (forms) {
    forms->note += ", then in proportion";
  }
  return forms;
}

}  // namespace gpusim::app
