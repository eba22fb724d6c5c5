// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/show.h"

#include <algorithm>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/sweep/analysis/cost.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/sweep/draw.h"
#include "sim/commands/sweep/prices.h"
#include "sim/commands/sweep/run/summary.h"
#include "sim/commands/sweep/shown_points.h"
#include "sim/commands/sweep/steps/step_row.h"
#include "sim/commands/sweep/study/study.h"
#include "sim/commands/sweep/swept_gpus.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/schema.h"
#include "sim/output/html/page.h"

namespace gpusim::commands {
namespace {

constexpr std::uint64_t kMostListed = 1'000'000;

sweep::KeySource key_source(SweptGpus& gpus, const Prices& prices) {
  sweep::KeySource source;
  source.find = [&gpus, &prices](const sweep::PointRow& row, const std::string& key) {
    const std::optional<std::string> price = key == kPriceKey ? prices.of(row.arch) : std::nullopt;
    return price ? price : gpus.find(row, key);
  };
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

sweep::Question question_of(const SweepShowOptions& options, SweptGpus& gpus, const Prices& prices) {
  constexpr double kPercent = 100;
  sweep::Question question;
  question.metric = options.metric;
  question.cost = options.cost;
  question.cost_is_price = options.cost == kPriceKey;
  question.top = cli::parse_count("--top", options.top, 1, kMostListed);
  question.knee_share = static_cast<double>(cli::parse_count("--knee", options.knee, 1, 100)) / kPercent;
  question.at = places_of(options.at);
  question.source = key_source(gpus, prices);
  return question;
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

const sweep::PointRow& best_point(const ShownPoints& points, const SweepShowOptions& options) {
  SweptGpus gpus(points.set);
  const Prices prices(options.prices);
  prices.require_gpus(points.rows);
  const sweep::Analysis analysis = sweep::analyse(points.rows, question_of(options, gpus, prices));
  if (analysis.traces.empty() || analysis.traces.front().order.empty()) {
    throw InputError({{"--result best", 0, 0}, "no point has a result", ""});
  }
  if (analysis.traces.size() > 1) {
    throw InputError({{"--result best", 0, 0}, "the points are of several traces", "--trace chooses one"});
  }
  return points.rows[analysis.traces.front().order.front()];
}

std::string show_points(const ShownPoints& points, const SweepShowOptions& options, const cli::Common& common,
                        OutputFile* page) {
  SweptGpus gpus(points.set);
  const Prices prices(options.prices);
  prices.require_gpus(points.rows);
  sweep::Question question = question_of(options, gpus, prices);
  question.other_programs = points.other_programs;
  question.missing = points.missing.size();
  const sweep::Analysis analysis = sweep::analyse(points.rows, question);
  if (page != nullptr) {
    cli::commit_told(*page, html::sweep_page(sweep::to_page_table(analysis)));
  }
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

void check_cost(std::vector<sweep::PointRow> rows, const std::string& cost, const Prices& prices,
                const sweep::Study& study) {
  prices.require_gpus(rows);
  SweptGpus gpus(study.set);
  for (sweep::PointRow& row : rows) {
    if (row.status != sweep::kSkipped) {
      study.keys == nullptr ? sweep::pretend_done(row) : sweep::pretend_step(row);
    }
  }
  static_cast<void>(sweep::costs_of(rows, cost, key_source(gpus, prices)));
}

}  // namespace gpusim::commands
