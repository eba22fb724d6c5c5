// SPDX-License-Identifier: MIT
// What names in a lab stand for: the parameters of a student, what runs measured, numbers that the student chose.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/commands/lab/course/lab.h"

namespace gpusim::lab {

/// Before the key of a kSetting task, in formulas.
inline constexpr std::string_view kAnswers = "answers.";

/// Values by name.
class Scope {
 public:
  using Value = std::variant<double, std::string>;
  /// What else there is, by name; nothing when there is no such thing.
  using Lookup = std::function<std::optional<Value>(std::string_view name)>;

  void set(std::string name, Value value) { values_.insert_or_assign(std::move(name), std::move(value)); }
  /// A text as a number where it is one.
  void set_text(std::string name, const std::string& text);
  void set_lookup(Lookup lookup) { lookup_ = std::move(lookup); }

  [[nodiscard]] std::optional<Value> find(std::string_view name) const;
  /// Throws InputError about `where` when a name has no value, or is a word.
  [[nodiscard]] double number(const Formula& formula, const std::string& where) const;
  [[nodiscard]] bool holds(const Formula& formula, const std::string& where) const;

  /// The value of a parameter of a trace or a key of an architecture: a formula of known names becomes a number, the
  /// name of a word that word, anything else stays.
  [[nodiscard]] std::string resolved(const std::string& text) const;

  /// A sentence with its braces filled in: "1,024" in a sentence, "1024" in code, which stands in backticks. Throws
  /// InputError about `where` when what stands in them is not a formula, or has no value.
  [[nodiscard]] std::string filled(std::string_view text, const std::string& where) const;
  /// A text for programs, with numbers to the last digit. Throws as filled() does.
  [[nodiscard]] std::string filled_exactly(std::string_view text, const std::string& where) const;

 private:
  /// The word that a formula names; nothing when the formula is not the name of a word.
  [[nodiscard]] std::optional<std::string> word_of(const Formula& formula) const;
  /// What stands in braces: a word, or a number as `write` has it.
  [[nodiscard]] std::string filling(const std::string& inside, const std::string& where,
                                    const std::function<std::string(double)>& write) const;

  std::map<std::string, Value, std::less<>> values_;
  Lookup lookup_;
};

/// "65,536", "4.2", "0.031": as people read numbers. What four digits do not say exactly is rounded to three.
[[nodiscard]] std::string number_text(double number);
/// The same to the last digit, as options take it.
[[nodiscard]] std::string exact_text(double number);

}  // namespace gpusim::lab
