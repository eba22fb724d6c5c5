// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/timelines.h"
#include "sim/commands/run/command.h"

namespace gpusim::commands {
namespace {

constexpr const char* kExamples = R"(gpusim run --arch h100 --trace flashattn --param seq=8192 --json result.json
gpusim run --arch h100 --trace saxpy --set dram.bandwidth=4.8TB/s --cache cold --details
gpusim run --arch a100 --trace transpose --ctas 0..63 --watch sm=0,warp=3,cycles=0..400
gpusim run --arch a100 --trace captured/kernelslist.g --kernel 'gemm.*' --format csv
gpusim run --arch h100 --trace saxpy.cu:saxpy --launch saxpy.yaml --out y=y.npy)";

void declare(CLI::App& app, RunOptions& run) {
  cli::start_group(app, "What to simulate");
  cli::add_text(app, "-a,--arch", run.arch, "GPU", "GPU: a name such as h100, or an architecture file");
  cli::add_text(app, "-t,--trace", run.trace, "TRACE",
                "Kernels: a name such as flashattn, a .trace file, a recording of Accel-Sim, or FILE[:KERNEL]");
  cli::add_text(
      app, "--kernel-file", run.kernel_file, "FILE[:KERNEL]",
      "Compiled code in place of --trace: a cubin, .cu, .ptx, a program, a folder of Triton's cache, or a SASS "
      "listing with encodings");
  cli::add_set(app, run.set);
  cli::add_repeated(app, "-p,--param", run.param, "NAME=VALUE",
                    "Change a parameter of the trace or the launch file, such as seq=8192 (repeatable)");
  cli::add_flag(app, "--test-params", run.test_params, "Use the trace's small set of parameters");
  cli::add_text(app, "--kernel", run.kernel, "REGEX",
                "Only kernels whose name matches; for compiled code, the kernel to run");
  cli::add_text(app, "--ctas", run.ctas, "FIRST..LAST", "Only these CTAs of each kernel");
  cli::add_cache(app, run.cache);
  cli::add_flag(app, "--sustained-clock", run.sustained_clock,
                "Simulate at the clock that the card's power limit leaves, an estimate, instead of clocks.sm");
  cli::start_group(app, "Launch of a compiled kernel");
  cli::add_launch_options(app, run.launch);
  cli::start_group(app, "Output");
  cli::add_result_format(app, run.format);
  cli::add_flag(app, "-d,--details", run.details, "Show every section of the text report");
  cli::add_text(app, "--json", run.files.json, "FILE", "Also write the result as JSON");
  cli::add_result_paths(app, run.files);
  cli::start_group(app, "Ask why");
  cli::add_optional_text(app, "--advise", "found", "all", run.advise,
                         "Simulate what the advice would gain; with --advise=all, for every rule");
  cli::add_why(app, run.why);
  cli::add_watch(app, run.watch, "Simulate these cycles, and show what each warp does (without warp: all warps)");
  cli::add_repeated(app, "--record", run.record, "WHAT",
                    "Keep more in the result: series (states and traffic over time), or warps=SM[:A..B] (repeatable)");
  cli::start_group(app, "Limits");
  cli::add_text(app, "-j,--threads", run.threads, "N", "Host threads (default: all cores); the result is the same");
  cli::add_text(app, "--max-cycles", run.max_cycles, "N", "Stop when a kernel takes more cycles");
  cli::add_text(app, "--max-warp-instructions", run.max_warp_instructions, "N",
                "Stop when a warp executes more instructions in loops (default: 100,000,000)");
}

}  // namespace

void add_run_command(cli::CommandSet& commands, cli::OpenJob open_job) {
  const auto run = std::make_shared<RunOptions>();
  const cli::CommandSet::Take take = [run, open_job](const CLI::App& command) -> cli::Action {
    cli::require(command, run->arch, "--arch GPU, for example --arch h100.yaml");
    if (run->kernel_file.empty() && run->launch.file.empty()) {
      cli::require(command, run->trace, "--trace TRACE, for example --trace flashattn.trace");
    }
    return [options = *run, open_job](const cli::Common& common) { return run_command(options, open_job, common); };
  };
  declare(commands.root(), *run);
  commands.add_default(take);
  CLI::App& command =
      commands.add(commands.root(), "run", "Simulate kernels and explain their time; the default command", take);
  declare(command, *run);
  cli::set_examples(command, kExamples);
}

}  // namespace gpusim::commands
