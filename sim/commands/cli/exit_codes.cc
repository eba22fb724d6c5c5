// SPDX-License-Identifier: MIT
#include "sim/commands/cli/exit_codes.h"

#include <array>

#include "sim/commands/cli/common.h"

namespace gpusim::cli {
namespace {

constexpr std::array kExitCodes{
    ExitCode{kDone, "done"},
    ExitCode{kUsage, "wrong usage"},
    ExitCode{kBadInput, "bad input, or an output that cannot be written"},
    ExitCode{kCannotFinish, "the simulation cannot finish, a limit is reached, or a model does not fit"},
    ExitCode{kOurFault, "an internal error"},
    ExitCode{kMissed, "a check is not passed, such as --fail-if, --expect, --max-error or a lab"},
    ExitCode{129, "ended by SIGHUP"},
    ExitCode{130, "interrupted by Ctrl-C; a simulation still prints its partial result"},
    ExitCode{143, "ended by SIGTERM"},
};

constexpr std::array kVariables{
    Variable{"GPUSIM_PATH", "folders separated by ':' in which architectures, traces and labs are looked up by name"},
    Variable{"GPUSIM_LAB_EXAM", "when it is 1, labs give no solutions and no discussions"},
    Variable{"GPUSIM_PAGER", "what shows long lists on a terminal, in place of PAGER and less; empty or cat: no pager"},
    Variable{"NO_COLOR", "when it is set, the output has no colours, as with --color never"},
    Variable{"COLUMNS", "how many columns a report may have where the output is not a terminal"},
};

}  // namespace

std::span<const ExitCode> exit_codes() {
  return kExitCodes;
}

std::span<const Variable> variables() {
  return kVariables;
}

}  // namespace gpusim::cli
