// SPDX-License-Identifier: MIT
// A saved result, rendered again.
#include "sim/commands/report/command.h"

#include <optional>

#include "sim/base/problem.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/saved_result.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/text_options.h"
#include "sim/output/timeline/recording.h"
#include "sim/output/timeline/why.h"

namespace gpusim::commands {
namespace {

/// What --watch and --why ask for; nothing of both: the report.
struct Asked {
  std::optional<gpu::WatchRequest> watched;
  std::optional<timeline::Moment> moment;
};

Asked asked_by(const ReportOptions& options) {
  cli::require_timeline(options.watch, options.why, options.format);
  Asked asked;
  if (!options.watch.empty()) {
    asked.watched = cli::parse_watch(options.watch);
  }
  if (!options.why.empty()) {
    asked.moment = cli::parse_moment(options.why);
  }
  if (!options.kernel.empty() && (asked.watched || asked.moment)) {
    throw UsageError("--kernel does not go with " + std::string(asked.watched ? "--watch" : "--why") +
                     ", which names a kernel by its place in the run: kernel=K");
  }
  return asked;
}

/// What goes to standard output.
std::string shown(const ReportOptions& options, const Asked& asked, const cli::Common& common, stats::Result& result) {
  if (asked.moment) {
    return cli::answer(result, *asked.moment, options.format, common);
  }
  if (asked.watched) {
    const gpu::WatchRequest& watched = *asked.watched;
    timeline::keep_watched({watched.kernel.value_or(0), watched.sm, watched.warp_slot, watched.begin, watched.end},
                           result);
    return cli::timeline_of(result, watched, options.format, common, options.details);
  }
  cli::keep_kernels(result, options.kernel, options.file);
  return cli::render(result, options.format, cli::text_options(common, options.details));
}

}  // namespace

int report_command(const ReportOptions& options, const cli::Common& common) {
  const Asked asked = asked_by(options);
  cli::refuse_to_replace(cli::outputs_of(options.files), options.file);
  cli::ResultFiles files(options.files);
  stats::Result result = cli::load_result(options.file);
  files.commit(result);
  cli::print(shown(options, asked, common, result));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
