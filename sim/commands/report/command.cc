// SPDX-License-Identifier: MIT
// A saved result, rendered again.
#include "sim/commands/report/command.h"

#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/saved_result.h"

namespace gpusim::commands {

int report_command(const ReportOptions& options, const cli::Common& common) {
  const stats::Result result = cli::load_result(options.file);
  cli::print(cli::render(result, options.format, cli::text_options(common, options.details)));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
