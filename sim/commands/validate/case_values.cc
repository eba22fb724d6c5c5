// SPDX-License-Identifier: MIT
#include "sim/commands/validate/case_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/model/arch/value.h"

namespace gpusim::validate {

using arch::in_quotes;
using arch::YamlItem;

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

std::string CaseValues::text(const YamlItem& item) const {
  std::string text = yaml_.scalar(item.value, "'" + item.name + "'").value_or("?");
  if (text.empty()) {
    yaml_.add(item.value, "'" + item.name + "' is empty");
  }
  return text;
}

double CaseValues::number(const YamlItem& item, const arch::YamlNode& node) const {
  const std::optional<std::string> text = yaml_.scalar(node, "'" + item.name + "'");
  const std::optional<double> value = text ? parse_number(*text) : std::nullopt;
  if (text && !value) {
    yaml_.add(node, "'" + item.name + "': " + in_quotes(*text) + " is not a number from 0 on");
  }
  return value.value_or(0);
}

double CaseValues::amount(const YamlItem& item) const {
  const double value = number(item, item.value);
  if (value == 0) {
    yaml_.add(item.value, "'" + item.name + "' must be more than 0");
  }
  return value;
}

std::uint32_t CaseValues::count(const YamlItem& item, std::uint32_t most) const {
  const std::string written = text(item);
  const std::optional<std::uint64_t> value = parse_unsigned(written);
  if (!value || *value == 0 || *value > most) {
    yaml_.add(item.value, "'" + item.name + "': " + in_quotes(written) + " is out of range",
              "allowed: 1 to " + with_thousands(most));
    return 1;
  }
  return static_cast<std::uint32_t>(*value);
}

std::string CaseValues::word(const YamlItem& item, std::span<const std::string_view> words) const {
  std::string written = text(item);
  if (std::ranges::find(words, written) == words.end()) {
    yaml_.add(item.value, "'" + item.name + "' is " + in_quotes(written), suggestion(written, words));
  }
  return written;
}

bool CaseValues::truth(const YamlItem& item) const {
  constexpr std::array<std::string_view, 2> kWords{"true", "false"};
  return word(item, kWords) == "true";
}

void CaseValues::add_pairs(const YamlItem& item, std::vector<NamedText>& pairs) const {
  for (const YamlItem& pair : yaml_.items(item.value)) {
    std::string value = yaml_.scalar(pair.value, "the value of " + in_quotes(pair.name)).value_or("");
    const auto known = std::ranges::find(pairs, pair.name, &NamedText::first);
    if (known == pairs.end()) {
      pairs.emplace_back(pair.name, std::move(value));
    } else {
      known->second = std::move(value);
    }
  }
}

}  // namespace gpusim::validate
