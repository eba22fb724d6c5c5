// SPDX-License-Identifier: MIT
// Plots of the answers as scripts and data for gnuplot: curves, heat maps, Pareto fronts, bars. Text only; who runs
// gnuplot, and where, is the app's business.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/sweep/analysis/analysis.h"

namespace gpusim::sweep {

/// The script reads `name`.dat and writes `name`.svg in the folder where gnuplot runs.
struct Picture {
  std::string name;  ///< letters, digits, '-', '_' and '.' only: "scaling-flashattn-h100-sm.count"
  std::string script;
  std::string data;
};

struct Pictures {
  std::vector<Picture> drawn;
  std::vector<std::string> left_out;  ///< what might be missed, and why: "l2.model of saxpy on h100 (its values ...)"
};

/// For each trace and architecture the curves of the keys that matter most and a map of the first two; for each trace
/// the Pareto front with costs, without them bars of several architectures. No two have the same name.
[[nodiscard]] Pictures make_pictures(const Analysis& analysis);

}  // namespace gpusim::sweep
