// SPDX-License-Identifier: MIT
// gpusim sweep show.
#include <algorithm>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/sweep/analysis/cost.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/sweep/draw.h"
#include "sim/commands/sweep/run/model_version.h"
#include "sim/commands/sweep/run/summary.h"
#include "sim/commands/sweep/show.h"
#include "sim/commands/sweep/shown_points.h"
#include "sim/commands/sweep/store/store.h"
#include "sim/commands/sweep/study/study.h"
#include "sim/commands/sweep/swept_parts.h"
#include "sim/commands/sweep/text.h"
#include "sim/model/arch/schema.h"

namespace gpusim::commands {
namespace {

constexpr std::uint64_t kMostListed = 1'000'000;

sweep::KeySource key_source(SweptParts& parts) {
  sweep::KeySource source;
  source.find = [&parts](const sweep::PointRow& row, const std::string& key) { return parts.find(row, key); };
  for (const arch::Key& key : arch::schema()) {
    source.known.emplace_back(key.path);
  }
  source.known.push_back(sweep::kBandwidthKey);
  return source;
}

sweep::TextPairs places_of(const std::vector<std::string>& texts) {
  sweep::TextPairs out;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError("--at: '" + text + "' is not KEY=VALUE");
    }
    out.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

sweep::Question question_of(const SweepShowOptions& options, SweptParts& parts) {
  constexpr double kPercent = 100;
  sweep::Question question;
  question.metric = options.metric;
  question.cost = options.cost;
  question.top = cli::parse_count("--top", options.top, 1, kMostListed);
  question.knee_share = static_cast<double>(cli::parse_count("--knee", options.knee, 1, 100)) / kPercent;
  question.at = places_of(options.at);
  question.source = key_source(parts);
  return question;
}

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
    names.erase(std::ranges::unique(names).begin(), names.end());
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw InputError({{"--trace", 0, 0}, "no point is of '" + trace + "'", suggestion(trace, known)});
  }
}

const sweep::PointRow& best_of(const ShownPoints& points, const SweepShowOptions& options) {
  SweptParts parts(points.set);
  const sweep::Analysis analysis = sweep::analyse(points.rows, question_of(options, parts));
  if (analysis.traces.empty() || analysis.traces.front().order.empty()) {
    throw InputError({{"--result best", 0, 0}, "no point has a result", ""});
  }
  if (analysis.traces.size() > 1) {
    throw InputError({{"--result best", 0, 0}, "the points are of several traces", "--trace chooses one"});
  }
  return points.rows[analysis.traces.front().order.front()];
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
      options.result == "best" ? best_of(points, options) : point_with_key(points.rows, options.result);
  const std::optional<std::string> result = store.result(point.key);
  if (!result) {
    throw InputError({{"--result", 0, 0}, "point " + point.key + " has none: " + printable(point.reason), ""});
  }
  return *result;
}

/// For whoever looks for a plot in vain.
std::string drawn_text(const sweep::Pictures& pictures, const std::string& folder) {
  constexpr std::size_t kMostLeftOut = 8;
  std::string text = counted(pictures.drawn.size(), "plot") + " in " + folder;
  const std::size_t named = std::min(pictures.left_out.size(), kMostLeftOut);
  for (std::size_t i = 0; i < named; ++i) {
    text += (i == 0 ? "; not drawn: " : ", ") + pictures.left_out[i];
  }
  return named == pictures.left_out.size()
             ? text
             : text + " and " + with_thousands(pictures.left_out.size() - named) + " more";
}

}  // namespace

std::string show_points(const ShownPoints& points, const SweepShowOptions& options, const cli::Common& common) {
  SweptParts parts(points.set);
  sweep::Question question = question_of(options, parts);
  question.other_programs = points.other_programs;
  question.missing = points.missing.size();
  const sweep::Analysis analysis = sweep::analyse(points.rows, question);
  if (!options.svg.empty()) {
    const sweep::Pictures pictures = sweep::make_pictures(analysis);
    draw(pictures.drawn, options.svg);
    cli::log_info(drawn_text(pictures, options.svg));
  }
  if (options.format == "json") {
    return sweep::to_json(analysis);
  }
  return options.format == "csv" ? sweep::to_csv(analysis) : sweep::to_text(analysis, cli::look_of(common));
}

void check_cost(std::vector<sweep::PointRow> rows, const std::string& cost, const std::vector<std::string>& set) {
  SweptParts parts(set);
  for (sweep::PointRow& row : rows) {
    if (row.status != sweep::kSkipped) {
      sweep::pretend_done(row);
    }
  }
  static_cast<void>(sweep::costs_of(rows, cost, key_source(parts)));
}

int sweep_show_command(const SweepShowOptions& options, const cli::Common& common) {
  const sweep::Store store(options.db, sweep::Store::Access::kRead);
  if (options.study == "list") {
    cli::print(studies_text(store.studies(), cli::look_of(common)));
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
  with_cost.cost = options.cost.empty() ? points.cost : options.cost;
  cli::print(show_points(points, with_cost, common));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
