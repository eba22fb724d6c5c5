// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/report/command.h"

namespace gpusim::commands {

void add_report_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App& command = commands.add(commands.root(), "report", "A result saved with --json, rendered again",
                                   [options](const CLI::App& app) {
                                     cli::require(app, options->file, "the file of a saved result");
                                     cli::refuse_empty_watch(app, options->watch);
                                     cli::refuse_empty_why(app, options->why);
                                     return cli::run_with(report_command, *options);
                                   });
  cli::add_text(command, "FILE", options->file, "FILE", "The saved result");
  cli::add_text(command, "--kernel", options->kernel, "REGEX", "Only kernels whose name matches");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json", "csv", "ncu-csv"}, "Of what is printed");
  cli::add_result_paths(command, options->files);
  cli::add_watch(command, options->watch, "Show recorded warps as a timeline (without warp: all of the SM)");
  cli::add_why(command, options->why);
  cli::add_flag(command, "-d,--details", options->details, "Show everything in the text report");
}

}  // namespace gpusim::commands
