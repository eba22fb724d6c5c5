// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/words.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace gpusim::sweep {

std::string number_text(double value) {
  constexpr double kWholeFrom = 9999.5;
  constexpr double kLargest = 1e15;
  if (std::abs(value) < kWholeFrom || !(std::abs(value) < kLargest)) {
    return fmt::format("{:.4g}", value);
  }
  return (value < 0 ? "-" : "") + with_thousands(static_cast<std::uint64_t>(std::llround(std::abs(value))));
}

double scale_of(const Dimension& dimension) {
  const std::optional<Quantity>& first = dimension.levels.front().number;
  return first && first->unit != nullptr ? first->unit->scale : 1;
}

std::string unit_word(const Dimension& dimension) {
  const std::optional<Quantity>& first = dimension.levels.front().number;
  return first && first->unit != nullptr ? std::string(first->unit->word) : "";
}

std::string in_unit_of(const Dimension& dimension, double value) {
  const std::string unit = unit_word(dimension);
  return number_text(value / scale_of(dimension)) + (unit.empty() ? "" : " " + unit);
}

std::string with_unit(const std::string& name, const std::string& unit) {
  const bool says_it = name == unit || name.ends_with("_" + unit);
  return unit.empty() || says_it ? name : name + " [" + unit + "]";
}

std::vector<std::string> varying_keys(const Analysis& analysis) {
  std::vector<std::string> keys;
  for (const std::string& key : analysis.parameters) {
    std::set<std::string> texts;
    for (const PointRow& row : analysis.rows) {
      texts.insert(text_or_dash(row, key));
      if (texts.size() > 1) {
        keys.push_back(key);
        break;
      }
    }
  }
  return keys;
}

std::string text_or_dash(const PointRow& row, const std::string& key) {
  const std::string* const text = find_text(row.parameters, key);
  return text == nullptr ? "-" : printable(*text);
}

bool is_wide(double low, double high) {
  constexpr double kWide = 7.9;  // eight, but for rounding
  return low > 0 && high / low > kWide;
}

std::vector<std::size_t> spread_over(std::size_t count, std::size_t most) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < std::min(count, most); ++i) {
    out.push_back(count <= most ? i : i * (count - 1) / (most - 1));
  }
  return out;
}

std::string name_of(const Group& group) {
  return printable(group.trace) + " on " + printable(group.arch);
}

}  // namespace gpusim::sweep
