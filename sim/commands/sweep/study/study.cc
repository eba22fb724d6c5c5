// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/study.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "sim/base/file_name.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/commands/sweep/study/expand.h"
#include "sim/commands/sweep/study/items.h"
#include "sim/commands/sweep/study/key_book.h"
#include "sim/commands/sweep/study/where.h"
#include "sim/model/arch/overrides.h"
#include "sim/model/arch/value.h"

namespace gpusim::sweep {
namespace {

using arch::in_quotes;

constexpr std::array<std::string_view, 4> kCombinationNames{"grid", "zip", "random", "one-at-a-time"};

/// "KEY" of "KEY=VALUE"; nothing where there is no '=', or nothing before it.
std::optional<std::string_view> key_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  return equals == std::string_view::npos || equals == 0 ? std::nullopt : std::optional(text.substr(0, equals));
}

/// Finds everything that is wrong with one study.
class Checker {
 public:
  Checker(const Study& study, const Locate& locate, ProblemList& problems)
      : study_(study), locate_(locate), problems_(problems) {}

  void check_axes();
  void check_fixed();
  void check_combination();
  void check_conditions();
  Choices parameters();

 private:
  void check_axis(const Axis& axis);
  void check_lengths(const std::vector<std::size_t>& lengths);
  void unknown_key(const Axis& axis, const SourceLocation& where);
  [[nodiscard]] bool is_axis(std::string_view key) const {
    return std::ranges::find(study_.axes, key, &Axis::key) != study_.axes.end();
  }

  const Study& study_;
  const Locate& locate_;
  ProblemList& problems_;
  std::vector<std::size_t> lengths_;  ///< values by axis
};

void Checker::unknown_key(const Axis& axis, const SourceLocation& where) {
  if (study_.keys != nullptr) {
    problems_.add({where, "unknown key " + in_quotes(axis.key), study_.keys->suggest(axis.key)});
    return;
  }
  if (axis.key == kParamPrefix) {
    problems_.add({where, "names no parameter", "such as param.seq"});
  } else if (arch::is_group(axis.key)) {
    problems_.add({where, "is a group of keys", suggestion("", arch::children_of(axis.key))});
  } else {
    const bool may_be_parameter = axis.key.find('.') == std::string::npos;
    problems_.add(
        {where, "unknown key " + in_quotes(axis.key),
         arch::suggest_key(axis.key) + (may_be_parameter ? "; a trace's parameter is param." + axis.key : "")});
  }
}

void Checker::check_axis(const Axis& axis) {
  const SourceLocation where = locate_("vary", axis.key);
  const std::optional<Domain> domain = Domain::of(axis.key, study_);
  if (!domain) {
    unknown_key(axis, where);
    return;
  }
  lengths_.push_back(parse_items(*domain, axis.items, where, problems_).size());
}

void Checker::check_lengths(const std::vector<std::size_t>& lengths) {
  std::size_t all = 0;
  for (const std::size_t length : lengths) {
    all += length;
  }
  if (all > kMostValues) {
    problems_.add({locate_("vary", study_.axes.front().key),
                   "the axes have " + with_thousands(all) + " values together",
                   "at most " + with_thousands(kMostValues)});
  }
  const bool is_complete = lengths.size() == study_.axes.size();
  if (study_.combination != Combination::kZip || !is_complete || lengths.empty() ||
      std::ranges::count(lengths, lengths.front()) == std::ssize(lengths)) {
    return;
  }
  std::string text;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    text += (i == 0 ? "'" : ", '") + study_.axes[i].key + "' " + std::to_string(lengths[i]);
  }
  problems_.add({locate_("zip", ""), "needs axes of equal length; values: " + text, ""});
}

void Checker::check_axes() {
  if (study_.axes.size() > kMostAxes) {
    problems_.add(
        {locate_("vary", study_.axes[kMostAxes].key), "is one axis too many", "at most " + std::to_string(kMostAxes)});
    return;
  }
  std::set<std::string_view> seen;
  for (const Axis& axis : study_.axes) {
    if (!seen.insert(axis.key).second) {
      problems_.add({locate_("vary", axis.key), "is varied twice", "all values in one list"});
    }
    check_axis(axis);
  }
  check_lengths(lengths_);
}

