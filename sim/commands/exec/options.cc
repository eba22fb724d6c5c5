// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/exec/command.h"

namespace gpusim::commands {
namespace {

constexpr const char* kExecExamples =
    R"(gpusim exec scale.cu --grid 4 --block 256 --arg n=1024 --arg a=2.0 --arg x=f32[n]:random
gpusim exec saxpy.cubin:saxpy --launch saxpy.yaml --expect y=ref.npy --tolerance 1e-6
gpusim exec reduce.cu --grid 64 --block 256 --arg in=f32[16384]:random --arg out=f32[64]:zeros
gpusim exec ~/.triton/cache/A... --grid 4 --arg 0=f32[n]:random --arg 1=f32[n]:zeros --arg 2=4096

docs/your-kernel.md shows the way from a source to a result, docs/launch-files.md has all forms of arguments.)";

}  // namespace

void add_exec_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<ExecOptions>();
  CLI::App& command =
      commands.add(commands.root(), "exec", "Execute a compiled kernel and check its results, without timing",
                   [options](const CLI::App& app) {
                     if (options->launch.file.empty()) {
                       cli::require(app, options->kernel, "a kernel, such as saxpy.cubin:saxpy");
                     }
                     return cli::run_with(exec_command, *options);
                   });
  cli::start_group(command, "What to execute");
  cli::add_text(
      command, "KERNEL", options->kernel, "FILE[:NAME]",
      "A cubin, a .cu or .ptx file, a program, a folder of Triton's cache or a SASS listing with encodings, and the "
      "kernel in it");
  cli::add_text(command, "-a,--arch", options->arch, "GPU",
                "GPU to execute for (default: the one that the code is compiled for)");
  cli::add_launch_options(command, options->launch);
  cli::add_repeated(command, "-p,--param", options->param, "NAME=VALUE",
                    "Change a number below 'param' in the launch file (repeatable)");
  cli::start_group(command, "Checks and limits");
  cli::add_text(command, "--max-instructions", options->max_instructions, "N",
                "Stop after this many warp instructions of a launch (default: 20,000,000,000)");
  cli::add_text(command, "--max-warp-instructions", options->max_warp_instructions, "N",
                "Stop when a warp executes more instructions (default: 100,000,000)");
  cli::add_flag(command, "--check", options->check,
                "Go on after accesses that are not possible; report them, uninitialised shared memory and races on it");
  cli::set_examples(command, kExecExamples);
}

}  // namespace gpusim::commands
