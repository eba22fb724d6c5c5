// SPDX-License-Identifier: MIT
// A saved result, rendered again.
#include "sim/commands/report/command.h"

#include <optional>

#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/saved_result.h"
#include "sim/commands/cli/trace_values.h"

namespace gpusim::commands {

int report_command(const ReportOptions& options, const cli::Common& common) {
  std::optional<timeline::Moment> moment;
  if (!options.why.empty()) {
    moment = cli::parse_moment(options.why);
    cli::require_answerable(options.format);
  }
  cli::refuse_to_replace(cli::outputs_of(options.files), options.file);
  cli::ResultFiles files(options.files);
  stats::Result result = cli::load_result(options.file);
  files.commit(result);
  if (moment) {
    cli::print(cli::answer(result, *moment, options.format, common));
    return cli::Exit::kDone;
  }
  cli::keep_kernels(result, options.kernel, options.file);
  cli::print(cli::render(result, options.format, cli::text_options(common, options.details)));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
