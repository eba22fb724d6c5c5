// SPDX-License-Identifier: MIT
// gpusim-core: the main job on traces, and nothing else. It is built in a third of the time of the whole program,
// and tools/gpusim runs it in a fresh clone until a command needs more.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "sim/app/shell/program.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/run/command.h"
#include "sim/input/kind/kind.h"
#include "sim/input/text/load.h"

namespace {

using namespace gpusim;

std::unique_ptr<cli::KernelJob> leave_job(const cli::LaunchOptions& /*options*/,
                                          const std::vector<std::string>& /*params*/, const cli::KernelName& /*name*/,
                                          const arch::Arch& /*gpu*/, const cli::Announce& /*tell*/) {
  throw app::NeedsWholeProgram();
}

/// A text whose first line is misspelt is not worth a build.
trace::Trace leave_trace(const std::filesystem::path& path, const trace::ParameterChoice& choice) {
  if (path.extension() == ".trace" && !frontend::is_container(path) && !frontend::is_accelsim(path)) {
    return frontend::load_trace_text(path, choice);
  }
  throw app::NeedsWholeProgram();
}

cli::Action leave_help(const CLI::App& /*command*/) {
  throw app::NeedsWholeProgram();
}

void add_run_alone(cli::CommandSet& set) {
  commands::add_run_command(set, leave_job);
}

/// Whether the words may be a run; the parser decides.
bool may_be_run(int argc, const char* const* argv) {
  return app::looks_like_main_job(argc, argv) || (argc > 1 && std::string_view(argv[1]) == "run");
}

/// Becomes the program that tools/gpusim builds, in the variable GPUSIM_WHOLE, with the same words.
int become_whole_program(char** argv) {
  if (const char* const program = std::getenv("GPUSIM_WHOLE"); program != nullptr) {
    execv(program, argv);
  }
  cli::open_log("auto", false);
  cli::log_error("gpusim-core only simulates traces in their text form; build and run gpusim for everything else");
  return cli::Exit::kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr app::Program kRunAlone{add_run_alone, leave_job, leave_trace, leave_help};
  const int code = may_be_run(argc, argv) ? app::run_program(argc, argv, kRunAlone) : app::kNeedsWholeProgram;
  return code == app::kNeedsWholeProgram ? become_whole_program(argv) : code;
}
