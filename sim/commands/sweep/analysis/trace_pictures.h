// SPDX-License-Identifier: MIT
// Pictures that compare all points of a trace. Internal to the module.
#pragma once

#include <set>
#include <string>

#include "sim/commands/sweep/analysis/analysis.h"
#include "sim/commands/sweep/analysis/pictures.h"

namespace gpusim::sweep {

/// Names of files: those that become equal when they lose their odd characters are numbered.
class PictureNames {
 public:
  std::string make(const std::string& text);

 private:
  std::set<std::string> taken_;
};

/// A cloud of points by bound, the front through it, and numbers that the key explains. The trace must have costs.
[[nodiscard]] Picture make_front(const Analysis& analysis, const TraceAnalysis& trace, PictureNames& names);

/// A bar for the best point of each architecture, the best on top. The trace must have several.
[[nodiscard]] Picture make_bars(const Analysis& analysis, const TraceAnalysis& trace, PictureNames& names);

}  // namespace gpusim::sweep
