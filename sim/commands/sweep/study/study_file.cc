// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/study_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/cache_state.h"
#include "sim/base/nearest.h"
#include "sim/base/pattern.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/commands/sweep/formula/formula.h"
#include "sim/commands/sweep/study/expand.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::sweep {
namespace {

using arch::double_quoted;
using arch::in_quotes;
using arch::YamlItem;

constexpr std::array<Combination, 4> kCombinations{Combination::kGrid, Combination::kZip, Combination::kRandom,
                                                   Combination::kOneAtATime};

constexpr std::array<std::string_view, 2> kOfKernels{"arch", "trace"};
constexpr std::array<std::string_view, 2> kOfSteps{"system", "app"};
constexpr std::string_view kNamesHint = "a name or file, or a list of them";

class StudyReader {
 public:
  StudyReader(const std::string& name, const KeyBook* steps) : yaml_(problems_), steps_(steps) { yaml_.file = name; }

  LocatedStudy read(const std::string& text);

 private:
  using Take = void (StudyReader::*)(const YamlItem& item);
  struct Field {
    std::string_view name;
    Take take;
  };

  void take(const YamlItem& item);
  void take_vary(const YamlItem& item);
  void take_where(const YamlItem& item);
  void take_set(const YamlItem& item) { take_pairs(item, "set", study_.set); }
  void take_param(const YamlItem& item) { take_pairs(item, "param", study_.param); }
  void take_archs(const YamlItem& item) { study_.archs = names(item); }
  void take_traces(const YamlItem& item) { study_.traces = names(item); }
  void take_systems(const YamlItem& item) { take_of_steps(item, study_.archs); }
  void take_apps(const YamlItem& item) { take_of_steps(item, study_.traces); }
  void take_of_steps(const YamlItem& item, std::vector<std::string>& names);
  void take_combination(const YamlItem& item);
  void take_random(const YamlItem& item) { study_.random_count = number(item, 1, kMostPoints).value_or(1); }
  void take_seed(const YamlItem& item) { study_.seed = number(item, 0, kMost).value_or(1); }
  void take_cache(const YamlItem& item) {
    study_.cache = word(item, {kCacheStates.begin(), kCacheStates.end()}).value_or("warm");
  }
  void take_test_params(const YamlItem& item) { study_.test_params = word(item, {"true", "false"}) == "true"; }
  void take_kernel(const YamlItem& item);
  void take_ctas(const YamlItem& item);
  void take_max_cycles(const YamlItem& item) { study_.max_cycles = count(item, kNever - 1); }
  void take_jobs(const YamlItem& item) { file_.jobs = count(item, kMostJobs); }
  void take_db(const YamlItem& item) { file_.db = text(item); }
  void take_cost(const YamlItem& item);

  void take_pairs(const YamlItem& item, const std::string& option, std::vector<std::string>& pairs);
  std::vector<std::string> texts(const arch::YamlNode& node, const std::string& name);
  std::vector<std::string> names(const YamlItem& item);
  std::string text(const YamlItem& item) { return yaml_.scalar(item.value, "'" + item.name + "'").value_or(""); }
  std::optional<std::uint64_t> number(const YamlItem& item, std::uint64_t least, std::uint64_t most);
  /// A number from 1 on, as text.
  std::string count(const YamlItem& item, std::uint64_t most);
  std::optional<std::string> word(const YamlItem& item, const std::vector<std::string_view>& words);
  void remember(std::string option, std::string what, const arch::YamlNode& node) {
    places_.try_emplace({std::move(option), std::move(what)}, yaml_.place(node));
  }
  [[nodiscard]] bool says(std::string_view key) const { return places_.contains({std::string(key), ""}); }
  void check_whole();
  [[nodiscard]] Locate locate() const;

  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  using Places = std::map<std::pair<std::string, std::string>, SourceLocation>;  ///< (option, word) as of Locate
  static const std::array<Field, 19> kFields;

