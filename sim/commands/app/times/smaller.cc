// SPDX-License-Identifier: MIT
#include "sim/commands/app/times/smaller.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>

namespace gpusim::app {
namespace {

/// How much of a kernel is to be simulated.
struct Budget {
  double share = 1;      ///< of the work
  std::int64_t sms = 1;  ///< that it fills all the same
};

/// Work of both forms, of the larger one's.
constexpr double kBothForms = 1.5;

std::int64_t value_of(const trace::Trace& trace, std::string_view name) {
  const auto found = std::ranges::find(trace.parameters, name, &trace::Parameter::name);
  return found == trace.parameters.end() ? 1 : found->value;
}

std::int64_t divided_up(std::int64_t value, std::int64_t by) {
  return (value + by - 1) / by;
}

/// A product whose CTAs go from tile to tile: fewer columns, so that each has a few tiles, then less depth, on which
/// the time of a tile depends linearly.
std::optional<SmallerForms> product_forms(const trace::Trace& trace, const Budget& budget) {
  constexpr std::int64_t kStep = 64;        // of the depth
  constexpr std::int64_t kLeastDepth = 16;  // steps; twice as many in the larger form
  constexpr std::int64_t kFewTurns = 2;
  const std::int64_t cluster = value_of(trace, "cluster");
  const std::int64_t groups = value_of(trace, "m") / value_of(trace, "tile_m") / cluster;
  const std::int64_t columns = value_of(trace, "n") / value_of(trace, "tile_n");
  const std::int64_t slots = std::max<std::int64_t>(1, std::min(budget.sms, value_of(trace, "sms")) / cluster);
  const std::int64_t turns = divided_up(groups * columns, slots);
  const std::int64_t kept_columns = std::clamp<std::int64_t>(kFewTurns * slots / groups, 1, columns);
  const std::int64_t kept_turns = divided_up(groups * kept_columns, slots);
  const double share_of_columns = static_cast<double>(kept_columns) / static_cast<double>(columns);
  const std::int64_t depth = value_of(trace, "k") / kStep;
  const auto aim = static_cast<std::int64_t>(budget.share / share_of_columns * static_cast<double>(depth));
  const std::int64_t half = std::min(std::max(kLeastDepth, aim / 2), depth / 2);
  const double kept = share_of_columns * static_cast<double>(2 * half) / static_cast<double>(depth);
  if (half == 0 || kept * kBothForms >= 1) {
    return std::nullopt;
  }
  const std::int64_t n = kept_columns * value_of(trace, "tile_n");
  SmallerForms forms;
  forms.larger = {{"n", n}, {"k", 2 * half * kStep}};
  forms.smaller = {{"n", n}, {"k", half * kStep}};
  forms.rest = static_cast<double>(depth - 2 * half) / static_cast<double>(half);
  forms.scale = static_cast<double>(turns) / static_cast<double>(kept_turns);
  forms.note = "n = " + std::to_string(n) + ", k = " + std::to_string(2 * half * kStep) + ", then in proportion";
  return forms;
}

/// Attention takes as long for each head; the heads of all sequences are alike.
std::optional<SmallerForms> attention_forms(const trace::Trace& trace, const Budget& budget) {
  constexpr std::int64_t kRows = 128;  // of a CTA
  const std::int64_t heads = value_of(trace, "batch") * value_of(trace, "heads");
  const std::int64_t ctas_of_head = divided_up(value_of(trace, "seq"), kRows);
  const std::int64_t fill = divided_up(budget.sms, ctas_of_head);  // heads that give each SM a CTA
  const auto aim = static_cast<std::int64_t>(budget.share * static_cast<double>(heads));
  const std::int64_t half = divided_up(std::max(aim / 2, fill), fill) * fill;
  if (static_cast<double>(2 * half) * kBothForms >= static_cast<double>(heads)) {
    return std::nullopt;
  }
  SmallerForms forms;
  forms.larger = {{"batch", 1}, {"heads", 2 * half}};
  forms.smaller = {{"batch", 1}, {"heads", half}};
  forms.rest = static_cast<double>(heads - 2 * half) / static_cast<double>(half);
  forms.note = std::to_string(2 * half) + " of " + std::to_string(heads) + " heads, then in proportion";
  return forms;
}

struct Row {
  std::string_view file;  ///< of the library, without its ending
  std::optional<SmallerForms> (*forms)(const trace::Trace& trace, const Budget& budget);
};
constexpr std::array<Row, 3> kRows{{{"gemm-wgmma", product_forms},
                                    {"flash-attention-3", attention_forms},
                                    {"flash-attention-2-backward", attention_forms}}};

}  // namespace

std::optional<SmallerForms> smaller_forms(const trace::Trace& trace, double work, double target, std::uint32_t sms) {
  const std::string file = std::filesystem::path(trace.path).stem().string();
  const auto row = std::ranges::find(kRows, file, &Row::file);
  return row == kRows.end() ? std::nullopt : row->forms(trace, {target / work, sms});
}

}  // namespace gpusim::app
