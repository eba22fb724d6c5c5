// SPDX-License-Identifier: MIT
// gpusim sweep show.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/draw.h"
#include "sim/app/find_file.h"
#include "sim/app/program.h"
#include "sim/app/render.h"
#include "sim/app/sweep_show.h"
#include "sim/app/values.h"
#include "sim/arch/loader.h"
#include "sim/arch/schema.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/sweep/answer/cost.h"
#include "sim/sweep/run/summary.h"
#include "sim/sweep/store/store.h"
#include "sim/sweep/study/study_file.h"

namespace gpusim::app {
namespace {

constexpr std::string_view kBandwidth = "dram.bandwidth";
constexpr std::uint64_t kMostListed = 1'000'000;

/// Keys of the architectures that points name, read when they are first asked for.
class Architectures {
 public:
  explicit Architectures(const std::vector<std::string>& set) {
    for (const std::string& text : set) {
      overrides_.push_back(arch::parse_override(text));
    }
  }

  std::optional<std::string> find(const std::string& name, const std::string& key) {
    const std::optional<arch::Resolved>& part = resolve(name);
    if (part && key == kBandwidth) {
      return fmt::format("{:.0f} B/s", part->arch.dram.peak_bytes_per_second());
    }
    const arch::Entry* const entry = part ? part->sheet.find(key) : nullptr;
    return entry == nullptr ? std::nullopt : std::optional(entry->text);
  }

 private:
  const std::optional<arch::Resolved>& resolve(const std::string& name) {
    const auto [known, is_new] = parts_.try_emplace(name);
    if (is_new) {
      try {
        known->second =
            arch::resolve_arch(find_file(name, architecture_files()), overrides_, search_folders(architecture_files()));
      } catch (const InputError& error) {
        // The points are there even where their architecture has gone.
        log_warning(error.what());
      }
    }
    return known->second;
  }

  std::vector<arch::Override> overrides_;
  std::map<std::string, std::optional<arch::Resolved>> parts_;
};

sweep::KeySource key_source(Architectures& parts) {
  sweep::KeySource source;
  source.find = [&parts](const std::string& name, const std::string& key) { return parts.find(name, key); };
  for (const arch::Key& key : arch::schema()) {
    source.known.emplace_back(key.path);
  }
  source.known.push_back(kBandwidth);
  return source;
}

std::vector<std::pair<std::string, std::string>> places_of(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError("--at: '" + text + "' is not KEY=VALUE");
    }
    out.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

sweep::Question question_of(const SweepShowOptions& options, Architectures& parts) {
  constexpr double kPercent = 100;
  sweep::Question question;
  question.metric = options.metric;
  question.cost = options.cost;
  question.top = parse_count("--top", options.top, 1, kMostListed);
  question.knee_share = static_cast<double>(parse_count("--knee", options.knee, 1, 100)) / kPercent;
  question.at = places_of(options.at);
  question.source = key_source(parts);
  return question;
}

struct Chosen {
  std::vector<sweep::PointRow> rows;
  sweep::StudyFile study;  ///< what they were asked for with
};

sweep::StudyInfo find_study(const sweep::Store& store, const std::string& name) {
  const std::optional<sweep::StudyInfo> study = store.study(name == "last" ? "" : name);
  if (study) {
    return *study;
  }
  const std::vector<sweep::StudyInfo> known = store.studies();
  if (known.empty()) {
    throw InputError({{store.file().string(), 0, 0}, "holds no study", "gpusim sweep runs one"});
  }
  std::vector<std::string_view> names{"last", "all"};
  std::ranges::transform(known, std::back_inserter(names), &sweep::StudyInfo::name);
  throw InputError({{store.file().string(), 0, 0}, "has no study '" + name + "'", suggestion(name, names)});
}

/// What was asked; nothing where the record is not a study's text.
sweep::StudyFile asked_by(const sweep::StudyInfo& study) {
  try {
    return sweep::parse_study(study.text, study.name);
  } catch (const InputError&) {
    return {};
  }
}

Chosen choose(const sweep::Store& store, const std::string& name) {
  if (name == "all") {
    return {store.all_points(), {}};
  }
  const sweep::StudyInfo study = find_study(store, name);
  return {store.points(study.id), asked_by(study)};
}

void keep_trace(const std::string& trace, std::vector<sweep::PointRow>& rows) {
  if (trace.empty()) {
    return;
  }
  std::vector<std::string> names;
  for (const sweep::PointRow& row : rows) {
    names.push_back(row.trace);
  }
  std::erase_if(rows, [&trace](const sweep::PointRow& row) { return row.trace != trace; });
  if (rows.empty()) {
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw InputError({{"--trace", 0, 0}, "no point is of '" + trace + "'", suggestion(trace, known)});
  }
}

/// For whoever looks for a plot in vain.
std::string drawn_text(const sweep::Pictures& pictures, const std::string& folder) {
  constexpr std::size_t kMostLeftOut = 8;
  std::string text = counted(pictures.drawn.size(), "plot") + " in " + folder;
  const std::size_t named = std::min(pictures.left_out.size(), kMostLeftOut);
  for (std::size_t i = 0; i < named; ++i) {
    text += (i == 0 ? "; not drawn: " : ", ") + pictures.left_out[i];
  }
  return named == pictures.left_out.size() ? text
                                           : text + fmt::format(" and {} more", pictures.left_out.size() - named);
}

}  // namespace

std::string show_points(const std::vector<sweep::PointRow>& rows, const SweepShowOptions& options,
                        const std::vector<std::string>& set, const Common& common) {
  Architectures parts(set);
  const sweep::Answers answers = sweep::answer(rows, question_of(options, parts));
  if (!options.svg.empty()) {
    const sweep::Pictures pictures = sweep::make_pictures(answers);
    draw(pictures.drawn, options.svg);
    log_info(drawn_text(pictures, options.svg));
  }
  if (options.format == "json") {
    return sweep::to_json(answers);
  }
  return options.format == "csv" ? sweep::to_csv(answers) : sweep::to_text(answers, look_of(common));
}

void check_cost(std::vector<sweep::PointRow> rows, const std::string& cost, const std::vector<std::string>& set) {
  Architectures parts(set);
  for (sweep::PointRow& row : rows) {
    if (row.status != sweep::kSkipped) {
      sweep::pretend_done(row);
    }
  }
  static_cast<void>(sweep::costs_of(rows, cost, key_source(parts)));
}

int sweep_show_command(const SweepShowOptions& options, const Common& common) {
  const sweep::Store store(options.db, sweep::Store::Access::kRead);
  Chosen chosen = choose(store, options.study);
  keep_trace(options.trace, chosen.rows);
  SweepShowOptions with_cost = options;
  with_cost.cost = options.cost.empty() ? chosen.study.cost : options.cost;
  print(show_points(chosen.rows, with_cost, chosen.study.study.set, common));
  return Exit::kDone;
}

}  // namespace gpusim::app