  ProblemList problems_;
  arch::YamlReader yaml_;
  const KeyBook* steps_;
  StudyFile file_;
  Study& study_ = file_.study;
  std::optional<Combination> combination_;
  Places places_;
  bool has_unknown_keys_ = false;
};

const std::array<StudyReader::Field, 19> StudyReader::kFields{{
    {"arch", &StudyReader::take_archs},
    {"trace", &StudyReader::take_traces},
    {"system", &StudyReader::take_systems},
    {"app", &StudyReader::take_apps},
    {"vary", &StudyReader::take_vary},
    {"where", &StudyReader::take_where},
    {"set", &StudyReader::take_set},
    {"param", &StudyReader::take_param},
    {"combination", &StudyReader::take_combination},
    {"random", &StudyReader::take_random},
    {"seed", &StudyReader::take_seed},
    {"cache", &StudyReader::take_cache},
    {"test_params", &StudyReader::take_test_params},
    {"kernel", &StudyReader::take_kernel},
    {"ctas", &StudyReader::take_ctas},
    {"max_cycles", &StudyReader::take_max_cycles},
    {"jobs", &StudyReader::take_jobs},
    {"db", &StudyReader::take_db},
    {"cost", &StudyReader::take_cost},
}};

std::vector<std::string> StudyReader::texts(const arch::YamlNode& node, const std::string& name) {
  std::vector<std::string> all;
  const auto take_one = [&](const arch::YamlNode& part) {
    if (std::optional<std::string> one = yaml_.scalar(part, "a value of '" + name + "'")) {
      all.push_back(std::move(*one));
    }
  };
  if (!node.is_sequence()) {
    take_one(node);
    return all;
  }
  for (const arch::YamlNode* const part : node.values) {
    take_one(*part);
    if (all.size() > kMostValues) {
      yaml_.add(node, "'" + name + "' has more than " + with_thousands(kMostValues) + " values");
      return {};
    }
  }
  return all;
}

std::vector<std::string> StudyReader::names(const YamlItem& item) {
  if (item.value.is_sequence() && item.value.values.empty()) {
    yaml_.add(item.value, "'" + item.name + "' is an empty list", std::string(kNamesHint));
  }
  return texts(item.value, item.name);
}

void StudyReader::take_of_steps(const YamlItem& item, std::vector<std::string>& into) {
  if (steps_ == nullptr) {
    yaml_.add(item.key, "'" + item.name + "' is of a study of steps", "not known here");
    return;
  }
  into = names(item);
  study_.keys = steps_;
}

std::optional<std::uint64_t> StudyReader::number(const YamlItem& item, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::string> text = yaml_.scalar(item.value, "'" + item.name + "'");
  if (!text) {
    return std::nullopt;
  }
  const std::optional<std::uint64_t> number = parse_unsigned(*text);
  if (!number) {
    yaml_.add(item.value, "'" + item.name + "': " + in_quotes(*text) + " is not a whole number");
  } else if (*number < least || *number > most) {
    yaml_.add(item.value, "'" + item.name + "': " + in_quotes(*text) + " is out of range",
              "allowed: " + with_thousands(least) + " to " + with_thousands(most));
    return std::nullopt;
  }
  return number;
}

std::string StudyReader::count(const YamlItem& item, std::uint64_t most) {
  const std::optional<std::uint64_t> found = number(item, 1, most);
  return found ? std::to_string(*found) : "";
}

void StudyReader::take_kernel(const YamlItem& item) {
  study_.kernel = text(item);
  try {
    (void)Pattern(study_.kernel);
  } catch (const BadPattern& error) {
    yaml_.add(item.value, "'kernel': " + in_quotes(study_.kernel) + " is not a regular expression: " + error.what());
  }
}

void StudyReader::take_ctas(const YamlItem& item) {
  study_.ctas = text(item);
  const std::size_t dots = study_.ctas.find("..");
  const std::optional<std::uint64_t> first = parse_unsigned(study_.ctas.substr(0, dots));
  const std::optional<std::uint64_t> last =
      dots == std::string::npos ? first : parse_unsigned(study_.ctas.substr(dots + 2));
  if (!first || !last || *last < *first || *last == kMost) {
    yaml_.add(item.value, "'ctas': " + in_quotes(study_.ctas) + " is not a range of CTAs",
              "FIRST..LAST, such as 0..63");
  }
}

void StudyReader::take_cost(const YamlItem& item) {
  file_.cost = text(item);
  try {
    (void)Formula::number("", file_.cost);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      yaml_.add(item.value, "'cost': " + problem.message, problem.hint);
    }
  }
}

