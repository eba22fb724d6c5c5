// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/validate/command.h"

namespace gpusim::commands {

void add_validate_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<ValidateOptions>();
  CLI::App& command = commands.add(
      commands.root(), "validate", "Simulated against measured silicon: the error of each case, worst first",
      [options](const CLI::App& app) {
        if (!options->cases.empty()) {
          cli::refuse_beside(app, "--cases",
                             {"--arch", "--filter", "--max-error", "--format", "--json", "--details", "--all"},
                             ", which names the files itself");
        }
        return cli::run_with(validate_command, *options);
      });
  cli::add_text(command, "--suite", options->suite, "NAME", "The cases of this name, such as micro (default: all)");
  cli::add_text(command, "--cases", options->cases, "FILE|FOLDER", "Cases of your own, instead of --suite");
  cli::add_text(command, "-a,--arch", options->arch, "FILE|NAME", "Only cases of this architecture");
  cli::add_text(command, "--filter", options->filter, "REGEX", "Only cases whose id it finds");
  cli::add_flag(command, "--all", options->all, "Simulate the cases that take minutes as well");
  cli::add_text(command, "--json", options->json, "FILE", "Write the cases as JSON, too");
  cli::add_text(command, "--max-error", options->max_error, "PCT",
                "Exit 5 when a counted case is off by more, in per cent");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json"}, "Of what is printed");
  cli::add_flag(command, "-d,--details", options->details, "Show the source and the note of each case");
}

}  // namespace gpusim::commands
