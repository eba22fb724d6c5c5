// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/validate/command.h"

namespace gpusim::commands {

void add_validate_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<ValidateOptions>();
  CLI::App& command = commands.add(
      commands.root(), "validate", "Compare simulated with measured times: the error of each case, worst first",
      [options](const CLI::App& app) {
        if (!options->cases.empty()) {
          cli::refuse_beside(
              app, "--cases",
              {"--arch", "--resume", "--filter", "--max-error", "--format", "--json", "--details", "--all"},
              ", which names the files itself");
        }
        return cli::run_with(validate_command, *options);
      });
  cli::start_group(command, "Which cases");
  cli::add_text(command, "--suite", options->suite, "NAME", "Suite of cases, such as micro (default: all)");
  cli::add_text(command, "--cases", options->cases, "FILE|FOLDER", "Cases of your own, in place of --suite");
  cli::add_text(command, "-a,--arch", options->arch, "GPU", "Only cases of this GPU");
  cli::add_text(command, "--filter", options->filter, "REGEX", "Only cases whose id matches this regular expression");
  cli::add_flag(command, "--all", options->all, "Also simulate the cases that take minutes");
  cli::start_group(command, "Output and limits");
  cli::add_text(command, "--resume", options->resume, "FILE",
                "Keep simulated values in FILE, and do not simulate again what it holds of this model");
  cli::add_text(command, "--json", options->json, "FILE", "Also write the cases as JSON");
  cli::add_text(command, "--max-error", options->max_error, "PCT",
                "Exit with code 5 when a counted case is off by more than this, in %");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json"}, "Output format (default: text)");
  cli::add_flag(command, "-d,--details", options->details, "Show the source and the note of each case");
  cli::set_examples(command,
                    "gpusim validate --suite micro --arch a6000\n"
                    "gpusim validate --suite kernels --resume kernels.jsonl\n"
                    "gpusim validate --cases mine.yaml --max-error 10");
}

}  // namespace gpusim::commands
