// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/occupancy/command.h"

namespace gpusim::commands {
namespace {

OccupancyOptions checked(const OccupancyOptions& options, const CLI::App& command) {
  if (!options.batch.empty()) {
    cli::refuse_beside(command, "--batch", {"--output"});
    return options;
  }
  cli::require(command, options.arch, "--arch FILE|NAME, for example --arch h100 (or --batch FILE.csv)");
  if (!options.trace.empty()) {
    cli::refuse_beside(command, "--trace", {"--arch", "--set", "--format", "--param", "--test-params", "--kernel"});
    return options;
  }
  cli::require(command, options.registers, "--regs R, the registers a thread (or --trace FILE|NAME)");
  cli::require(command, options.block, "--block B, the threads a CTA");
  cli::refuse_beside(
      command, "--regs",
      {"--arch", "--block", "--smem", "--carveout", "--barriers", "--opt-in", "--cluster", "--set", "--format"});
  return options;
}

}  // namespace

void add_occupancy_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<OccupancyOptions>();
  CLI::App& command =
      commands.add(commands.root(), "occupancy", "How many CTAs fit an SM, what limits them, what if",
                   [options](const CLI::App& app) { return cli::run_with(occupancy_command, checked(*options, app)); });
  cli::add_text(command, "-a,--arch", options->arch, "FILE|NAME", "The GPU: an architecture file");
  cli::add_text(command, "-r,--regs", options->registers, "R", "Registers a thread");
  cli::add_text(command, "-b,--block", options->block, "B", "Threads a CTA");
  cli::add_text(command, "--smem", options->shared, "S[+D]",
                "Shared memory a CTA, static and dynamic: 98304, 96KiB, 48KiB+16KiB");
  cli::add_text(command, "--carveout", options->carveout, "P",
                "Shared-memory carve-out in % of the largest (default: the driver's)");
  cli::add_text(command, "--barriers", options->barriers, "N", "Named barriers a CTA uses (default 1)");
  cli::add_flag(command, "--opt-in,!--no-opt-in", options->opt_in,
                "May have more than the default's shared memory (default: yes)");
  cli::add_text(command, "--cluster", options->cluster, "N", "CTAs a cluster: how many clusters the GPU holds");
  cli::add_set(command, options->set);
  cli::add_choice(command, "-f,--format", options->format, {"text", "json"}, "Of what is printed");
  cli::add_text(command, "-t,--trace", options->trace, "FILE|NAME",
                "The kernels of a trace instead of one launch, a line each");
  cli::add_repeated(command, "-p,--param", options->param, "NAME=VALUE",
                    "Change a parameter of the trace (repeatable)");
  cli::add_flag(command, "--test-params", options->test_params, "Use the trace's small set of parameters");
  cli::add_text(command, "--kernel", options->kernel, "REGEX", "Only kernels whose name matches");
  cli::add_text(command, "--batch", options->batch, "FILE.csv", "A launch a row, the GPU by column cc; answers as CSV");
  cli::add_text(command, "-o,--output", options->output, "FILE", "Write the batch's answers there");
}

}  // namespace gpusim::commands
