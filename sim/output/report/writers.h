// SPDX-License-Identifier: MIT
// What report.h promises, of a view with its findings: each a pure function that lays out what stands there.
#pragma once

#include <string>

#include "sim/output/view/view.h"

namespace gpusim::report {

struct TextOptions;

/// What reports lay out: with the findings of each kernel, which are made here and nowhere else. The Result must
/// outlive the view.
[[nodiscard]] View explained_view(const stats::Result& result);

[[nodiscard]] std::string write_text(const View& view, const TextOptions& options);
[[nodiscard]] std::string write_json(const View& view);
[[nodiscard]] std::string write_csv(const View& view);
[[nodiscard]] std::string write_ncu_csv(const View& view);

}  // namespace gpusim::report
