// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/occupancy/command.h"

namespace gpusim::commands {
namespace {

constexpr const char* kExamples = R"(gpusim occupancy --arch h100 --regs 168 --block 128 --smem 48KiB+48KiB
gpusim occupancy --arch a100 --trace flashattn --param seq=8192
gpusim occupancy --batch launches.csv --output occupancy.csv)";

OccupancyOptions checked(const OccupancyOptions& options, const CLI::App& command) {
  if (!options.batch.empty()) {
    cli::refuse_beside(command, "--batch", {"--output"});
    return options;
  }
  cli::require(command, options.arch, "--arch GPU, for example --arch h100 (or --batch FILE.csv)");
  if (!options.trace.empty()) {
    cli::refuse_beside(command, "--trace", {"--arch", "--set", "--format", "--param", "--test-params", "--kernel"});
    return options;
  }
  cli::require(command, options.registers, "--regs R, the registers per thread (or --trace TRACE)");
  cli::require(command, options.block, "--block B, the threads per CTA");
  cli::refuse_beside(
      command, "--regs",
      {"--arch", "--block", "--smem", "--carveout", "--barriers", "--opt-in", "--cluster", "--set", "--format"});
  return options;
}

}  // namespace

void add_occupancy_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<OccupancyOptions>();
  CLI::App& command =
      commands.add(commands.root(), "occupancy", "Compute how many CTAs fit an SM, and what limits them",
                   [options](const CLI::App& app) { return cli::run_with(occupancy_command, checked(*options, app)); });
  cli::start_group(command, "One launch");
  cli::add_text(command, "-a,--arch", options->arch, "GPU", "GPU: a name such as h100, or an architecture file");
  cli::add_text(command, "-r,--regs", options->registers, "R", "Registers per thread");
  cli::add_text(command, "-b,--block", options->block, "B", "Threads per CTA");
  cli::add_text(command, "--smem", options->shared, "S[+D]",
                "Shared memory per CTA, static + dynamic, such as 96KiB or 48KiB+16KiB");
  cli::add_text(command, "--carveout", options->carveout, "P",
                "Shared-memory carve-out in % of the largest (default: what the driver chooses)");
  cli::add_text(command, "--barriers", options->barriers, "N", "Named barriers per CTA (default: 1)");
  cli::add_flag(command, "--opt-in,!--no-opt-in", options->opt_in,
                "Let a CTA have more than 48 KiB of shared memory, or not (default: --opt-in)");
  cli::add_text(command, "--cluster", options->cluster, "N", "CTAs per cluster; the answer says how many clusters fit");
  cli::add_set(command, options->set);
  cli::start_group(command, "The kernels of a trace");
  cli::add_text(command, "-t,--trace", options->trace, "TRACE", "Trace, with one line for each of its kernels");
  cli::add_repeated(command, "-p,--param", options->param, "NAME=VALUE",
                    "Change a parameter of the trace (repeatable)");
  cli::add_flag(command, "--test-params", options->test_params, "Use the trace's small set of parameters");
  cli::add_text(command, "--kernel", options->kernel, "REGEX",
                "Only kernels whose name matches this regular expression");
  cli::start_group(command, "Many launches");
  cli::add_text(command, "--batch", options->batch, "FILE.csv",
                "Table with one launch per row; its column cc names the GPU; the answers are CSV");
  cli::add_text(command, "-o,--output", options->output, "FILE", "Write the answers of --batch to this file");
  cli::start_group(command, "Output");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json"}, "Output format (default: text)");
  cli::set_examples(command, kExamples);
}

}  // namespace gpusim::commands
