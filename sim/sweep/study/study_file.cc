// SPDX-License-Identifier: MIT
#include "sim/sweep/study/study_file.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/arch/value.h"
#include "sim/arch/yaml_reader.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"

namespace gpusim::sweep {
namespace {

using arch::double_quoted;
using arch::in_quotes;
using arch::YamlItem;

constexpr std::array<Combination, 4> kCombinations{Combination::kGrid, Combination::kZip, Combination::kRandom,
                                                   Combination::kOneAtATime};

class StudyReader {
 public:
  explicit StudyReader(const std::string& name) : yaml_(problems_) { yaml_.file = name; }

  StudyFile read(const std::string& text);

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
  void take_archs(const YamlItem& item) { study_.archs = texts(item.value, item.name); }
  void take_traces(const YamlItem& item) { study_.traces = texts(item.value, item.name); }
  void take_combination(const YamlItem& item);
  void take_random(const YamlItem& item) { study_.random_count = number(item).value_or(1); }
  void take_seed(const YamlItem& item) { study_.seed = number(item).value_or(1); }
  void take_cache(const YamlItem& item) { study_.cache = word(item, {"cold", "warm"}).value_or("warm"); }
  void take_test_params(const YamlItem& item) { study_.test_params = word(item, {"true", "false"}) == "true"; }
  void take_kernel(const YamlItem& item) { study_.kernel = text(item); }
  void take_ctas(const YamlItem& item) { study_.ctas = text(item); }
  void take_max_cycles(const YamlItem& item) { study_.max_cycles = text(item); }
  void take_jobs(const YamlItem& item) { file_.jobs = text(item); }
  void take_db(const YamlItem& item) { file_.db = text(item); }
  void take_cost(const YamlItem& item) { file_.cost = text(item); }

  void take_pairs(const YamlItem& item, const std::string& option, std::vector<std::string>& pairs);
  std::vector<std::string> texts(const YAML::Node& node, const std::string& name);
  std::string text(const YamlItem& item) { return yaml_.scalar(item.value, "'" + item.name + "'").value_or(""); }
  std::optional<std::uint64_t> number(const YamlItem& item);
  std::optional<std::string> word(const YamlItem& item, const std::vector<std::string_view>& words);
  void remember(std::string option, std::string what, const YAML::Node& node) {
    places_.try_emplace({std::move(option), std::move(what)}, yaml_.place(node));
  }
  [[nodiscard]] SourceLocation find(std::string_view option, std::string_view what) const;

  static const std::array<Field, 17> kFields;

  ProblemList problems_;
  arch::YamlReader yaml_;
  StudyFile file_;
  Study& study_ = file_.study;
  std::optional<Combination> combination_;
  std::map<std::pair<std::string, std::string>, SourceLocation> places_;  ///< (option, word) as of Locate
};

const std::array<StudyReader::Field, 17> StudyReader::kFields{{
    {"arch", &StudyReader::take_archs},
    {"trace", &StudyReader::take_traces},
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

std::vector<std::string> StudyReader::texts(const YAML::Node& node, const std::string& name) {
  std::vector<std::string> all;
  const auto take_one = [&](const YAML::Node& part) {
    if (std::optional<std::string> one = yaml_.scalar(part, "a value of '" + name + "'")) {
      all.push_back(std::move(*one));
    }
  };
  if (!node.IsSequence()) {
    take_one(node);
    return all;
  }
  for (const auto& part : node) {
    take_one(part);
    if (all.size() > kMostValues) {
      yaml_.add(node, "'" + name + "' has more than " + with_thousands(kMostValues) + " values");
      return {};
    }
  }
  return all;
}

std::optional<std::uint64_t> StudyReader::number(const YamlItem& item) {
  const std::optional<std::string> text = yaml_.scalar(item.value, "'" + item.name + "'");
  const std::optional<std::uint64_t> number = text ? parse_unsigned(*text) : std::nullopt;
  if (text && !number) {
    yaml_.add(item.value, "'" + item.name + "': " + in_quotes(*text) + " is not a whole number");
  }
  return number;
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
  if (!item.value.IsMap()) {
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
  if (!item.value.IsMap()) {
    yaml_.add(item.value, "'vary' must be a map", "such as  sm.count: [66, 99, 132]");
    return;
  }
  for (const YamlItem& axis : yaml_.items(item.value)) {
    remember("vary", axis.name, axis.key);
    std::vector<std::string> values = texts(axis.value, axis.name);
    const bool is_one_text = axis.value.IsScalar() && values.size() == 1;
    study_.axes.push_back({axis.name, is_one_text ? split_items(values.front()) : std::move(values)});
  }
}

void StudyReader::take_where(const YamlItem& item) {
  study_.where = texts(item.value, item.name);
  if (item.value.IsSequence()) {
    for (const auto& part : item.value) {
      remember("where", part.IsScalar() ? part.Scalar() : "", part);
    }
  } else if (item.value.IsScalar()) {
    remember("where", item.value.Scalar(), item.value);
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
  yaml_.add(item.key, "unknown key " + in_quotes(item.name), suggestion(item.name, names));
}

SourceLocation StudyReader::find(std::string_view option, std::string_view what) const {
  for (const auto& key :
       {std::pair(std::string(option), std::string(what)), std::pair(std::string(option), std::string()),
        std::pair(std::string("zip"), std::string())}) {
    if (const auto found = places_.find(key); found != places_.end()) {
      return found->second;
    }
  }
  return {yaml_.file, 0, 0};
}

StudyFile StudyReader::read(const std::string& text) {
  if (const std::optional<YAML::Node> root =
          yaml_.parse(text, "a study", "one YAML document with keys such as 'vary:'")) {
    for (const YamlItem& item : yaml_.items(*root)) {
      take(item);
    }
    study_.combination = combination_.value_or(study_.random_count > 0 ? Combination::kRandom : Combination::kGrid);
    check(
        study_, [this](std::string_view option, std::string_view what) { return find(option, what); }, problems_);
  }
  problems_.throw_if_any();
  return std::move(file_);
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

StudyFile parse_study(std::string_view yaml, const std::string& name) {
  return StudyReader(name).read(std::string(yaml));
}

StudyFile read_study(const std::filesystem::path& file) {
  const std::optional<std::string> text = arch::read_yaml_text(file);
  if (!text) {
    throw InputError({{"", 0, 0}, "cannot read " + in_quotes(file.string()), std::string(arch::kYamlFileHint)});
  }
  return parse_study(*text, file.string());
}

std::string write_study(const StudyFile& file) {
  const Study& study = file.study;
  StudyWriter out;
  out.list("arch", study.archs);
  out.list("trace", study.traces);
  out.axes(study.axes);
  out.list("where", study.where);
  out.pairs("set", study.set);
  out.pairs("param", study.param);
  out.line("combination", std::string(combination_name(study.combination)));
  if (study.random_count > 0) {
    out.line("random", std::to_string(study.random_count));
  }
  out.line("seed", std::to_string(study.seed));
  out.text("cache", study.cache);
  out.line("test_params", study.test_params ? "true" : "false");
  out.text("kernel", study.kernel);
  out.text("ctas", study.ctas);
  out.text("max_cycles", study.max_cycles);
  out.text("jobs", file.jobs);
  out.text("db", file.db);
  out.text("cost", file.cost);
  return out.take();
}

}  // namespace gpusim::sweep
