// SPDX-License-Identifier: MIT
// gpusim sweep show.
#include <algorithm>
#include <memory>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/pager.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/sweep/prices.h"
#include "sim/commands/sweep/run/model_version.h"
#include "sim/commands/sweep/show.h"
#include "sim/commands/sweep/shown_points.h"
#include "sim/commands/sweep/store/store.h"
#include "sim/commands/sweep/text.h"

namespace gpusim::commands {
namespace {

void keep_trace(const std::string& trace, ShownPoints& points) {
  if (trace.empty()) {
    return;
  }
  std::vector<sweep::PointRow>& rows = points.rows;
  std::vector<std::string> names;
  for (const sweep::PointRow& row : rows) {
    names.push_back(row.trace);
  }
  const auto is_other = [&trace](const sweep::PointRow& row) { return row.trace != trace; };
  std::erase_if(points.missing, is_other);
  std::erase_if(rows, is_other);
  if (rows.empty() && points.missing.empty()) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw InputError({{"--trace", 0, 0}, "no point is of '" + trace + "'", suggestion(trace, known)});
  }
}

const sweep::PointRow& point_with_key(const std::vector<sweep::PointRow>& rows, const std::string& begin) {
  const sweep::PointRow* found = nullptr;
  for (const sweep::PointRow& row : rows) {
    if (row.key.starts_with(begin)) {
      if (found != nullptr && found->key != row.key) {
        throw InputError({{"--result", 0, 0}, "more than one key begins with '" + begin + "'", "more of its digits"});
      }
      found = &row;
    }
  }
  if (found == nullptr) {
    throw InputError({{"--result", 0, 0},
                      "no point has a key that begins with '" + begin + "'",
                      "`gpusim sweep show --format csv` lists the keys; 'best' is the best point"});
  }
  return *found;
}

/// The JSON that `gpusim run` gave for a point.
std::string result_of(const sweep::Store& store, const ShownPoints& points, const SweepShowOptions& options) {
  const sweep::PointRow& point =
      options.result == "best" ? best_point(points, options) : point_with_key(points.rows, options.result);
  const std::optional<std::string> result = store.result(point.key);
  if (!result) {
    throw InputError({{"--result", 0, 0}, "point " + point.key + " has none: " + printable(point.reason), ""});
  }
  return *result;
}

/// Opened first, so that a page that cannot be written is known before a long analysis. Null: none was asked for.
std::unique_ptr<OutputFile> page_file(const SweepShowOptions& options) {
  if (options.html.empty()) {
    return nullptr;
  }
  if (!options.result.empty() || options.study == "list") {
    throw UsageError("--html: the page shows points; --result and --study list print something else");
  }
  if (options.html == "-") {
    throw UsageError("--html: '-' is not a file");
  }
  refuse_to_replace(options.html, options.db);
  cli::catch_interrupt();  // which may not leave a temporary file behind
  return std::make_unique<OutputFile>(options.html);
}

}  // namespace

int sweep_show_command(const SweepShowOptions& options, const cli::Common& common) {
  const std::unique_ptr<OutputFile> page = page_file(options);
  const sweep::Store store(options.db, sweep::Store::Access::kRead);
  if (options.study == "list") {
    cli::print_list(studies_text(store.studies(), cli::look_of(common)), common);
    return cli::Exit::kDone;
  }
  ShownPoints points = options.study == "all" ? points_of_all(store) : points_of_study(store, options.study);
  keep_trace(options.trace, points);
  points.other_programs = drop_other_programs(points.rows, sweep::program_version());
  if (!options.result.empty()) {
    cli::print(result_of(store, points, options));
    return cli::Exit::kDone;
  }
  SweepShowOptions with_cost = options;
  with_cost.cost = cost_of(options.cost, points.cost, Prices(options.prices));
  cli::print(show_points(points, with_cost, common, page.get()));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
