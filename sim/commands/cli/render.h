// SPDX-License-Identifier: MIT
// A result in the format the user asked for.
#pragma once

#include <string>

#include "sim/commands/cli/common.h"
#include "sim/output/text/layout.h"

namespace gpusim::report {
struct TextOptions;
}  // namespace gpusim::report
namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::cli {

/// How texts for people look on standard output.
[[nodiscard]] layout::Look look_of(const Common& common);

[[nodiscard]] report::TextOptions text_options(const Common& common, bool details);

/// `format`: text, json, csv or ncu-csv.
[[nodiscard]] std::string render(const stats::Result& result, const std::string& format,
                                 const report::TextOptions& options);

}  // namespace gpusim::cli
