// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/shown_points.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/sweep/formula/quantity.h"
#include "sim/commands/sweep/steps/step_keys.h"
#include "sim/commands/sweep/study/study_file.h"
#include "sim/commands/sweep/swept_gpus.h"
#include "sim/model/arch/resolved.h"

namespace gpusim::commands {
namespace {

using sweep::PointRow;
using sweep::TextPairs;

sweep::StudyInfo find_study(const sweep::Store& store, const std::string& name) {
  const std::optional<sweep::StudyInfo> study = store.study(name == "last" ? "" : name);
  if (study) {
    return *study;
  }
  const std::vector<sweep::StudyInfo> known = store.studies();
  const auto numbered =
      std::ranges::find_if(known, [&](const sweep::StudyInfo& each) { return std::to_string(each.id) == name; });
  if (numbered != known.end()) {
    return *numbered;
  }
  if (known.empty()) {
    throw InputError({{store.file().string(), 0, 0}, "holds no study", "gpusim sweep runs one"});
  }
  std::vector<std::string_view> names{"last", "all", "list"};
  std::ranges::transform(known, std::back_inserter(names), &sweep::StudyInfo::name);
  throw InputError({{store.file().string(), 0, 0}, "has no study '" + name + "'", suggestion(name, names)});
}

/// What was asked; nothing where the record is not a study's text.
sweep::StudyFile asked_by(const sweep::StudyInfo& study) {
  try {
    return sweep::parse_study(study.text, study.name, &sweep::step_keys());
  } catch (const InputError& error) {
    cli::log_warning("what the study fixed is not known: " + std::string(error.what()));
    return {};
  }
}

/// Adds what is not there yet.
void add_missing(const TextPairs& more, TextPairs& pairs) {
  for (const auto& [key, text] : more) {
    if (sweep::find_text(pairs, key) == nullptr) {
      pairs.emplace_back(key, text);
    }
  }
}

/// How a study's points were run, apart from keys and parameters.
TextPairs conditions_of(const sweep::Study& study) {
  const auto or_all = [](const std::string& text) { return text.empty() ? "all" : text; };
  return {{"cache", study.cache},
          {"kernel", or_all(study.kernel)},
          {"ctas", or_all(study.ctas)},
          {"max_cycles", study.max_cycles.empty() ? "none" : study.max_cycles},
          {"test_params", study.test_params ? "true" : "false"}};
}

/// Conditions in which studies differ: one that all share tells no points apart.
std::set<std::string> differing_conditions(const std::vector<sweep::Study>& studies) {
  std::map<std::string, std::set<std::string>> texts;
  std::set<std::string> differing;
  for (const sweep::Study& study : studies) {
    for (const auto& [name, text] : conditions_of(study)) {
      texts[name].insert(text);
      if (texts[name].size() > 1) {
        differing.insert(name);
      }
    }
  }
  return differing;
}

/// Says in a study's rows what it fixed.
class FixedSettings {
 public:
  FixedSettings(const sweep::Study& study, const std::set<std::string>& conditions, SweptGpus& as_described)
      : as_described_(as_described), gpus_(study.set), is_of_steps_(study.keys != nullptr) {
    for (auto text = study.set.rbegin(); text != study.set.rend(); ++text) {  // a key's last value counts
      const arch::Override parsed = arch::parse_override(*text);
      add_missing({{parsed.key, parsed.value}}, fixed_);
    }
    for (const auto& [name, value] : sweep::fixed_parameters(study)) {
      fixed_.emplace_back(std::string(sweep::kParamPrefix) + name, value);
    }
    std::ranges::copy_if(conditions_of(study), std::back_inserter(fixed_),
                         [&](const auto& condition) { return conditions.contains(condition.first); });
  }

  void add_to(PointRow& row) {
    add_missing(fixed_, row.parameters);
    if (is_of_steps_) {
      return;  // systems are not architectures
    }
    const auto [followed, is_new] = followed_.try_emplace(row.arch);
    if (is_new) {
      followed->second = gpus_.changes(row.arch, as_described_);
    }
    for (const auto& pair : followed->second) {
      if (sweep::find_text(row.parameters, pair.first) == nullptr) {
        add_missing({pair}, row.derived);
      }
    }
  }

 private:
  SweptGpus& as_described_;
  SweptGpus gpus_;
  bool is_of_steps_;
  TextPairs fixed_;
  std::map<std::string, TextPairs> followed_;  ///< by architecture: what is not as described
};

/// The same for "25 MiB" and "25600KiB".
std::string value_of(const std::string& text) {
  const std::optional<sweep::Quantity> quantity = sweep::parse_quantity(text);
  return quantity ? fmt::format("{}", quantity->value) : text;
}

/// Leaves the first of points that are one simulation with the same names and values.
void drop_repeats(std::vector<PointRow>& rows) {
  std::set<std::tuple<std::string, std::string, std::string, std::string, TextPairs>> seen;
  std::erase_if(rows, [&](const PointRow& row) {
    TextPairs parameters = row.parameters;
    std::ranges::for_each(parameters, [](auto& pair) { pair.second = value_of(pair.second); });
    std::ranges::sort(parameters);
    return !seen.emplace(row.key, row.reason, row.arch, row.trace, std::move(parameters)).second;
  });
}

}  // namespace

ShownPoints points_of_study(const sweep::Store& store, const std::string& name) {
  return points_of_study(store, find_study(store, name));
}

ShownPoints points_of_study(const sweep::Store& store, const sweep::StudyInfo& study) {
  const sweep::StudyFile asked = asked_by(study);
  return {store.points(study.id), asked.study.set, asked.cost, 0, store.waiting(study.id)};
}

ShownPoints points_of_all(const sweep::Store& store) {
  std::vector<sweep::StudyInfo> records = store.studies();
  std::ranges::reverse(records);
  std::vector<sweep::Study> studies;
  std::ranges::transform(records, std::back_inserter(studies),
                         [](const sweep::StudyInfo& record) { return asked_by(record).study; });
  const std::set<std::string> conditions = differing_conditions(studies);
  SweptGpus as_described({});
  ShownPoints all;
  std::set<std::string> texts;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    FixedSettings fixed(studies[i], conditions, as_described);
    for (PointRow& row : store.points(records[i].id)) {
      fixed.add_to(row);
      all.rows.push_back(std::move(row));
    }
    // What an older program left undone, a newer one asked for anew.
    if (texts.insert(records[i].text).second) {
      std::ranges::move(store.waiting(records[i].id), std::back_inserter(all.missing));
    }
  }
  drop_repeats(all.rows);
  std::set<std::string> keys;
  std::erase_if(all.missing, [&keys](const PointRow& row) { return !keys.insert(row.key).second; });
  return all;
}

std::size_t drop_other_programs(std::vector<PointRow>& rows, std::string_view program) {
  std::map<std::pair<std::string, std::string>, std::string> kept;
  for (const PointRow& row : rows) {
    if (row.status == sweep::kSkipped) {
      continue;
    }
    const auto [entry, is_new] = kept.try_emplace({row.trace, row.arch}, row.program);
    if (row.program == program) {
      entry->second = program;
    }
  }
  return std::erase_if(rows, [&](const PointRow& row) {
    return row.status != sweep::kSkipped && row.program != kept.at({row.trace, row.arch});
  });
}

}  // namespace gpusim::commands
