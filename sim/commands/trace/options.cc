// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/trace/command.h"

namespace gpusim::commands {
namespace {

void add_import(cli::CommandSet& commands, CLI::App& trace) {
  const auto options = std::make_shared<TraceImportOptions>();
  CLI::App& command = commands.add(trace, "import", "Make a trace from a recording of Accel-Sim, or from SASS",
                                   [options](const CLI::App& app) {
                                     cli::require(app, options->name, "the name of a trace");
                                     if (options->list) {
                                       if (!options->output.empty()) {
                                         throw UsageError("-o does not go with --list, which prints a table");
                                       }
                                       return cli::run_with(list_kernels_command, *options);
                                     }
                                     cli::require(app, options->output, "-o FILE");
                                     return cli::run_with(trace_import_command, *options);
                                   });
  cli::add_text(command, "NAME", options->name, "FILE",
                "kernelslist.g, one kernel's .traceg, also in xz, or a listing; compiled code with --list");
  cli::add_text(command, "-o,--output", options->output, "FILE", "The file to write, as app.trace; -: standard output");
  cli::add_flag(command, "--list", options->list, "Show the kernels of a cubin, a program or a cache folder instead");
}

void add_export(cli::CommandSet& commands, CLI::App& trace) {
  const auto options = std::make_shared<TraceExportOptions>();
  CLI::App& command =
      commands.add(trace, "export", "Write a trace as Accel-Sim's tracer would", [options](const CLI::App& app) {
        cli::require(app, options->name, "the name of a trace");
        cli::require(app, options->output, "-o FOLDER");
        return cli::run_with(trace_export_command, *options);
      });
  cli::add_text(command, "NAME", options->name, "FILE|NAME", "The trace");
  cli::add_text(command, "-o,--output", options->output, "FOLDER", "Where kernelslist.g and its files go");
  cli::add_repeated(command, "-p,--param", options->param, "NAME=VALUE", "Change a parameter (repeatable)");
  cli::add_flag(command, "--test-params", options->test_params, "Use the trace's small set of parameters");
  cli::add_text(command, "--kernel", options->kernel, "REGEX", "Only kernels whose name matches");
  cli::add_text(command, "--ctas", options->ctas, "A..B", "Only these CTAs, as a launch of their own");
  cli::add_choice(command, "--for", options->reader, {"accel-sim"}, "Refuse what this reader does not know");
}

}  // namespace

void add_trace_commands(cli::CommandSet& commands) {
  const auto options = std::make_shared<TraceOptions>();
  CLI::App& trace = commands.add_group("trace", "Traces: info, check, dump, make, import, export");
  const auto add = [&](const char* name, const char* what, TraceAction action) -> CLI::App& {
    CLI::App& command = commands.add(trace, name, what, [options, action](const CLI::App& app) {
      options->action = action;
      if (!options->list) {
        cli::require(app, options->name,
                     action == TraceAction::kMake ? "the name of a kernel, or --list" : "the name of a trace");
      }
      return cli::run_with(trace_command, *options);
    });
    cli::add_text(command, "NAME", options->name, action == TraceAction::kMake ? "KERNEL" : "FILE|NAME", "The trace");
    cli::add_repeated(command, "-p,--param", options->param, "NAME=VALUE", "Change a parameter (repeatable)");
    cli::add_flag(command, "--test-params", options->test_params, "Use the trace's small set of parameters");
    if (action != TraceAction::kMake) {
      cli::add_text(command, "--kernel", options->kernel, "REGEX", "Only kernels whose name matches");
    }
    return command;
  };
  CLI::App& info =
      add("info", "Parameters, and what each kernel does: work, bytes, mix, divergence", TraceAction::kInfo);
  cli::add_choice(info, "-f,--format", options->format, {"text", "json"}, "Of what is printed");
  CLI::App& check = add("check", "Validate the file: walk warps through all their addresses", TraceAction::kCheck);
  cli::add_text(check, "--max-instructions", options->max_instructions, "N",
                "Walk at most so many warp instructions of a kernel (default: 20,000,000)");
  CLI::App& dump = add("dump", "The expanded program, or what one warp does", TraceAction::kDump);
  cli::add_text(dump, "--cta", options->cta, "N", "Show what a warp of this CTA does");
  cli::add_text(dump, "--warp", options->warp, "N", "Which warp of the CTA (default 0)");
  cli::add_text(dump, "--most", options->most, "N", "At most so many steps (default 1000)");
  CLI::App& make = add("make", "A kernel of the library as a trace, with the values you choose", TraceAction::kMake);
  cli::add_text(make, "-o,--output", options->output, "FILE",
                "Where to write it (-, and the default: standard output)");
  cli::add_flag(make, "--list", options->list, "Name the kernels with their parameters instead");
  cli::add_choice(make, "-f,--format", options->format, {"text", "json"}, "Of the list");
  add_import(commands, trace);
  add_export(commands, trace);
}

}  // namespace gpusim::commands
