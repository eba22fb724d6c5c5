// SPDX-License-Identifier: MIT
#include "sim/app/command_line.h"

#include <optional>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/arch/command.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/compare/command.h"
#include "sim/commands/disasm/command.h"
#include "sim/commands/exec/command.h"
#include "sim/commands/lab/command.h"
#include "sim/commands/occupancy/command.h"
#include "sim/commands/report/command.h"
#include "sim/commands/roofline/command.h"
#include "sim/commands/run/command.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/trace/command.h"
#include "sim/commands/validate/command.h"
#include "sim/output/report/report.h"

namespace gpusim::app {
namespace {

constexpr const char* kExamples = R"(Examples:
  gpusim --arch h100.yaml --trace flashattn.trace
  gpusim --arch h100 --trace flashattn --param seq=8192 --json result.json
  gpusim --arch h100 --trace saxpy --set dram.bandwidth=4.8TB/s --cache cold --details
  gpusim --arch a100 --trace transpose --ctas 0..63 --watch sm=0,warp=3,cycles=0..400
  gpusim --arch a100 --trace captured/kernelslist.g --kernel 'gemm.*' --format csv
  gpusim roofline --arch h100 --flops '2.2 TFLOP' --bytes '412 MB'    (or --operations, or --result result.json)
  gpusim sweep --arch h100 --trace flashattn --vary sm.count=66,99,132,160 --vary dram.bandwidth=1x..2x:5
  gpusim trace make --list       gpusim trace make gemm-mma --param m=8192 --param type=f16 -o gemm.trace
  gpusim compare before.json after.json --fail-if 'time_us > 1.02x'      (or --arch h100 --trace a --trace b)
  gpusim arch show h100          gpusim trace info flashattn          gpusim report result.json
  gpusim occupancy --arch h100 --regs 168 --block 128 --smem 48KiB+48KiB
  gpusim validate --suite micro --arch a6000
  gpusim disasm saxpy.cubin --control            gpusim trace import saxpy.cubin --list
  gpusim exec saxpy.cu --grid 4 --block 256 --arg n=1024 --arg a=2.0 --arg x=f32[n]:random --arg y=f32[n]:zeros

Architectures and traces are paths, or names looked up in configs/ and traces/ of the project, where they were
installed, and in the folders of GPUSIM_PATH. Exit codes: 0 done, 1 wrong usage, 2 bad input, 3 the simulation
cannot finish, 4 an internal error, 5 a threshold missed or a condition of --fail-if met, 130 interrupted (with a
partial result; 143 by SIGTERM, 129 by SIGHUP).)";

void declare(cli::CommandSet& set) {
  constexpr std::size_t kOptionColumn = 38;
  CLI::App& app = set.root();
  app.get_formatter()->column_width(kOptionColumn);
  app.set_version_flag("--version", "gpusim " + std::string(report::version()));
  app.footer(kExamples);
  commands::add_run_command(set);
  commands::add_arch_command(set);
  commands::add_trace_commands(set);
  commands::add_disasm_command(set);
  commands::add_exec_command(set);
  commands::add_report_command(set);
  commands::add_compare_command(set);
  commands::add_occupancy_command(set);
  commands::add_roofline_command(set);
  commands::add_validate_command(set);
  commands::add_sweep_commands(set);
  commands::add_lab_commands(set);
}

/// Words that no option takes are ours to refuse, in every command.
void allow_extras(CLI::App& app) {
  app.allow_extras();
  for (CLI::App* command : app.get_subcommands({})) {
    allow_extras(*command);
  }
}

/// The innermost command that was given.
const CLI::App& innermost(const CLI::App& app) {
  const auto& commands = app.get_subcommands();
  return commands.empty() ? app : innermost(*commands.front());
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
  throw UsageError(std::string(is_option ? "unknown option '" : "unexpected '") + word + "' of '" +
                   cli::path_of(command) + "'" + (hint.empty() ? "" : " (" + hint + ")"));
}

/// Whether every word is an option or its value: then it is the main job, unless the parser says otherwise.
bool looks_like_main_job(int argc, const char* const* argv) {
  bool was_option = false;
  for (int i = 1; i < argc; ++i) {
    const bool is_option = argv[i][0] == '-';
    if (!is_option && !was_option) {
      return false;
    }
    was_option = is_option;
  }
  return argc > 1;
}

/// The main job without the other commands, whose options are most of what there is to set up. Nothing when anything is
/// wrong or is asked that they have to do with.
std::optional<CommandLine> parse_main_job(int argc, const char* const* argv) {
  CLI::App app;
  cli::CommandSet set(app);
  commands::add_run_command(set);
  allow_extras(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Error&) {
    return std::nullopt;
  }
  return app.remaining(true).empty() ? std::optional(CommandLine{set.take(innermost(app)), set.common()})
                                     : std::nullopt;
}

/// Prints a text, such as the help, and is done.
cli::Action show(const std::string& text) {
  return [text](const cli::Common&) {
    cli::print(text);
    return cli::kDone;
  };
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  if (looks_like_main_job(argc, argv)) {
    if (std::optional<CommandLine> line = parse_main_job(argc, argv)) {
      return *std::move(line);
    }
  }
  CLI::App app("gpusim replays a GPU kernel's trace on a described GPU and says how long it takes, and why.", "gpusim");
  app.require_subcommand(0, 1);  // so that a value such as the lab "roofline" is not taken for one more command
  cli::CommandSet set(app);
  declare(set);
  allow_extras(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return {show(app.help()), {}};
  } catch (const CLI::CallForVersion& version) {
    return {show(std::string(version.what()) + "\n"), {}};
  } catch (const CLI::ArgumentMismatch& error) {
    // CLI11 says "--arch: 1 required TEXT missing".
    const std::string text = error.what();
    throw UsageError(text.substr(0, text.find(':')) + " needs one value");
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  refuse_extras(app);
  return {set.take(innermost(app)), set.common()};
}

}  // namespace gpusim::app
