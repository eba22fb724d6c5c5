// SPDX-License-Identifier: MIT
#include <array>

#include "sim/base/output_file.h"
#include "sim/commands/app/make.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/exit_codes.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/system/application/writer.h"

namespace gpusim::commands {

int make_app_command(const MakeAppOptions& options, const cli::Common&) {
  const std::array<cli::OutputPath, 1> outputs{{{"--output", options.output}}};
  for (const auto& input : {cli::look_for_file(options.what.model, cli::model_files()),
                            cli::look_for_file(options.what.system, cli::system_files())}) {
    if (input) {
      cli::refuse_to_replace(outputs, *input);
    }
  }
  app::KindOptions what = options.what;
  what.sequence_parallel = options.sequence_parallel ? "yes" : "";
  what.clip_gradients = options.clip_gradients ? "yes" : "";
  const application::Application made = app::make_application(what);
  std::string text = "# SPDX-License-Identifier: MIT\n# Written by gpusim app make.\n";
  for (const std::string& note : app::notes_of(what)) {
    text += "# Note: " + note + ".\n";
    cli::log_warning(note);
  }
  text += application::to_yaml(made);
  auto files = cli::open_outputs(outputs);
  if (files.front()) {
    cli::commit_told(*files.front(), text, "simulate it: gpusim app " + options.output);
  } else {
    cli::print_plain(text);
  }
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