std::optional<std::string> StudyReader::word(const YamlItem& item, const std::vector<std::string_view>& words) {
  std::optional<std::string> text = yaml_.scalar(item.value, "'" + item.name + "'");
  if (text && std::ranges::find(words, *text) == words.end()) {
    yaml_.add(item.value, "'" + item.name + "' is " + in_quotes(*text), suggestion(*text, words));
    return std::nullopt;
  }
  return text;
}

void StudyReader::take_pairs(const YamlItem& item, const std::string& option, std::vector<std::string>& pairs) {
  if (!item.value.is_map()) {
    yaml_.add(item.value, "'" + item.name + "' must be a map", "such as  l2.model: ideal");
    return;
  }
  for (const YamlItem& pair : yaml_.items(item.value)) {
    remember(option, pair.name, pair.key);
    if (const std::optional<std::string> value = yaml_.scalar(pair.value, "the value of " + in_quotes(pair.name))) {
      pairs.push_back(pair.name + "=" + *value);
    }
  }
}

void StudyReader::take_vary(const YamlItem& item) {
  if (!item.value.is_map()) {
    yaml_.add(item.value, "'vary' must be a map", "such as  sm.count: [66, 99, 132]");
    return;
  }
  for (const YamlItem& axis : yaml_.items(item.value)) {
    remember("vary", axis.name, axis.key);
    std::vector<std::string> values = texts(axis.value, axis.name);
    const bool is_one_text = axis.value.is_scalar() && values.size() == 1;
    study_.axes.push_back({axis.name, is_one_text ? split_items(values.front()) : std::move(values)});
  }
}

void StudyReader::take_where(const YamlItem& item) {
  study_.where = texts(item.value, item.name);
  if (item.value.is_sequence()) {
    for (const arch::YamlNode* const part : item.value.values) {
      remember("where", std::string(part->text), *part);
    }
  } else if (item.value.is_scalar()) {
    remember("where", std::string(item.value.text), item.value);
  }
}

void StudyReader::take_combination(const YamlItem& item) {
  std::vector<std::string_view> names;
  for (const Combination combination : kCombinations) {
    names.push_back(combination_name(combination));
  }
  if (const std::optional<std::string> name = word(item, names)) {
    combination_ = kCombinations[static_cast<std::size_t>(std::ranges::find(names, *name) - names.begin())];
  }
  remember("zip", "", item.value);
}

void StudyReader::take(const YamlItem& item) {
  const auto* const field = std::ranges::find(kFields, item.name, &Field::name);
  if (field != kFields.end()) {
    remember(item.name, "", item.key);
    (this->*field->take)(item);
    return;
  }
  std::vector<std::string_view> names;
  for (const Field& known : kFields) {
    names.push_back(known.name);
  }
  has_unknown_keys_ = true;
  yaml_.add(item.key, "unknown key " + in_quotes(item.name), suggestion(item.name, names));
}

Locate StudyReader::locate() const {
  return [places = places_, file = yaml_.file](std::string_view option, std::string_view what) {
    for (const auto& key :
         {std::pair(std::string(option), std::string(what)), std::pair(std::string(option), std::string()),
          std::pair(std::string("zip"), std::string())}) {
      if (const auto found = places.find(key); found != places.end()) {
        return found->second;
      }
    }
    return SourceLocation{file, 0, 0};
  };
}

