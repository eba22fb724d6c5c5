// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/report/command.h"

namespace gpusim::commands {

void add_report_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App& command =
      commands.add(commands.root(), "report", "Print a result that --json saved", [options](const CLI::App& app) {
        cli::require(app, options->file, "the file of a saved result");
        return cli::run_with(report_command, *options);
      });
  cli::start_group(command, "What to show");
  cli::add_text(command, "FILE", options->file, "FILE", "The saved result");
  cli::add_text(command, "--kernel", options->kernel, "REGEX",
                "Only kernels whose name matches this regular expression");
  cli::start_group(command, "Output");
  cli::add_result_format(command, options->format);
  cli::add_result_paths(command, options->files);
  cli::start_group(command, "Details");
  cli::add_watch(command, options->watch,
                 "Show what recorded warps do in these cycles (without warp: all warps of the SM)");
  cli::add_why(command, options->why);
  cli::add_flag(command, "-d,--details", options->details, "Show every section of the text report");
  cli::set_examples(command, "gpusim report result.json --details\ngpusim report result.json --html page.html");
}

}  // namespace gpusim::commands
