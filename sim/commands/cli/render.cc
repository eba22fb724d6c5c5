// SPDX-License-Identifier: MIT
#include "sim/commands/cli/render.h"

#include "sim/commands/cli/console.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"

namespace gpusim::cli {

layout::Look look_of(const Common& common) {
  return {.colour = colour_output(common.colour), .unicode = is_utf8_locale(), .width = output_width()};
}

report::TextOptions text_options(const Common& common, bool details) {
  return {look_of(common), details};
}

std::string render(const stats::Result& result, const std::string& format, const report::TextOptions& options) {
  if (format == "json") {
    return report::to_json(result);
  }
  if (format == "ncu-csv") {
    return report::to_ncu_csv(result);
  }
  return format == "csv" ? report::to_csv(result) : report::to_text(result, options);
}

}  // namespace gpusim::cli
