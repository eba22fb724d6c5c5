// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/formula/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace gpusim::sweep {
namespace {

constexpr std::array<UnitWord, 26> kUnits{{{"B", 1, "B"},
                                           {"KiB", 1024.0, "B"},
                                           {"MiB", 1048576.0, "B"},
                                           {"GiB", 1073741824.0, "B"},
                                           {"TiB", 1099511627776.0, "B"},
                                           {"Hz", 1, "Hz"},
                                           {"kHz", 1e3, "Hz"},
                                           {"MHz", 1e6, "Hz"},
                                           {"GHz", 1e9, "Hz"},
                                           {"ns", 1, "s"},
                                           {"us", 1e3, "s"},
                                           {"ms", 1e6, "s"},
                                           {"B/s", 1, "B/s"},
                                           {"MB/s", 1e6, "B/s"},
                                           {"GB/s", 1e9, "B/s"},
                                           {"TB/s", 1e12, "B/s"},
                                           {"GFLOP/s", 1e9, "FLOP/s"},
                                           {"TFLOP/s", 1e12, "FLOP/s"},
                                           {"PFLOP/s", 1e15, "FLOP/s"},
                                           {"GOP/s", 1e9, "OP/s"},
                                           {"TOP/s", 1e12, "OP/s"},
                                           {"B/cycle", 1, "B/cycle"},
                                           {"cycles", 1, "cycles"},
                                           {"clocks", 1, "clocks"},
                                           {"bits", 1, "bits"},
                                           {"%", 1, "%"}}};

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

/// "4.1 us" of 4100 ns; empty where nine digits do not say the value.
std::string text_in(const UnitWord& unit, double value) {
  constexpr int kDigits = 9;
  constexpr double kExact = 1e-12;
  std::array<char, 32> digits;
  const auto [end, error] =
      std::to_chars(digits.begin(), digits.end(), value / unit.scale, std::chars_format::general, kDigits);
  const std::string text(digits.begin(), end);
  const std::optional<double> read = plain_number(text);
  return read && std::abs(*read * unit.scale - value) <= kExact * std::abs(value) ? text + " " + std::string(unit.word)
                                                                                  : std::string();
}

/// The cells in this unit; nothing where one cannot be written in it.
std::vector<std::string> texts_in(const UnitWord& unit, const std::vector<std::optional<Quantity>>& cells) {
  std::vector<std::string> texts;
  for (const std::optional<Quantity>& cell : cells) {
    texts.push_back(cell ? text_in(unit, cell->value) : "");
    if (cell && texts.back().empty()) {
      return {};
    }
  }
  return texts;
}

/// "1 GHz" of "1GHz": the number with the digits that it has.
std::string spaced(const std::string& text, const UnitWord& unit) {
  const std::size_t digits = text.find_last_not_of(' ', text.size() - unit.word.size() - 1) + 1;
  return text.substr(0, digits) + " " + std::string(unit.word);
}

/// The texts of a column in the unit of its own with the shortest ones; nothing where there is no such unit.
std::vector<std::string> in_one_unit(const std::vector<std::string>& column) {
  std::vector<std::optional<Quantity>> cells;
  const UnitWord* first = nullptr;
  bool is_one = true;
  for (const std::string& text : column) {
    cells.push_back(parse_quantity(text));
    const UnitWord* const unit = cells.back() ? cells.back()->unit : nullptr;
    first = first == nullptr ? unit : first;
    if (!text.empty() && (unit == nullptr || unit->base != first->base)) {
      return {};
    }
    is_one = is_one && (text.empty() || unit == first);
  }
  if (is_one) {
    std::vector<std::string> texts;
    std::ranges::transform(column, std::back_inserter(texts),
                           [&](const std::string& text) { return text.empty() ? text : spaced(text, *first); });
    return texts;
  }
  const auto length = [](const std::vector<std::string>& texts) {
    return std::accumulate(texts.begin(), texts.end(), std::size_t{0},
                           [](std::size_t sum, const std::string& text) { return sum + text.size(); });
  };
  std::vector<std::string> best;
  for (const std::optional<Quantity>& cell : cells) {
    std::vector<std::string> texts = cell ? texts_in(*cell->unit, cells) : std::vector<std::string>();
    if (best.empty() || (!texts.empty() && length(texts) < length(best))) {
      best = std::move(texts);
    }
  }
  return best;
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

void give_one_unit(std::vector<std::vector<std::string>>& rows, std::size_t begin, std::size_t end) {
  for (std::size_t column = begin; column < end; ++column) {
    std::vector<std::string> cells;
    std::ranges::transform(rows, std::back_inserter(cells), [column](const auto& row) { return row.at(column); });
    std::vector<std::string> texts = in_one_unit(cells);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      rows[i][column] = std::move(texts[i]);
    }
  }
}

}  // namespace gpusim::sweep
