// SPDX-License-Identifier: MIT
#include "sim/commands/validate/case_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/commands/validate/case_reader.h"
#include "sim/commands/validate/metric.h"
#include "sim/model/arch/value.h"

namespace gpusim::validate {

using arch::in_quotes;
using arch::YamlItem;

// A case as a whole
// ----------------------------------------------------------------------------------------------------------------

void CaseReader::resolve_gpu(const Items& items) {
  const auto gpu = items.find("gpu");
  if (gpu == items.end() || case_.gpu == "?") {
    return;
  }
  const auto found = gpus_.find(case_.gpu);
  if (found == gpus_.end()) {
    std::vector<std::string_view> names;
    std::ranges::transform(gpus_, std::back_inserter(names),
                           [](const auto& row) { return std::string_view(row.first); });
    yaml_.add(gpu->second.value, "unknown GPU " + in_quotes(case_.gpu), name_suggestion(case_.gpu, names));
    return;
  }
  case_.arch = found->second.arch;
  case_.set.insert(case_.set.begin(), found->second.set.begin(), found->second.set.end());
}

void CaseReader::check_what_runs(const arch::YamlNode& node, const Items& items) {
  const auto one_of = [&](std::initializer_list<const char*> names, const std::string& what) {
    const auto given = std::ranges::count_if(names, [&](const char* name) { return items.contains(name); });
    if (given != 1) {
      yaml_.add(node, "case " + in_quotes(case_.id) + (given == 0 ? " lacks " : " has more than one of ") + what);
    }
  };
  if (!items.contains("estimate")) {
    one_of({"gpu", "arch"}, "'gpu' or 'arch'");
  }
  one_of({"trace", "program", "make", "estimate"}, "'trace', 'program', 'make' or 'estimate'");
  for (const auto& [key, whose] : {std::pair("params", "trace"), std::pair("with", "program"),
                                   std::pair("warps", "program"), std::pair("ctas", "program")}) {
    if (items.contains(key) && !items.contains(whose)) {
      yaml_.add(items.at(key).key, "'" + std::string(key) + "' goes with '" + whose + "', which is not given");
    }
  }
}

void CaseReader::check_marks(const arch::YamlNode& node, const Items& items) {
  if (items.contains("estimate")) {
    return;
  }
  const Metric* const metric = find_metric(case_.metric);
  if (metric != nullptr && !items.contains("program") && !items.contains("make")) {
    yaml_.add(node, "metric '" + case_.metric + "' is of a 'program'", "a trace has the numbers of the result's JSON");
    return;
  }
  const auto check = [&](const char* key, bool wanted, const std::string& value) {
    if (wanted != items.contains(key)) {
      yaml_.add(node, "metric '" + case_.metric + "' " + (wanted ? "lacks" : "takes no") + " '" + key + "'");
    } else if (const std::optional<Mark> mark = parse_mark(value); wanted && !mark) {
      yaml_.add(items.at(key).value, in_quotes(value) + " is not a mark",
                "LABEL, LABEL#3 (the third time), LABEL@2 (warp 2)");
    }
  };
  check("of", metric != nullptr && metric->wants_of, case_.of);
  check("from", metric != nullptr && metric->wants_from_to, case_.from);
  check("to", metric != nullptr && metric->wants_from_to, case_.to);
}

void CaseReader::check_trust(const arch::YamlNode& node, const Items& items) {
  if (!items.contains("counted")) {
    case_.counted = case_.confidence != Confidence::kLow;
  } else if (case_.counted && case_.confidence == Confidence::kLow) {
    yaml_.add(items.at("counted").value, "a case of low confidence is never counted");
  }
  if (!items.contains("tolerance")) {
    constexpr double kToTheNearest = 0.5;
    case_.tolerance = {case_.is_kernel() ? std::numeric_limits<double>::infinity() : kToTheNearest, false};
    if (case_.unit != "cycles" && case_.counted && !case_.is_kernel()) {
      yaml_.add(node, "case " + in_quotes(case_.id) + " lacks 'tolerance'", "only cycles have one by themselves: 0.5");
    }
  }
}

/// "${NAME}" becomes what `with` says of it.
void CaseReader::substitute(const Items& items) {
  std::string& program = case_.program;
  std::set<std::string> used;
  for (std::size_t at = program.find("${"); at != std::string::npos; at = program.find("${", at)) {
    const std::size_t end = program.find('}', at);
    const std::string name = program.substr(at + 2, end == std::string::npos ? end : end - at - 2);
    const auto found = std::ranges::find(with_, name, &NamedText::first);
    if (end == std::string::npos || found == with_.end()) {
      std::vector<std::string_view> names;
      std::ranges::transform(with_, std::back_inserter(names),
                             [](const NamedText& t) { return std::string_view(t.first); });
      yaml_.add(items.at("program").value,
                "case " + in_quotes(case_.id) + ": the program's '${" + name + "}' is not in 'with'",
                suggestion(name, names));
      return;
    }
    used.insert(name);
    program.replace(at, end + 1 - at, found->second);
    at += found->second.size();
  }
  for (const NamedText& text : with_) {
    if (!used.contains(text.first) && items.contains("program")) {
      yaml_.add(items.at("with").value, "the program has no '${" + text.first + "}'");
    }
  }
}

/// A second run: the case as it is by now, with what the map `key` changes of it.
void CaseReader::read_other_run(const Items& items, const std::string& key, std::vector<Case>& into) {
  const auto changes = items.find(key);
  if (changes == items.end()) {
    return;
  }
  constexpr std::array<std::string_view, 4> kChanges{"trace", "params", "set", "with"};
  const Case own = case_;
  for (const YamlItem& item : yaml_.items(changes->second.value)) {
    const std::string_view whose = item.name == "with" ? "program" : "trace";
    if (std::ranges::find(kChanges, item.name) == kChanges.end()) {
      yaml_.add(item.key, "'" + key + "' cannot change " + in_quotes(item.name), suggestion(item.name, kChanges));
    } else if (item.name != "set" && !items.contains(std::string(whose))) {
      yaml_.add(item.key, in_quotes(item.name) + " goes with '" + std::string(whose) + "', which is not given");
    } else if (has_right_form(item)) {
      (this->*field_of(item.name)->take)(item);
    }
  }
  if (items.contains("program")) {
    take_program(items.at("program"));
    substitute(items);
  }
  into.push_back(std::exchange(case_, own));
}

void CaseReader::check_quotients(const arch::YamlNode& node, const Items& items) {
  for (const auto& [one, other] : {std::pair("less", "relative_to"), std::pair("plus", "relative_to"),
                                   std::pair("less", "plus"), std::pair("per", "rate_of")}) {
    if (items.contains(one) && items.contains(other)) {
      yaml_.add(node, "case " + in_quotes(case_.id) + " has both '" + one + "' and '" + other + "'");
    }
  }
}

/// What the measurement did is a part of a kernel's case.
void CaseReader::check_kernel(const arch::YamlNode& node, const Items& items) {
  if (items.contains("clock") && items.contains("clock_mhz")) {
    yaml_.add(items.at("clock").key, "'clock' and 'clock_mhz' are both given");
  }
  if (!case_.is_kernel()) {
    return;
  }
  if (!items.contains("clock") && !items.contains("clock_mhz")) {
    yaml_.add(node, "case " + in_quotes(case_.id) + " does not say at which clock it was measured",
              "'clock: boost', or 'clock_mhz'");
  }
  if (!items.contains("cache")) {
    yaml_.add(node, "case " + in_quotes(case_.id) + " does not say what the caches held",
              "'cache': warm, cold, flush-between or dirty");
  }
  if (gpus_.contains(case_.gpu) && case_.arch.empty()) {
    yaml_.add(node, "case " + in_quotes(case_.id) + ": no architecture describes the GPU " + in_quotes(case_.gpu));
  }
}

void CaseReader::finish(const arch::YamlNode& node, const Items& items) {
  for (const char* const key : {"id", "metric", "measured", "unit", "source", "confidence"}) {
    const bool is_implied = items.contains("estimate") && std::string_view(key) == "metric";
    if (!items.contains(key) && !is_implied) {
      yaml_.add(node, "case " + in_quotes(case_.id) + " lacks '" + std::string(key) + "'");
    }
  }
  resolve_gpu(items);
  check_what_runs(node, items);
  check_marks(node, items);
  check_trust(node, items);
  check_kernel(node, items);
  substitute(items);
  check_quotients(node, items);
  std::vector<Case> other;
  read_other_run(items, "relative_to", other);
  case_.relative_to = std::exchange(other, {});
  read_other_run(items, "less", other);
  case_.less = std::exchange(other, {});
  read_other_run(items, "plus", other);
  case_.plus = std::move(other);
  const auto [first, is_new] = ids_.emplace(case_.id, case_.where.line);
  if (!is_new) {
    yaml_.add(node, "id " + in_quotes(case_.id) + " is given twice", "first in line " + std::to_string(first->second));
  }
}

// The file
// -----------------------------------------------------------------------------------------------------------------

/// Maps where maps belong, and nowhere else.
bool CaseReader::has_right_form(const YamlItem& item) {
  constexpr std::array<std::string_view, 7> kMaps{"estimate", "set", "params", "with", "relative_to", "less", "plus"};
  const bool is_map = std::ranges::find(kMaps, item.name) != kMaps.end();
  if (is_map != item.value.is_map()) {
    yaml_.add(item.value, "'" + item.name + "' must " + (is_map ? "be a map" : "not be a map"));
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
void CaseReader::merge(const arch::YamlNode& map, Items& into) {
  for (const YamlItem& item : yaml_.items(map)) {
    if (item.name == "rows") {
      continue;
    }
    const Field* const field = field_of(item.name);
    if (field == nullptr) {
      std::vector<std::string_view> names{"rows"};
      std::ranges::transform(kFields, std::back_inserter(names), &Field::name);
      yaml_.add(item.key, "unknown key " + in_quotes(item.name), suggestion(item.name, names));
      continue;
    }
    if (!has_right_form(item)) {
      continue;
    }
    const auto before = into.find(item.name);
    const bool adds = item.value.is_map() && before != into.end();
    const YamlItem merged{item.name, item.key, adds ? joined(before->second.value, item.value) : item.value};
    into.erase(item.name);
    into.emplace(item.name, merged);
  }
}

void CaseReader::add_case(const arch::YamlNode& node, const Items& items, const std::string& prefix) {
  if (cases_.size() == kMostCases) {
    return;
  }
  ProblemList others = std::exchange(problems_, {});
  read_case(node, items, prefix);
  if (case_.is_kernel()) {
    case_.refusals = problems_.problems();  // the rest of the suite can run
  } else {
    std::ranges::for_each(problems_.problems(), [&others](const Problem& problem) { others.add(problem); });
  }
  problems_ = std::move(others);
  cases_.push_back(case_);
}

void CaseReader::read_case(const arch::YamlNode& node, const Items& items, const std::string& prefix) {
  case_ = {};
  with_.clear();
  case_.id = prefix;
  case_.suite = suite_;
  case_.where = yaml_.place(node);
  for (const Field& field : kFields) {
    if (const auto item = items.find(std::string(field.name)); item != items.end()) {
      (this->*field.take)(item->second);
    }
  }
  finish(node, items);
}

void CaseReader::read_entry(const arch::YamlNode& node, const Items& common) {
  if (!node.is_map()) {
    yaml_.add(node, "a case must be a map of keys");
    return;
  }
  Items items = common;
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
  const std::string prefix = items.contains("id") ? text(items.at("id")) + "/" : "";
  items.erase("id");
  for (const arch::YamlNode* const row : rows->values) {
    if (!row->is_map()) {
      yaml_.add(*row, "a row must be a map of keys");
      continue;
    }
    Items of_row = items;
    merge(*row, of_row);
    add_case(*row, of_row, prefix);
  }
}

void CaseReader::read_list(const arch::YamlNode& list, const Items& common) {
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
    Items common;
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