void Checker::check_fixed() {
  std::set<std::string_view> seen;
  for (const std::string& text : study_.set) {
    const std::optional<std::string_view> key = key_of(text);
    if (!key) {
      problems_.add({locate_("set", text), in_quotes(text) + " is not KEY=VALUE", ""});
    } else if (is_axis(*key)) {
      problems_.add({locate_("set", *key), "is varied, too", "one of the two"});
    } else if (!seen.insert(*key).second) {
      problems_.add({locate_("set", *key), "is given twice", ""});
    }
  }
  for (const auto& [name, value] : parameters()) {
    if (is_axis(std::string(kParamPrefix) + name)) {
      problems_.add({locate_("param", name), "is varied, too", "one of the two"});
    }
  }
}

Choices Checker::parameters() {
  Choices all;
  std::set<std::string_view> seen;
  for (const std::string& text : study_.param) {
    const std::optional<std::string_view> name = key_of(text);
    if (!name) {
      problems_.add({locate_("param", text), in_quotes(text) + " is not NAME=VALUE", ""});
      continue;
    }
    const std::string_view value = std::string_view(text).substr(name->size() + 1);
    if (!parse_signed(value) && !is_word_or_file(value)) {
      problems_.add({locate_("param", *name), in_quotes(value) + " is not an integer", integers_only(value)});
    } else if (!seen.insert(*name).second) {
      problems_.add({locate_("param", *name), "is given twice", ""});
    } else {
      all.emplace_back(*name, value);
    }
  }
  return all;
}

void Checker::check_combination() {
  const bool is_random = study_.combination == Combination::kRandom;
  if (!is_random && study_.random_count > 0) {
    problems_.add({locate_("random", ""),
                   "contradicts the combination " + in_quotes(combination_name(study_.combination)), "one of the two"});
  } else if (is_random && (study_.random_count == 0 || study_.random_count > kMostPoints)) {
    problems_.add({locate_("random", ""), "draws " + with_thousands(study_.random_count) + " points",
                   "1 to " + with_thousands(kMostPoints)});
  }
}

void Checker::check_conditions() {
  for (const std::string& text : study_.where) {
    (void)parse_condition(text, study_, locate_("where", text), problems_);
  }
}

}  // namespace

std::string_view combination_name(Combination combination) {
  return kCombinationNames[static_cast<std::size_t>(combination)];
}

Axis parse_axis(std::string_view text) {
  const std::optional<std::string_view> key = key_of(text);
  if (!key) {
    throw UsageError("--vary " + in_quotes(text) + " is not KEY=VALUES, such as sm.count=66,99,132");
  }
  return {std::string(*key), split_items(text.substr(key->size() + 1))};
}

std::vector<std::string> split_items(std::string_view text) {
  static constexpr std::string_view kBlanks = " \t";
  std::vector<std::string> items;
  const auto keep = [&items](std::string_view item) {
    item.remove_prefix(std::min(item.find_first_not_of(kBlanks), item.size()));
    items.emplace_back(item.substr(0, item.find_last_not_of(kBlanks) + 1));
  };
  std::size_t start = 0;
  bool in_brackets = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    in_brackets = text[i] == '[' || (in_brackets && text[i] != ']');
    if (text[i] == ',' && !in_brackets) {
      keep(text.substr(start, i - start));
      start = i + 1;
    }
  }
  keep(text.substr(start));
  return items;
}

Choices fixed_parameters(const Study& study) {
  ProblemList problems;
  Choices all = Checker(study, on_command_line, problems).parameters();
  problems.throw_if_any();
  return all;
}

SourceLocation on_command_line(std::string_view option, std::string_view word) {
  const bool names_word = !word.empty() && (option == "vary" || option == "set" || option == "param");
  return {"--" + std::string(option) + (names_word ? " " + clipped(printable(word), 60) : ""), 0, 0};
}

void check(const Study& study, const Locate& locate, ProblemList& problems) {
  Checker checker(study, locate, problems);
  checker.check_axes();
  checker.check_fixed();
  checker.check_combination();
  checker.check_conditions();
}

}  // namespace gpusim::sweep
