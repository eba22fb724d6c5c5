// SPDX-License-Identifier: MIT
// The labs as pages on this machine.
#include <cstdint>
#include <filesystem>
#include <limits>

#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/lab/command.h"
#include "sim/commands/lab/folder/folders.h"
#include "sim/commands/lab/serve/serve.h"

namespace gpusim::commands {

namespace fs = std::filesystem;

int lab_serve_command(const LabOptions& options, const cli::Common&) {
  lab::ServeOptions serve;
  serve.language = options.language;
  serve.wall_seconds = wait_of(options);
  serve.folder = fs::absolute(options.folder.empty() ? "." : options.folder);
  if (!options.port.empty()) {
    serve.port = static_cast<std::uint16_t>(
        cli::parse_count("--port", options.port, 0, std::numeric_limits<std::uint16_t>::max()));
  }
  serve.student_of = [&options](const lab::Lab& lab, const fs::path& folder) {
    return student_in(folder, lab, options);
  };
  lab::make_folder(serve.folder);
  cli::catch_interrupt();
  lab::serve(
      serve,
      [&serve](const std::string& address) {
        cli::print("The labs, with your work in " + serve.folder.string() + ":\n\n  " + address +
                   "\n\nThe address is a key: who has it may change your work. Ctrl-C ends the server.\n");
      },
      cli::interrupted);
  cli::log_info("ended; all work is saved");
  return cli::Exit::kDone;  // Ctrl-C is how a server ends
}

}  // namespace gpusim::commands
