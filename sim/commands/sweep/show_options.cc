// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/sweep/command.h"

namespace gpusim::commands {
namespace {

constexpr const char* kShowExamples = R"(Examples:
  gpusim sweep show
  gpusim sweep show --study all --trace flashattn --metric tflops
  gpusim sweep show --cost 'sm.count + dram.bandwidth / 20 GB/s' --svg plots
  gpusim sweep show --at sm.count=132 --knee 80
  gpusim sweep show --metric tflops --html sweep.html
  gpusim sweep show --db points.db --format csv > points.csv
  gpusim sweep show --result best > best.json && gpusim report best.json

Exit codes: 0 done, 1 wrong usage, 2 bad input, such as a database or a study that is not there.)";

}  // namespace

void add_sweep_show_command(cli::CommandSet& commands, CLI::App& sweep) {
  const auto options = std::make_shared<SweepShowOptions>();
  CLI::App& command = commands.add(sweep, "show", "What the stored points of a sweep teach",
                                   [options](const CLI::App&) { return cli::run_with(sweep_show_command, *options); });
  cli::add_text(command, "--db", options->db, "FILE", "The database of points (default gpusim-sweep.db here)");
  cli::add_text(command, "--study", options->study, "NAME|N|last|all|list",
                "Whose points (default last: of the study run last); list: names and numbers of studies");
  cli::add_text(command, "-t,--trace", options->trace, "NAME", "Only points of this trace, named as it was swept");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json", "csv"}, "Output format (default text)");
  cli::add_text(command, "--metric", options->metric, "NAME",
                "What points are judged by (default time_us): cycles, tflops, ...");
  cli::add_text(command, "--cost", options->cost, "FORMULA", "Cost of a point, such as 'sm.count + l2.bytes / 1 MiB'");
  cli::add_repeated(command, "--at", options->at, "KEY=VALUE",
                    "Where the curves cut through the other keys (repeatable)");
  cli::add_text(command, "--knee", options->knee, "PERCENT", "Returns below which a curve has its knee (default 50)");
  cli::add_text(command, "--svg", options->svg, "FOLDER", "Draw the curves, maps and fronts with gnuplot");
  cli::add_text(command, "--html", options->html, "FILE", "Write the points as one page to look at, too");
  cli::add_text(command, "--top", options->top, "N", "Best points listed of each trace (default 10)");
  cli::add_text(command, "--result", options->result, "best|KEY",
                "Only the whole result of that point, as JSON for `gpusim report`; JSON and CSV have the keys");
  cli::set_examples(command, kShowExamples);
}

}  // namespace gpusim::commands
