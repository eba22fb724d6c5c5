// SPDX-License-Identifier: MIT
#include "sim/app/render.h"

#include "sim/app/console.h"

namespace gpusim::app {

layout::Look look_of(const Common& common) {
  return {.colour = colour_output(common.colour), .unicode = is_utf8_locale()};
}

report::TextOptions text_options(const Common& common, bool details) {
  return {look_of(common), details};
}

std::string render(const stats::Result& result, const std::string& format, const report::TextOptions& options) {
  if (format == "json") {
    return report::to_json(result);
  }
  return format == "csv" ? report::to_csv(result) : report::to_text(result, options);
}

}  // namespace gpusim::app
