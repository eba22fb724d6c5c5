// SPDX-License-Identifier: MIT
#include "sim/app/command_line.h"

#include <string_view>

#include <CLI/CLI.hpp>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/report/report.h"

namespace gpusim::app {
namespace {

constexpr const char* kExamples = R"(Examples:
  gpusim --arch h100.yaml --trace flashattn.trace
  gpusim --arch h100 --trace flashattn --param seq=8192 --json result.json
  gpusim --arch h100 --trace saxpy --set dram.bandwidth=4.8TB/s --cache cold --details
  gpusim --arch a100 --trace transpose --ctas 0..63 --watch sm=0,warp=3,cycles=0..400
  gpusim --arch a100 --trace captured/kernelslist.g --kernel 'gemm.*' --format csv
  gpusim arch show h100          gpusim trace info flashattn          gpusim report result.json

Architectures and traces are paths, or names looked up in configs/ and traces/ of the project, where they were
installed, and in the folders of GPUSIM_PATH. Exit codes: 0 done, 1 wrong usage, 2 bad input, 3 the simulation
cannot finish, 4 a fault of gpusim, 130 interrupted (with a partial result).)";

/// Every option of every command; CLI11 fills it while it parses.
struct Parsed {
  RunOptions run;
  ArchOptions arch;
  TraceOptions trace;
  ReportOptions report;
  bool quiet = false;
  std::string colour = "auto";
};

/// An option that may be repeated, with one value each time.
void repeated(CLI::App& app, const char* name, std::vector<std::string>& values, const char* value, const char* what) {
  app.add_option(name, values, what)->option_text(value)->allow_extra_args(false);
}

void text(CLI::App& app, const char* name, std::string& value, const char* shown, const char* what) {
  app.add_option(name, value, what)->option_text(shown);
}

void choice(CLI::App& app, const char* name, std::string& value, const std::vector<std::string>& words,
            const char* what) {
  std::string shown;
  for (const std::string& word : words) {
    shown += (shown.empty() ? "" : "|") + word;
  }
  app.add_option(name, value, what)->option_text(shown)->check(CLI::IsMember(words));
}

void add_common(CLI::App& app, Parsed& parsed) {
  app.add_flag("-q,--quiet", parsed.quiet, "No progress and no remarks on standard error; errors only");
  choice(app, "--color", parsed.colour, {"auto", "always", "never"}, "Colour; auto: on a terminal, without NO_COLOR");
}

void add_run_options(CLI::App& app, Parsed& parsed) {
  RunOptions& run = parsed.run;
  text(app, "-a,--arch", run.arch, "FILE|NAME", "The GPU: an architecture file");
  text(app, "-t,--trace", run.trace, "FILE|NAME", "The kernels: a .trace, or kernelslist.g or .traceg of Accel-Sim");
  repeated(app, "-s,--set", run.set, "KEY=VALUE", "Change a value of the architecture (repeatable)");
  repeated(app, "-p,--param", run.param, "NAME=VALUE", "Change a parameter of the trace (repeatable)");
  app.add_flag("--test-params", run.test_params, "Use the trace's small set of parameters");
  text(app, "--kernel", run.kernel, "REGEX", "Only kernels whose name matches");
  text(app, "--ctas", run.ctas, "FIRST..LAST", "Only these CTAs of each kernel, within its grid");
  choice(app, "--cache", run.cache, {"cold", "warm"}, "Caches at the start (warm: after an untimed pass)");
  text(app, "--max-cycles", run.max_cycles, "N", "Give up when a kernel takes longer");
  text(app, "-j,--threads", run.threads, "N", "Host threads (default: all); results do not depend on it");
  choice(app, "-f,--format", run.format, {"text", "json", "csv"}, "Of the result on standard output");
  app.add_flag("-d,--details", run.details, "Show everything in the text report");
  text(app, "--json", run.json, "FILE", "Write the result as JSON, too");
  text(app, "--watch", run.watch, "sm=S,warp=W,cycles=A..B", "Show a timeline of warp states (without warp: of all)");
  add_common(app, parsed);
}

CLI::App* add_command(CLI::App& app, const char* name, const char* what, Parsed& parsed) {
  CLI::App* const command = app.add_subcommand(name, what);
  add_common(*command, parsed);
  return command;
}

void add_arch_commands(CLI::App& app, Parsed& parsed) {
  CLI::App* const arch = app.add_subcommand("arch", "Architecture files: list, show, check");
  add_command(*arch, "list", "The architectures that are found by name", parsed);
  for (const auto& [name, what] : {std::pair{"show", "The resolved file, and its peaks beside the vendor's"},
                                   std::pair{"check", "Say whether the file is right; all problems at once"}}) {
    CLI::App* const command = add_command(*arch, name, what, parsed);
    text(*command, "NAME", parsed.arch.name, "FILE|NAME", "The architecture");
    repeated(*command, "-s,--set", parsed.arch.set, "KEY=VALUE", "Change a value (repeatable)");
  }
}

void add_trace_commands(CLI::App& app, Parsed& parsed) {
  TraceOptions& options = parsed.trace;
  CLI::App* const trace = app.add_subcommand("trace", "Traces: info, check, dump");
  for (const auto& [name, what] : {std::pair{"info", "Parameters, kernels, and what a CTA does"},
                                   std::pair{"check", "Walk warps through all their addresses; all problems at once"},
                                   std::pair{"dump", "The expanded program, or what one warp does"}}) {
    CLI::App* const command = add_command(*trace, name, what, parsed);
    text(*command, "NAME", options.name, "FILE|NAME", "The trace");
    repeated(*command, "-p,--param", options.param, "NAME=VALUE", "Change a parameter (repeatable)");
    command->add_flag("--test-params", options.test_params, "Use the trace's small set of parameters");
    text(*command, "--kernel", options.kernel, "REGEX", "Only kernels whose name matches");
    if (std::string_view(name) == "dump") {
      text(*command, "--cta", options.cta, "N", "Show what a warp of this CTA does");
      text(*command, "--warp", options.warp, "N", "Which warp of the CTA (default 0)");
      text(*command, "--most", options.most, "N", "At most so many steps (default 1000)");
    }
  }
}

void add_report_command(CLI::App& app, Parsed& parsed) {
  CLI::App* const command = add_command(app, "report", "A result saved with --json, rendered again", parsed);
  text(*command, "FILE", parsed.report.file, "FILE", "The saved result");
  choice(*command, "-f,--format", parsed.report.format, {"text", "json", "csv"}, "Of what is printed");
  command->add_flag("-d,--details", parsed.report.details, "Show everything in the text report");
}

void build(CLI::App& app, Parsed& parsed) {
  constexpr std::size_t kOptionColumn = 38;
  app.get_formatter()->column_width(kOptionColumn);
  app.set_version_flag("--version", "gpusim " + std::string(report::version()));
  app.footer(kExamples);
  app.allow_extras();
  add_run_options(app, parsed);
  add_run_options(*app.add_subcommand("run", "The same as without a command: simulate and explain"), parsed);
  add_arch_commands(app, parsed);
  add_trace_commands(app, parsed);
  add_report_command(app, parsed);
  for (CLI::App* command : app.get_subcommands({})) {
    command->allow_extras();
    for (CLI::App* inner : command->get_subcommands({})) {
      inner->allow_extras();
    }
  }
}

/// The innermost command that was given.
const CLI::App& innermost(const CLI::App& app) {
  const auto& commands = app.get_subcommands();
  return commands.empty() ? app : innermost(*commands.front());
}

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? "gpusim" : path_of(*app.get_parent()) + " " + app.get_name();
}

