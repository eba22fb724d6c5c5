// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/app/options.h"

namespace gpusim::app {

void add_sweep_show_options(CommandSet& commands, CLI::App& sweep) {
  const auto options = std::make_shared<SweepShowOptions>();
  CLI::App& command = commands.add(sweep, "show", "What the stored points of a sweep teach",
                                   [options](const CLI::App&) { return *options; });
  add_text(command, "--db", options->db, "FILE", "The database of points");
  add_text(command, "--study", options->study, "NAME|last|all", "Whose points; last: of the study run last");
  add_text(command, "-t,--trace", options->trace, "NAME", "Only points of this trace, named as it was swept");
  add_choice(command, "-f,--format", options->format, {"text", "json", "csv"}, "Of what is printed");
  add_text(command, "--metric", options->metric, "NAME", "What points are judged by: time_us, cycles, tflops, ...");
  add_text(command, "--cost", options->cost, "FORMULA", "Cost of a point, such as 'sm.count + l2.bytes / 1 MiB'");
  add_repeated(command, "--at", options->at, "KEY=VALUE", "Where the curves cut through the other keys (repeatable)");
  add_text(command, "--knee", options->knee, "PERCENT", "Returns below which a curve has its knee");
  add_text(command, "--svg", options->svg, "FOLDER", "Draw the curves, maps and fronts with gnuplot");
  add_text(command, "--top", options->top, "N", "Best points listed of each trace");
}

}  // namespace gpusim::app
