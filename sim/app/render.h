// SPDX-License-Identifier: MIT
// A result in the format the user asked for.
#pragma once

#include <string>

#include "sim/app/commands.h"
#include "sim/report/report.h"

namespace gpusim::app {

[[nodiscard]] report::TextOptions text_options(const Common& common, bool details);

/// `format`: text, json or csv.
[[nodiscard]] std::string render(const stats::Result& result, const std::string& format,
                                 const report::TextOptions& options);

}  // namespace gpusim::app