/// CLI11 would say "The following arguments were not expected"; we say what was probably meant.
void refuse_extras(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining(true);
  if (extras.empty()) {
    return;
  }
  const CLI::App& command = innermost(app);
  const std::string word = extras.front().substr(0, extras.front().find('='));
  const bool is_option = word.starts_with("-") && word != "-";
  std::vector<std::string> names;
  if (is_option) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        names.push_back("--" + name);
      }
    }
  } else {
    for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(inner->get_name());
    }
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string hint = suggestion(word, known);
  throw UsageError(std::string(is_option ? "unknown option '" : "unexpected '") + word + "' of '" + path_of(command) +
                   "'" + (hint.empty() ? "" : " (" + hint + ")"));
}

/// "list, show or check".
std::string command_list(const CLI::App& app) {
  std::string out;
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  for (std::size_t i = 0; i < commands.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == commands.size() ? " or " : ", ") + commands[i]->get_name();
  }
  return out;
}

void require(const CLI::App& command, const std::string& value, const std::string& what) {
  if (value.empty()) {
    throw UsageError("'" + path_of(command) + "' needs " + what);
  }
}

CommandLine command_of(const CLI::App& app, Parsed& parsed) {
  CommandLine out{RunOptions(), parsed.quiet, parsed.colour};
  const CLI::App& command = innermost(app);
  const std::string path = path_of(command);
  if (path == "gpusim" || path == "gpusim run") {
    require(command, parsed.run.arch, "--arch FILE|NAME, for example --arch h100.yaml");
    require(command, parsed.run.trace, "--trace FILE|NAME, for example --trace flashattn.trace");
    out.command = std::move(parsed.run);
  } else if (path == "gpusim arch" || path == "gpusim trace") {
    throw UsageError("'" + path + "' needs a command: " + command_list(command));
  } else if (path.starts_with("gpusim arch ")) {
    parsed.arch.action = path.ends_with(" list")   ? ArchAction::kList
                         : path.ends_with(" show") ? ArchAction::kShow
                                                   : ArchAction::kCheck;
    if (parsed.arch.action != ArchAction::kList) {
      require(command, parsed.arch.name, "the name of an architecture");
    }
    out.command = std::move(parsed.arch);
  } else if (path.starts_with("gpusim trace ")) {
    parsed.trace.action = path.ends_with(" info")    ? TraceAction::kInfo
                          : path.ends_with(" check") ? TraceAction::kCheck
                                                     : TraceAction::kDump;
    require(command, parsed.trace.name, "the name of a trace");
    out.command = std::move(parsed.trace);
  } else {
    require(command, parsed.report.file, "the file of a saved result");
    out.command = std::move(parsed.report);
  }
  return out;
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CLI::App app("gpusim replays a GPU kernel's trace on a described GPU and says how long it takes, and why.", "gpusim");
  Parsed parsed;
  build(app, parsed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return {Message{innermost(app).help()}, false, "auto"};
  } catch (const CLI::CallForVersion& version) {
    return {Message{std::string(version.what()) + "\n"}, false, "auto"};
  } catch (const CLI::ArgumentMismatch& error) {
    // CLI11 says "--arch: 1 required TEXT missing".
    const std::string text = error.what();
    throw UsageError(text.substr(0, text.find(':')) + " needs one value");
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  refuse_extras(app);
  return command_of(app, parsed);
}

}  // namespace gpusim::app
