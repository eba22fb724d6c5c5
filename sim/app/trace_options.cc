// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/app/options.h"

namespace gpusim::app {

void add_trace_options(CommandSet& commands) {
  const auto options = std::make_shared<TraceOptions>();
  CLI::App& trace = commands.add_group("trace", "Traces: info, check, dump, make");
  const auto add = [&](const char* name, const char* what, TraceAction action) -> CLI::App& {
    CLI::App& command = commands.add(trace, name, what, [options, action](const CLI::App& app) {
      options->action = action;
      if (!options->list) {
        require(app, options->name,
                action == TraceAction::kMake ? "the name of a kernel, or --list" : "the name of a trace");
      }
      return *options;
    });
    add_text(command, "NAME", options->name, action == TraceAction::kMake ? "KERNEL" : "FILE|NAME", "The trace");
    add_repeated(command, "-p,--param", options->param, "NAME=VALUE", "Change a parameter (repeatable)");
    add_flag(command, "--test-params", options->test_params, "Use the trace's small set of parameters");
    if (action != TraceAction::kMake) {
      add_text(command, "--kernel", options->kernel, "REGEX", "Only kernels whose name matches");
    }
    return command;
  };
  CLI::App& info =
      add("info", "Parameters, and what each kernel does: work, bytes, mix, divergence", TraceAction::kInfo);
  add_choice(info, "-f,--format", options->format, {"text", "json"}, "Of what is printed");
  add("check", "Walk warps through all their addresses; all problems at once", TraceAction::kCheck);
  CLI::App& dump = add("dump", "The expanded program, or what one warp does", TraceAction::kDump);
  add_text(dump, "--cta", options->cta, "N", "Show what a warp of this CTA does");
  add_text(dump, "--warp", options->warp, "N", "Which warp of the CTA (default 0)");
  add_text(dump, "--most", options->most, "N", "At most so many steps (default 1000)");
  CLI::App& make = add("make", "A kernel of the library as a trace, with the values you choose", TraceAction::kMake);
  add_text(make, "-o,--output", options->output, "FILE", "Where to write it (default: standard output)");
  add_flag(make, "--list", options->list, "Name the kernels with their parameters instead");
  add_choice(make, "-f,--format", options->format, {"text", "json"}, "Of the list");
}

}  // namespace gpusim::app
