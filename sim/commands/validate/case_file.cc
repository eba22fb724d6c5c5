// SPDX-License-Identifier: MIT
#include "sim/commands/validate/case_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/commands/validate/case_checks.h"
#include "sim/commands/validate/case_keys.h"
#include "sim/commands/validate/case_reader.h"
#include "sim/model/arch/value.h"

namespace gpusim::validate {

using arch::in_quotes;
using arch::YamlItem;

/// The maps that a key has: one, or a list of them.
std::vector<CaseReader::Changes> CaseReader::changes_of(const CaseItems& items, const std::string& key) {
  std::vector<Changes> all;
  if (const auto found = items.find(key); found != items.end()) {
    const arch::YamlNode& node = found->second.value;
    if (node.is_map()) {
      all.push_back({key, &node});
    } else {
      std::ranges::transform(node.values, std::back_inserter(all), [&key](const arch::YamlNode* map) {
        return Changes{key, map};
      });
    }
  }
  return all;
}

void CaseReader::read_other_runs(const CaseToCheck& at) {
  Case& value = draft_.value;
  const auto run_of = [&](const Changes& changes) { return other_run(at, {changes}); };
  for (const Changes& changes : changes_of(at.items, "relative_to")) {
    value.relative_to = {run_of(changes)};
  }
  const std::vector<Changes> added = changes_of(at.items, "plus");
  std::vector<Case> plus;
  std::ranges::transform(added, std::back_inserter(plus), run_of);
  std::vector<Case> less;
  for (const Changes& changes : changes_of(at.items, "less")) {
    less.push_back(run_of(changes));
    for (std::size_t i = 0; problems_.empty() && i < added.size(); ++i) {  // a smaller measurement of all of them
      less.push_back(other_run(at, {added[i], changes}));
    }
  }
  value.plus = std::move(plus);
  value.less = std::move(less);
}

/// The case as it is by now, with all changes.
Case CaseReader::other_run(const CaseToCheck& at, const std::vector<Changes>& changes) {
  const CaseDraft own = draft_;
  std::ranges::for_each(changes, [&](const Changes& each) { change(at, each); });
  if (at.items.contains("program")) {
    take(*find_case_key("program"), at.items.at("program"));
    substitute_names(at, draft_);
  }
  return std::exchange(draft_, own).value;
}

void CaseReader::change(const CaseToCheck& at, const Changes& changes) {
  constexpr std::array<std::string_view, 4> kChanges{"trace", "params", "set", "with"};
  for (const YamlItem& item : yaml_.items(*changes.map)) {
    const std::string_view whose = item.name == "with" ? "program" : "trace";
    if (std::ranges::find(kChanges, item.name) == kChanges.end()) {
      yaml_.add(item.key, "'" + changes.key + "' cannot change " + in_quotes(item.name),
                suggestion(item.name, kChanges));
    } else if (item.name == "trace" && changes.key == "less" && at.items.contains("plus")) {
      yaml_.add(item.key, "with 'plus', 'less' cannot change 'trace'", "it changes the runs of 'plus', too");
    } else if (item.name != "set" && !at.items.contains(std::string(whose))) {
      yaml_.add(item.key, in_quotes(item.name) + " goes with '" + std::string(whose) + "', which is not given");
    } else if (has_right_form(item)) {
      take(*find_case_key(item.name), item);
    }
  }
}

void CaseReader::take(const CaseKey& key, const YamlItem& item) {
  key.take({values_, item, draft_});
}

void CaseReader::finish(const arch::YamlNode& node, const CaseItems& items) {
  const CaseToCheck at{yaml_, node, items, gpus_};
  complete_case(at, draft_);
  read_other_runs(at);
  const Case& value = draft_.value;
  const auto [first, is_new] = ids_.emplace(value.id, value.where.line);
  if (!is_new) {
    yaml_.add(node, "id " + in_quotes(value.id) + " is given twice", "first in line " + std::to_string(first->second));
  }
}

/// Maps where maps belong, and nowhere else; of runs that are added a list of maps, too.
bool CaseReader::has_right_form(const YamlItem& item) {
  constexpr std::array<std::string_view, 7> kMaps{"estimate", "set", "params", "with", "relative_to", "less", "plus"};
  const bool is_map = std::ranges::find(kMaps, item.name) != kMaps.end();
  if (item.name == "plus" && item.value.is_sequence() && !item.value.values.empty() &&
      std::ranges::all_of(item.value.values, &arch::YamlNode::is_map)) {
    return true;
  }
  if (is_map != item.value.is_map()) {
    const std::string form = item.name == "plus" ? "be a map, or a list of maps" : is_map ? "be a map" : "not be a map";
    yaml_.add(item.value, "'" + item.name + "' must " + form);
    return false;
  }
  return true;
}

/// A map with another's keys added, which replace those of the same name.
const arch::YamlNode& CaseReader::joined(const arch::YamlNode& map, const arch::YamlNode& changes) {
  arch::YamlNode& all = joined_.emplace_back(map);
  for (const YamlItem& pair : yaml_.items(changes)) {
    std::size_t i = 0;
    while (i < all.values.size() && all.values[i]->text != pair.name) {
      i += 2;
    }
    all.values.resize(std::max(all.values.size(), i + 2));
    all.values[i] = &pair.key;
    all.values[i + 1] = &pair.value;
  }
  return all;
}

/// Takes over the keys of a map; those of maps within it are added to what was there.
void CaseReader::merge(const arch::YamlNode& map, CaseItems& into) {
  for (const YamlItem& item : yaml_.items(map)) {
    if (item.name == "rows") {
      continue;
    }
    if (find_case_key(item.name) == nullptr) {
      std::vector<std::string_view> names{"rows"};
      std::ranges::transform(case_keys(), std::back_inserter(names), &CaseKey::name);
      yaml_.add(item.key, "unknown key " + in_quotes(item.name), suggestion(item.name, names));
      continue;
    }
    if (!has_right_form(item)) {
      continue;
    }
    const auto before = into.find(item.name);
    const bool adds = item.value.is_map() && before != into.end() && before->second.value.is_map();
    const YamlItem merged{item.name, item.key, adds ? joined(before->second.value, item.value) : item.value};
    into.erase(item.name);
    into.emplace(item.name, merged);
  }
}

namespace {

/// What is wrong with a case, without its name in front: who shows it names the case.
Problem without_case(Problem problem, const std::string& id) {
  const std::string name = "case " + in_quotes(id);
  if (problem.message.starts_with(name)) {
    problem.message.erase(0, name.size());
    problem.message.erase(0, problem.message.find_first_not_of(": "));
  }
  return problem;
}

}  // namespace

void CaseReader::add_case(const arch::YamlNode& node, const CaseItems& items, const std::string& prefix) {
  if (cases_.size() == kMostCases) {
    return;
  }
  ProblemList others = std::exchange(problems_, {});
  read_case(node, items, prefix);
  if (draft_.value.is_kernel()) {
    for (const Problem& problem : problems_.problems()) {  // the rest of the suite can run
      draft_.value.refusals.push_back(without_case(problem, draft_.value.id));
    }
  } else {
    std::ranges::for_each(problems_.problems(), [&others](const Problem& problem) { others.add(problem); });
  }
  problems_ = std::move(others);
  cases_.push_back(draft_.value);
}

void CaseReader::read_case(const arch::YamlNode& node, const CaseItems& items, const std::string& prefix) {
  draft_ = {};
  draft_.value.id = prefix;
  draft_.value.suite = suite_;
  draft_.value.where = yaml_.place(node);
  for (const CaseKey& key : case_keys()) {
    if (const auto item = items.find(std::string(key.name)); item != items.end()) {
      take(key, item->second);
    }
  }
  finish(node, items);
}

void CaseReader::read_entry(const arch::YamlNode& node, const CaseItems& common) {
  if (!node.is_map()) {
    yaml_.add(node, "a case must be a map of keys");
    return;
  }
  CaseItems items = common;
  merge(node, items);
  const arch::YamlNode* const rows = node.find("rows");
  if (rows == nullptr) {
    add_case(node, items, "");
    return;
  }
  if (!rows->is_sequence() || rows->values.empty()) {
    yaml_.add(*rows, rows->is_sequence() ? "'rows' is empty" : "'rows' must be a list of maps");
    return;
  }
  const std::string prefix = items.contains("id") ? values_.text(items.at("id")) + "/" : "";
  items.erase("id");
  for (const arch::YamlNode* const row : rows->values) {
    if (!row->is_map()) {
      yaml_.add(*row, "a row must be a map of keys");
      continue;
    }
    CaseItems of_row = items;
    merge(*row, of_row);
    add_case(*row, of_row, prefix);
  }
}

void CaseReader::read_list(const arch::YamlNode& list, const CaseItems& common) {
  if (!list.is_sequence() || list.values.empty()) {
    yaml_.add(list, list.is_sequence() ? "'cases' is empty" : "'cases' must be a list");
    return;
  }
  for (const arch::YamlNode* const node : list.values) {
    read_entry(*node, common);
  }
  if (cases_.size() == kMostCases) {
    yaml_.add(list, "has more than " + with_thousands(kMostCases) + " cases");
  }
}

std::vector<Case> CaseReader::read(const std::string& text) {
  if (const auto document = yaml_.parse(text, "a file of cases", "one YAML map with 'cases:'")) {
    CaseItems common;
    const arch::YamlNode* list = nullptr;
    constexpr std::array<std::string_view, 2> kKeys{"common", "cases"};
    for (const YamlItem& item : yaml_.items(document->root())) {
      if (item.name == "common" && item.value.is_map()) {
        merge(item.value, common);
      } else if (item.name == "cases") {
        list = &item.value;
      } else {
        yaml_.add(item.key, item.name == "common" ? "'common' must be a map" : "unknown key " + in_quotes(item.name),
                  suggestion(item.name, kKeys));
      }
    }
    if (list != nullptr) {
      read_list(*list, common);
    } else {
      problems_.add({{yaml_.file, 0, 0}, "lacks 'cases'", "a list of cases"});
    }
  }
  problems_.throw_if_any();
  return std::move(cases_);
}

std::vector<Case> parse_cases(const std::string& text, const std::string& name, const std::string& suite,
                              const GpuNames& gpus) {
  return CaseReader(name, suite, gpus).read(text);
}

std::vector<Case> read_cases(const std::filesystem::path& file, const std::string& suite, const GpuNames& gpus) {
  std::string why;
  const std::optional<std::string> text = arch::read_yaml_text(file, why);
  if (!text) {
    throw InputError({{file.string(), 0, 0}, why, ""});
  }
  return parse_cases(*text, file.string(), suite, gpus);
}

}  // namespace gpusim::validate
