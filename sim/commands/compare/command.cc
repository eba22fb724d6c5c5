// SPDX-License-Identifier: MIT
#include "sim/commands/compare/command.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/base/output_file.h"
#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/compare/runs.h"
#include "sim/output/compare/comparison.h"
#include "sim/output/compare/writers.h"
#include "sim/output/html/page.h"

namespace gpusim::commands {
namespace {

/// Says every condition that holds; true when any does.
bool report_failures(const compare::Comparison& comparison) {
  bool any = false;
  for (const compare::Outcome& outcome : comparison.outcomes) {
    if (outcome.failed) {
      const compare::Run& run = comparison.runs[outcome.run];
      cli::log_error(fmt::format("--fail-if '{}' holds for {} ({}): {} is {:.6g}, the limit {:.6g}",
                                 clipped(outcome.condition.text, 60), run.name, clipped(printable(run.source), 60),
                                 outcome.condition.metric, outcome.value, outcome.limit));
      any = true;
    }
  }
  return any;
}

/// A page holds so many lines of kernels, each of some 700 bytes before compression.
constexpr std::size_t kMostPageLines = 10'000;

std::string page_of(const compare::Comparison& comparison, const std::vector<ComparedResult>& results) {
  std::vector<html::NamedResult> runs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    runs.push_back({comparison.runs[i].name + ": " + results[i].source, &results[i].result});
  }
  return html::compare_page(runs, compare::to_page_json(comparison, kMostPageLines));
}

}  // namespace

int compare_command(const CompareOptions& options, const cli::Common& common) {
  std::vector<compare::Condition> conditions;
  std::ranges::transform(options.fail_if, std::back_inserter(conditions), compare::parse_condition);
  cli::catch_interrupt();  // which may not leave a temporary file behind
  std::vector<std::optional<OutputFile>> files = cli::open_outputs(outputs_of(options));
  std::optional<OutputFile>& file = files[0];
  std::optional<OutputFile>& page = files[1];
  const std::vector<ComparedResult> results = results_to_compare(options, !common.quiet && cli::can_show_progress());
  std::vector<compare::Input> inputs;
  std::ranges::transform(results, std::back_inserter(inputs), [](const ComparedResult& each) {
    return compare::Input{each.source, &each.result};
  });
  compare::Comparison comparison = compare::compare(inputs);
  comparison.outcomes = compare::check(conditions, comparison);
  const std::string json = file || options.format == "json" ? compare::to_json(comparison) : "";
  if (file) {
    cli::commit_told(*file, json);
  }
  if (page) {
    cli::commit_told(*page, page_of(comparison, results));
  }
  if (options.format == "json") {
    cli::print(json);
  }
  if (options.format == "text") {
    cli::print(compare::to_text(comparison, {cli::look_of(common), options.details}));
  }
  return report_failures(comparison) ? cli::Exit::kMissed : cli::Exit::kDone;
}

}  // namespace gpusim::commands
