// SPDX-License-Identifier: MIT
// A saved result, rendered again.
#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/program.h"
#include "sim/app/render.h"
#include "sim/app/saved_result.h"

namespace gpusim::app {

int report_command(const ReportOptions& options, const Common& common) {
  const stats::Result result = load_result(options.file);
  print(render(result, options.format, text_options(common, options.details)));
  return Exit::kDone;
}

}  // namespace gpusim::app
