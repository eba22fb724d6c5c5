// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/trace/command.h"

namespace gpusim::commands {
namespace {

void add_import(cli::CommandSet& commands, CLI::App& trace) {
  const auto options = std::make_shared<TraceImportOptions>();
  CLI::App& command =
      commands.add(trace, "import", "Make a trace from a recording of Accel-Sim, a SASS listing or a compiled kernel",
                   [options](const CLI::App& app) {
                     if (options->launch.file.empty()) {
                       cli::require(app, options->name, "the name of a trace");
                     }
                     if (options->list) {
                       if (!options->output.empty()) {
                         throw UsageError("-o does not go with --list, which prints a table");
                       }
                       return cli::run_with(list_kernels_command, *options);
                     }
                     cli::require(app, options->output, "-o FILE");
                     if (options->is_launch()) {
                       return cli::run_with(import_launch_command, *options);
                     }
                     return cli::run_with(trace_import_command, *options);
                   });
  cli::add_text(
      command, "NAME", options->name, "FILE",
      "kernelslist.g, a .traceg (also .xz), a .tracez or a SASS listing; compiled code, or a listing with encodings, "
      "with its launch or --list");
  cli::add_text(command, "-o,--output", options->output, "FILE",
                "Trace to write, such as app.trace; - is standard output");
  cli::add_flag(command, "--list", options->list,
                "List the kernels of a cubin, a program, a cache folder or a SASS listing instead");
  cli::start_group(command, "Launch of a compiled kernel");
  cli::add_text(command, "-a,--arch", options->arch, "GPU", "GPU that the code is for");
  cli::add_launch_options(command, options->launch);
  cli::add_repeated(command, "-p,--param", options->param, "NAME=VALUE",
                    "Change a number below 'param' in the launch file (repeatable)");
  cli::add_text(command, "--max-warp-instructions", options->max_warp_instructions, "N",
                "Stop when a warp executes more instructions (default: 100,000,000)");
  cli::set_examples(command,
                    "gpusim trace import captured/kernelslist.g -o app.trace\n"
                    "gpusim trace import saxpy.sass -o saxpy.trace\n"
                    "gpusim trace import saxpy.sass --launch saxpy.yaml -o saxpy.gtrace\n"
                    "gpusim trace import saxpy.cubin:saxpy --launch saxpy.yaml -o saxpy.gtrace\n"
                    "gpusim trace import saxpy.cubin --list");
}

void add_export(cli::CommandSet& commands, CLI::App& trace) {
  const auto options = std::make_shared<TraceExportOptions>();
  CLI::App& command =
      commands.add(trace, "export", "Write a trace in the format of Accel-Sim", [options](const CLI::App& app) {
        cli::require(app, options->name, "the name of a trace");
        cli::require(app, options->output, "-o FOLDER");
        return cli::run_with(trace_export_command, *options);
      });
  cli::add_text(command, "NAME", options->name, "TRACE", "Trace: a name such as flashattn, or a file");
  cli::add_text(command, "-o,--output", options->output, "FOLDER", "Folder for kernelslist.g and its files");
  cli::add_repeated(command, "-p,--param", options->param, "NAME=VALUE", "Change a parameter (repeatable)");
  cli::add_flag(command, "--test-params", options->test_params, "Use the trace's small set of parameters");
  cli::add_text(command, "--kernel", options->kernel, "REGEX",
                "Only kernels whose name matches this regular expression");
  cli::add_text(command, "--ctas", options->ctas, "A..B", "Only these CTAs, as a launch of their own");
  cli::add_choice(command, "--for", options->reader, {"accel-sim"}, "Refuse what Accel-Sim cannot read");
  cli::set_examples(command,
                    "gpusim trace export saxpy -o folder --for accel-sim\n"
                    "gpusim trace export flashattn -o folder --param seq=1024 --ctas 0..7");
}

}  // namespace

void add_trace_commands(cli::CommandSet& commands) {
  const auto options = std::make_shared<TraceOptions>();
  CLI::App& trace = commands.add_group("trace", "Inspect, check, make, import and export traces");
  cli::set_examples(trace, "gpusim trace make --list attention\ngpusim trace info flashattn");
  const auto add = [&](const char* name, const char* what, TraceAction action, const char* examples) -> CLI::App& {
    CLI::App& command = commands.add(trace, name, what, [options, action](const CLI::App& app) {
      options->action = action;
      if (!options->list) {
        cli::require(app, options->name,
                     action == TraceAction::kMake ? "the name of a kernel, or --list" : "the name of a trace");
      }
      return cli::run_with(trace_command, *options);
    });
    cli::add_text(command, "NAME", options->name, action == TraceAction::kMake ? "KERNEL" : "TRACE",
                  action == TraceAction::kMake ? "Kernel of the library; with --list, a word to look for"
                                               : "Trace: a name such as flashattn, or a file");
    cli::add_repeated(command, "-p,--param", options->param, "NAME=VALUE", "Change a parameter (repeatable)");
    cli::add_flag(command, "--test-params", options->test_params, "Use the trace's small set of parameters");
    if (action != TraceAction::kMake) {
      cli::add_text(command, "--kernel", options->kernel, "REGEX",
                    "Only kernels whose name matches this regular expression");
    }
    cli::set_examples(command, examples);
    return command;
  };
  CLI::App& info = add("info", "Print the parameters, and what each kernel does: work, bytes, mix, divergence",
                       TraceAction::kInfo, "gpusim trace info flashattn\ngpusim trace info mine.trace --param n=4096");
  cli::add_choice(info, "-f,--format", options->format, {"text", "json"}, "Output format (default: text)");
  CLI::App& check = add("check", "Validate a trace: walk every warp through all its addresses", TraceAction::kCheck,
                        "gpusim trace check mine.trace\ngpusim trace check mine.trace --test-params");
  cli::add_text(check, "--max-instructions", options->max_instructions, "N",
                "Walk at most this many warp instructions of a kernel (default: 500,000,000)");
  CLI::App& dump = add("dump", "Print the expanded program, or the steps of one warp", TraceAction::kDump,
                       "gpusim trace dump saxpy\ngpusim trace dump saxpy --cta 3 --warp 1 --most 20");
  cli::add_text(dump, "--cta", options->cta, "N", "Print the steps of a warp of this CTA");
  cli::add_text(dump, "--warp", options->warp, "N", "Warp of the CTA (default: 0)");
  cli::add_text(dump, "--most", options->most, "N", "Largest number of steps (default: 1000)");
  CLI::App& make =
      add("make", "Write a kernel of the library as a trace, with the values you choose", TraceAction::kMake,
          "gpusim trace make --list attention\n"
          "gpusim trace make gemm-mma --param m=8192 --param type=f16 -o gemm.trace");
  cli::add_text(make, "-o,--output", options->output, "FILE", "File to write (default: standard output)");
  cli::add_flag(make, "--list", options->list, "List the kernels of the library with their parameters instead");
  cli::add_choice(make, "-f,--format", options->format, {"text", "json"}, "Format of the list (default: text)");
  add_import(commands, trace);
  add_export(commands, trace);
}

}  // namespace gpusim::commands
