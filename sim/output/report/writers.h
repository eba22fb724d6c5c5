// SPDX-License-Identifier: MIT
// What report.h promises, of a view: each a pure function that lays out what stands there. None of them sees a Result.
#pragma once

#include <string>

#include "sim/output/report/text_options.h"
#include "sim/output/view/view.h"

namespace gpusim::report {

[[nodiscard]] std::string write_text(const View& view, const TextOptions& options);
[[nodiscard]] std::string write_json(const View& view);
[[nodiscard]] std::string write_csv(const View& view);
[[nodiscard]] std::string write_ncu_csv(const View& view);

}  // namespace gpusim::report
