// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/sweep/command.h"

namespace gpusim::commands {
namespace {

constexpr const char* kShowExamples = R"(gpusim sweep show
gpusim sweep show --study all --trace flashattn --metric tflops
gpusim sweep show --cost 'sm.count + dram.bandwidth / 20 GB/s' --svg plots
gpusim sweep show --price h100=2.99,a100=1.49
gpusim sweep show --at sm.count=132 --knee 80
gpusim sweep show --metric tflops --html sweep.html
gpusim sweep show --db points.db --format csv > points.csv
gpusim sweep show --result best > best.json && gpusim report best.json

Exit codes: 0 done, 1 wrong usage, 2 bad input, such as a database or a study that is not there.)";

}  // namespace

void add_sweep_show_command(cli::CommandSet& commands, CLI::App& sweep) {
  const auto options = std::make_shared<SweepShowOptions>();
  CLI::App& command =
      commands.add(sweep, "show", "Analyse the stored points: best points, sensitivities, Pareto fronts",
                   [options](const CLI::App&) { return cli::run_with(sweep_show_command, *options); });
  cli::start_group(command, "Which points");
  cli::add_text(command, "--db", options->db, "FILE", "Database of the points (default: gpusim-sweep.db)");
  cli::add_text(command, "--study", options->study, "NAME|N|last|all|list",
                "Study to show (default: last); list prints the names and numbers of all");
  cli::add_text(command, "-t,--trace", options->trace, "NAME", "Only points of this trace, by the name that was swept");
  cli::start_group(command, "Analysis and output");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json", "csv"}, "Output format (default: text)");
  cli::add_text(command, "--metric", options->metric, "NAME",
                "Metric that points are judged by, such as cycles or tflops (default: time_us)");
  cli::add_text(command, "--cost", options->cost, "FORMULA", "Cost of a point, such as 'sm.count + l2.bytes / 1 MiB'");
  cli::add_text(command, "--price", options->prices, "NAME=USD,...",
                "Price of an hour on each architecture; without --cost it is the cost");
  cli::add_repeated(command, "--at", options->at, "KEY=VALUE",
                    "Value of a key at which the other curves are drawn (repeatable)");
  cli::add_text(command, "--knee", options->knee, "PERCENT",
                "Gain in % below which a curve has its knee (default: 50)");
  cli::add_text(command, "--svg", options->svg, "FOLDER",
                "Folder for pictures of the curves, maps and fronts, drawn with gnuplot");
  cli::add_text(command, "--html", options->html, "FILE", "Also write the points as one interactive page");
  cli::add_text(command, "--top", options->top, "N", "Number of best points to list for each trace (default: 10)");
  cli::add_text(command, "--result", options->result, "best|KEY",
                "Print only the result of that point, as JSON for 'gpusim report'; KEY is in the JSON and the CSV");
  cli::set_examples(command, kShowExamples);
}

}  // namespace gpusim::commands
