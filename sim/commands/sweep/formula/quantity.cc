// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/formula/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gpusim::sweep {
namespace {

constexpr std::array<UnitWord, 26> kUnits{
    {{"B", 1},        {"KiB", 1024.0},  {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0},
     {"Hz", 1},       {"kHz", 1e3},     {"MHz", 1e6},       {"GHz", 1e9},          {"ns", 1},
     {"us", 1e3},     {"ms", 1e6},      {"B/s", 1},         {"MB/s", 1e6},         {"GB/s", 1e9},
     {"TB/s", 1e12},  {"GFLOP/s", 1e9}, {"TFLOP/s", 1e12},  {"PFLOP/s", 1e15},     {"GOP/s", 1e9},
     {"TOP/s", 1e12}, {"B/cycle", 1},   {"cycles", 1},      {"clocks", 1},         {"bits", 1},
     {"%", 1}}};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Whether a word that ends before `rest` is whole: "B" of "B/s" is not.
bool ends_word(std::string_view word, std::string_view rest) {
  return word == "%" || rest.empty() || (!is_letter(rest.front()) && !is_digit(rest.front()));
}

std::optional<double> plain_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> number(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::optional<double> top = plain_number(text.substr(0, slash));
  if (slash == std::string_view::npos || !top) {
    return top;
  }
  const std::optional<double> bottom = plain_number(text.substr(slash + 1));
  return bottom && *bottom != 0 ? std::optional(*top / *bottom) : std::nullopt;
}

}  // namespace

const UnitWord* leading_unit(std::string_view text) {
  const UnitWord* longest = nullptr;
  for (const UnitWord& unit : kUnits) {
    const bool fits = text.starts_with(unit.word) && ends_word(unit.word, text.substr(unit.word.size()));
    if (fits && (longest == nullptr || unit.word.size() > longest->word.size())) {
      longest = &unit;
    }
  }
  return longest;
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("-0123456789./"), text.size());
  const std::optional<double> value = number(text.substr(0, end));
  std::string_view word = text.substr(end);
  word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
  if (!value || word.empty()) {
    return value ? std::optional(Quantity{*value, nullptr}) : std::nullopt;
  }
  const UnitWord* const unit = leading_unit(word);
  const bool known = unit != nullptr && unit->word.size() == word.size();
  return known ? std::optional(Quantity{*value * unit->scale, unit}) : std::nullopt;
}

}  // namespace gpusim::sweep
