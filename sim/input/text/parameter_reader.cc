// SPDX-License-Identifier: MIT
#include "sim/input/text/parameter_reader.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/text.h"

namespace gpusim::frontend {

bool is_given(const Syntax& syntax, const trace::ParameterChoice& choice, const std::string& parameter) {
  const auto names = [&](const auto& pair) { return pair.first == parameter; };
  return std::ranges::any_of(choice.overrides, names) || std::ranges::any_of(choice.words, names) ||
         std::ranges::any_of(choice.presets, names) ||
         (choice.use_test_set &&
          std::ranges::any_of(syntax.tests, [&](const TestValue& test) { return test.name.text == parameter; }));
}

bool is_hole(const Syntax& syntax, const std::string& parameter) {
  return std::ranges::find(syntax.holes, parameter, &Hole::parameter) != syntax.holes.end();
}

std::optional<std::int64_t> ParameterReader::test_value(const std::string& name) {
  std::optional<std::int64_t> value;
  for (const TestValue& test : syntax_.tests) {
    if (test.name.text == name) {
      value = names_.constant(test.value, "the test value of '" + name + "'");
    }
  }
  return value;
}

void ParameterReader::define_words(const ParameterSyntax& syntax) {
  for (std::size_t i = 0; i < syntax.words.size(); ++i) {
    const Word& word = syntax.words[i];
    const auto value = static_cast<std::int64_t>(i);
    const auto [known, is_new] = words_.emplace(word.text, value);
    if (is_new) {
      definitions_.define(word, value);
    } else if (known->second != value) {
      names_.reporter().add(word.place, "'" + word.text + "' is word " + std::to_string(i) + " here and word " +
                                            std::to_string(known->second) + " elsewhere");
    }
  }
}

void ParameterReader::choose_word(const ParameterSyntax& syntax, trace::Parameter& parameter) {
  for (const auto& [name, word] : choice_.words) {
    if (name != parameter.name) {
      continue;
    }
    const auto found = std::ranges::find(parameter.words, word);
    if (found != parameter.words.end()) {
      parameter.value = found - parameter.words.begin();
    } else if (parameter.words.empty()) {
      names_.reporter().add({}, "--param " + name + ": '" + word + "' is not an integer", integers_only(word));
    } else {
      const std::vector<std::string_view> known(parameter.words.begin(), parameter.words.end());
      names_.reporter().add(syntax.name.place, "parameter '" + name + "' is '" + word + "'", suggestion(word, known));
    }
  }
}

void ParameterReader::check_range(const ParameterSyntax& syntax, trace::Parameter& parameter) {
  if (!parameter.range || (parameter.value >= parameter.range->first && parameter.value <= parameter.range->second)) {
    return;
  }
  std::string allowed;
  for (const std::string& word : parameter.words) {
    allowed += (allowed.empty() ? "" : ", ") + word;
  }
  if (parameter.words.empty()) {
    allowed = std::to_string(parameter.range->first) + " to " + std::to_string(parameter.range->second);
  }
  names_.reporter().add(syntax.name.place, "parameter '" + parameter.name + "' is " + std::to_string(parameter.value),
                        "allowed: " + allowed);
  parameter.value = parameter.default_value;
}

void ParameterReader::read_range(const ParameterSyntax& syntax, trace::Parameter& parameter) {
  if (!syntax.words.empty()) {
    define_words(syntax);
    std::ranges::transform(syntax.words, std::back_inserter(parameter.words), &Word::text);
    parameter.range = {0, static_cast<std::int64_t>(syntax.words.size()) - 1};
  } else if (syntax.least != kNoSyntax) {
    const auto least = names_.constant(syntax.least, "the least value of '" + parameter.name + "'");
    const auto most = names_.constant(syntax.most, "the greatest value of '" + parameter.name + "'");
    if (least && most) {
      parameter.range = {*least, *most};
    }
  }
}

std::int64_t ParameterReader::chosen_value(const trace::Parameter& parameter) const {
  using Values = std::vector<std::pair<std::string, std::int64_t>>;
  const auto value_in = [&parameter](const Values& values) -> std::optional<std::int64_t> {
    const auto found = std::ranges::find(values.rbegin(), values.rend(), parameter.name, &Values::value_type::first);
    return found == values.rend() ? std::nullopt : std::optional(found->second);
  };
  if (const auto given = value_in(choice_.overrides)) {
    return *given;
  }
  if (choice_.use_test_set && parameter.test_value) {
    return *parameter.test_value;
  }
  return value_in(choice_.presets).value_or(parameter.default_value);
}

trace::Parameter ParameterReader::read(const ParameterSyntax& syntax) {
  trace::Parameter parameter;
  parameter.name = syntax.name.text;
  parameter.what = syntax.what;
  read_range(syntax, parameter);
  const auto default_value = names_.constant(syntax.value, "the default of '" + parameter.name + "'");
  parameter.default_value = default_value.value_or(0);
  parameter.test_value = test_value(parameter.name);
  parameter.value = chosen_value(parameter);
  choose_word(syntax, parameter);
  if (is_given(syntax_, choice_, parameter.name) || !is_hole(syntax_, parameter.name)) {
    check_range(syntax, parameter);
  }
  if (!parameter.words.empty()) {
    names_.bind_word(parameter.name, parameter.text_of(parameter.value));
    file_.words.emplace_back(parameter.name, parameter.text_of(parameter.value));
  }
  definitions_.define(syntax.name, default_value ? std::optional(parameter.value) : std::nullopt);
  return parameter;
}

}  // namespace gpusim::frontend