/// What must not be missing. A key that nobody knows may have been meant to be one of these.
void StudyReader::check_whole() {
  const bool is_of_steps = says("system") || says("app");
  for (const std::string_view key :
       {"arch", "trace", "param", "cache", "test_params", "kernel", "ctas", "max_cycles"}) {
    if (is_of_steps && says(key)) {
      problems_.add({places_.at({std::string(key), ""}), "'" + std::string(key) + "' is of kernels",
                     "a study has 'arch' and 'trace', or 'system' and 'app'"});
    }
  }
  for (const std::string_view key : is_of_steps ? kOfSteps : kOfKernels) {
    if (!says(key) && !has_unknown_keys_) {
      problems_.add({{yaml_.file, 0, 0}, "lacks '" + std::string(key) + "'", std::string(kNamesHint)});
    }
  }
  if (says("seed") && !says("random") && combination_ != Combination::kRandom) {
    problems_.add({places_.at({"seed", ""}), "'seed' is of 'random', which is not given", ""});
  }
}

LocatedStudy StudyReader::read(const std::string& text) {
  if (const auto document = yaml_.parse(text, "a study", "one YAML document with keys such as 'vary:'")) {
    for (const YamlItem& item : yaml_.items(document->root())) {
      take(item);
    }
    study_.combination = combination_.value_or(study_.random_count > 0 ? Combination::kRandom : Combination::kGrid);
    check(study_, locate(), problems_);
    check_whole();
  }
  problems_.throw_if_any();
  return {std::move(file_), locate()};
}

/// Writes the lines of a study.
class StudyWriter {
 public:
  void line(const std::string& name, const std::string& value) { out_ += name + ": " + value + "\n"; }
  void text(const std::string& name, const std::string& value) {
    if (!value.empty()) {
      line(name, double_quoted(value));
    }
  }
  void list(const std::string& name, const std::vector<std::string>& values) {
    if (!values.empty()) {
      line(name, in_brackets(values));
    }
  }
  void pairs(const std::string& name, const std::vector<std::string>& pairs) {
    out_ += pairs.empty() ? "" : name + ":\n";
    for (const std::string& pair : pairs) {
      const std::size_t equals = std::min(pair.find('='), pair.size() - 1);
      line("  " + double_quoted(pair.substr(0, equals)), double_quoted(pair.substr(equals + 1)));
    }
  }
  void axes(const std::vector<Axis>& axes) {
    out_ += axes.empty() ? "" : "vary:\n";
    for (const Axis& axis : axes) {
      line("  " + double_quoted(axis.key), in_brackets(axis.items));
    }
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  static std::string in_brackets(const std::vector<std::string>& values) {
    std::string text;
    for (const std::string& value : values) {
      text += (text.empty() ? "" : ", ") + double_quoted(value);
    }
    return "[" + text + "]";
  }

  std::string out_ = "# A study of gpusim sweep; docs/sweeps.md describes it.\n";
};

}  // namespace

StudyFile parse_study(std::string_view yaml, const std::string& name, const KeyBook* steps) {
  return StudyReader(name, steps).read(std::string(yaml)).file;
}

LocatedStudy read_study(const std::filesystem::path& file, const KeyBook* steps) {
  std::string why;
  const std::optional<std::string> text = arch::read_yaml_text(file, why);
  if (!text) {
    throw InputError({{file.string(), 0, 0}, why, ""});
  }
  return StudyReader(file.string(), steps).read(*text);
}

std::string write_study(const StudyFile& file) {
  const Study& study = file.study;
  StudyWriter out;
  const bool is_of_steps = study.keys != nullptr;
  out.list(is_of_steps ? "system" : "arch", study.archs);
  out.list(is_of_steps ? "app" : "trace", study.traces);
  out.axes(study.axes);
  out.list("where", study.where);
  out.pairs("set", study.set);
  out.pairs("param", study.param);
  out.line("combination", std::string(combination_name(study.combination)));
  if (study.random_count > 0) {
    out.line("random", std::to_string(study.random_count));
    out.line("seed", std::to_string(study.seed));
  }
  if (!is_of_steps) {
    out.text("cache", study.cache);
    out.line("test_params", study.test_params ? "true" : "false");
  }
  out.text("kernel", study.kernel);
  out.text("ctas", study.ctas);
  out.text("max_cycles", study.max_cycles);
  out.text("jobs", file.jobs);
  out.text("db", file.db);
  out.text("cost", file.cost);
  return out.take();
}

}  // namespace gpusim::sweep
