// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/scope.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/trimmed.h"
#include "sim/model/arch/value.h"

namespace gpusim::lab {
namespace {

using arch::in_quotes;

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";

/// Calls `plain` with what stands between braces, and `inside` with what stands in them.
template <class Plain, class Inside>
void split_braces(std::string_view text, Plain plain, Inside inside) {
  while (true) {
    const std::size_t open = text.find(kOpen);
    const std::size_t close = open == std::string_view::npos ? open : text.find(kClose, open);
    if (close == std::string_view::npos) {
      plain(text);
      return;
    }
    plain(text.substr(0, open));
    inside(std::string(trimmed(text.substr(open + kOpen.size(), close - open - kOpen.size()))));
    text.remove_prefix(close + kClose.size());
  }
}

/// Each begins or ends code in Markdown.
std::size_t backtick_runs(std::string_view text) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    runs += text[i] == '`' && (i == 0 || text[i - 1] != '`') ? 1 : 0;
  }
  return runs;
}

}  // namespace

void Scope::set_text(std::string name, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  set(std::move(name), is_number ? Value(number) : Value(text));
}

std::optional<Scope::Value> Scope::find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) {
    return found->second;
  }
  return lookup_ ? lookup_(name) : std::nullopt;
}

double Scope::number(const Formula& formula, const std::string& where) const {
  std::vector<double> values;
  for (const std::string& name : formula.names()) {
    const std::optional<Value> value = find(name);
    if (!value || !std::holds_alternative<double>(*value)) {
      throw InputError({{where, 0, 0}, in_quotes(name) + (value ? " is not a number" : " has no value"), ""});
    }
    values.push_back(std::get<double>(*value));
  }
  return formula.value(values);
}

bool Scope::holds(const Formula& formula, const std::string& where) const {
  return number(formula, where) != 0;
}

std::string Scope::resolved(const std::string& text) const {
  try {
    const Formula formula = Formula::number("", text);
    if (const std::optional<std::string> word = word_of(formula)) {
      return *word;
    }
    return formula.names().empty() ? text : exact_text(number(formula, ""));
  } catch (const InputError&) {
    return text;
  }
}

std::optional<std::string> Scope::word_of(const Formula& formula) const {
  if (formula.steps().size() != 1 || formula.names().size() != 1) {
    return std::nullopt;
  }
  const std::optional<Value> value = find(formula.names().front());
  return value && std::holds_alternative<std::string>(*value) ? std::optional(std::get<std::string>(*value))
                                                              : std::nullopt;
}

std::string Scope::filled(std::string_view text, const std::string& where) const {
  std::string out;
  bool in_code = false;
  split_braces(
      text,
      [&](std::string_view plain) {
        in_code = in_code != (backtick_runs(plain) % 2 == 1);
        out += plain;
      },
      [&](const std::string& inside) {
        out += filling(inside, where, [in_code](double number) {
          std::string digits = number_text(number);
          if (in_code) {  // a command is copied as it stands, and gpusim takes no "1,024"
            std::erase(digits, ',');
          }
          return digits;
        });
      });
  return out;
}

std::string Scope::filled_exactly(std::string_view text, const std::string& where) const {
  std::string out;
  split_braces(
      text, [&out](std::string_view plain) { out += plain; },
      [&](const std::string& inside) { out += filling(inside, where, exact_text); });
  return out;
}

std::string Scope::filling(const std::string& inside, const std::string& where,
                           const std::function<std::string(double)>& write) const {
  const Formula formula = Formula::number(where, inside);
  const std::optional<std::string> word = word_of(formula);
  return word ? *word : write(number(formula, where));
}

std::string number_text(double number) {
  constexpr double kWholeBelow = 1e15;
  constexpr double kRoundedFrom = 999.5;  // with three digits it has no fraction
  if (!std::isfinite(number)) {
    return "no number";
  }
  const double size = std::abs(number);
  if (size < kWholeBelow && (size == std::floor(size) || size >= kRoundedFrom)) {
    return (number < 0 ? "-" : "") + with_thousands(static_cast<std::uint64_t>(std::llround(size)));
  }
  const std::string with_four = fmt::format("{:.4g}", number);
  return std::strtod(with_four.c_str(), nullptr) == number ? with_four : fmt::format("{:.3g}", number);
}

std::string exact_text(double number) {
  return fmt::format("{}", number);
}

}  // namespace gpusim::lab
