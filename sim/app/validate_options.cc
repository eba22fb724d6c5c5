// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/app/options.h"

namespace gpusim::app {

void add_validate_options(CommandSet& commands) {
  const auto options = std::make_shared<ValidateOptions>();
  CLI::App& command = commands.add(
      commands.root(), "validate", "Simulated against measured silicon: the error of each case, worst first",
      [options](const CLI::App& app) {
        if (!options->cases.empty()) {
          refuse_beside(app, "--cases",
                        {"--arch", "--filter", "--max-error", "--format", "--json", "--details", "--all"},
                        ", which names the files itself");
        }
        return *options;
      });
  add_text(command, "--suite", options->suite, "NAME", "The cases of this name, such as micro (default: all)");
  add_text(command, "--cases", options->cases, "FILE|FOLDER", "Cases of your own, instead of --suite");
  add_text(command, "-a,--arch", options->arch, "FILE|NAME", "Only cases of this architecture");
  add_text(command, "--filter", options->filter, "REGEX", "Only cases whose id it finds");
  add_flag(command, "--all", options->all, "Simulate the cases that take minutes as well");
  add_text(command, "--json", options->json, "FILE", "Write the cases as JSON, too");
  add_text(command, "--max-error", options->max_error, "PCT", "Exit 5 when a counted case is off by more, in per cent");
  add_choice(command, "-f,--format", options->format, {"text", "json"}, "Of what is printed");
  add_flag(command, "-d,--details", options->details, "Show the source and the note of each case");
}

}  // namespace gpusim::app
