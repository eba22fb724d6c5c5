// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/disasm/command.h"

namespace gpusim::commands {

void add_disasm_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<DisasmOptions>();
  CLI::App& command = commands.add(commands.root(), "disasm", "Print the machine code of compiled kernels as text",
                                   [options](const CLI::App& app) {
                                     cli::require(app, options->file, "a cubin, a program or a cache folder");
                                     return cli::run_with(disasm_command, *options);
                                   });
  cli::add_text(command, "FILE", options->file, "FILE",
                "A cubin, a fatbin, a program or library with kernels, a folder of Triton's cache, or a SASS listing "
                "with encodings");
  cli::add_text(command, "--kernel", options->kernel, "NAME", "Only this kernel, such as saxpy");
  cli::add_flag(command, "--control", options->control, "Show the control bits of each instruction");
  cli::add_flag(command, "--hex", options->hex,
                "Show the encodings and the constants, so that the listing can be executed as the cubin is");
  cli::add_text(command, "--arch", options->arch, "SM", "Only the code for this SM, such as sm_90");
  cli::set_examples(command, "gpusim disasm saxpy.cubin --control\ngpusim disasm a.out --kernel saxpy --arch sm_90");
}

}  // namespace gpusim::commands
