// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/run/command.h"

namespace gpusim::commands {
namespace {

void declare(CLI::App& app, RunOptions& run) {
  cli::add_text(app, "-a,--arch", run.arch, "FILE|NAME", "The GPU: an architecture file");
  cli::add_text(app, "-t,--trace", run.trace, "FILE|NAME",
                "The kernels: a .trace, or kernelslist.g or .traceg of Accel-Sim");
  cli::add_set(app, run.set);
  cli::add_repeated(app, "-p,--param", run.param, "NAME=VALUE", "Change a parameter of the trace (repeatable)");
  cli::add_flag(app, "--test-params", run.test_params, "Use the trace's small set of parameters");
  cli::add_text(app, "--kernel", run.kernel, "REGEX", "Only kernels whose name matches");
  cli::add_text(app, "--ctas", run.ctas, "FIRST..LAST", "Only these CTAs of each kernel, within its grid");
  cli::add_cache(app, run.cache);
  cli::add_text(app, "--max-cycles", run.max_cycles, "N", "Give up when a kernel takes longer");
  cli::add_text(app, "--max-warp-instructions", run.max_warp_instructions, "N",
                "Give up when a warp executes more in loops (default: 100,000,000)");
  cli::add_text(app, "-j,--threads", run.threads, "N", "Host threads (default: all); results do not depend on it");
  cli::add_choice(app, "-f,--format", run.format, {"text", "json", "csv", "ncu-csv"},
                  "Of the result on standard output");
  cli::add_flag(app, "-d,--details", run.details, "Show everything in the text report");
  cli::add_text(app, "--json", run.files.json, "FILE", "Write the result as JSON, too");
  cli::add_result_paths(app, run.files);
  cli::add_watch(app, run.watch, "Simulate these cycles, and show a timeline of warp states (without warp: of all)");
  cli::add_optional_text(app, "--advise", "found", "all", run.advise,
                         "Simulate, too, what the advice would gain: of what was found, or with --advise=all of all");
  cli::add_repeated(app, "--record", run.record, "WHAT",
                    "Keep in the result, too: series (states and traffic over time), warps=SM[:A..B] (repeatable)");
  cli::add_why(app, run.why);
}

}  // namespace

void add_run_command(cli::CommandSet& commands) {
  const auto run = std::make_shared<RunOptions>();
  const cli::CommandSet::Take take = [run](const CLI::App& command) {
    cli::require(command, run->arch, "--arch FILE|NAME, for example --arch h100.yaml");
    cli::require(command, run->trace, "--trace FILE|NAME, for example --trace flashattn.trace");
    cli::refuse_empty_watch(command, run->watch);
    cli::refuse_empty_why(command, run->why);
    return cli::run_with(run_command, *run);
  };
  declare(commands.root(), *run);
  commands.add_default(take);
  declare(commands.add(commands.root(), "run", "The same as without a command: simulate and explain", take), *run);
}

}  // namespace gpusim::commands
