// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/app/options.h"

namespace gpusim::app {

void add_report_options(CommandSet& commands) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App& command = commands.add(commands.root(), "report", "A result saved with --json, rendered again",
                                   [options](const CLI::App& app) {
                                     require(app, options->file, "the file of a saved result");
                                     return *options;
                                   });
  add_text(command, "FILE", options->file, "FILE", "The saved result");
  add_choice(command, "-f,--format", options->format, {"text", "json", "csv"}, "Of what is printed");
  add_flag(command, "-d,--details", options->details, "Show everything in the text report");
}

}  // namespace gpusim::app
