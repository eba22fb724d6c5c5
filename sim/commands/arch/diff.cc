// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/commands/arch/peaks_of.h"
#include "sim/commands/arch/tables.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"

namespace gpusim::arch_tables {
namespace {

using arch::Peak;
using Json = nlohmann::ordered_json;

/// Words have no size.
bool is_number(arch::Unit unit) {
  return unit != arch::Unit::kText && !arch::is_list(unit) && unit != arch::Unit::kUnsupported;
}

/// Two values of a key: whether they are the same, and their ratio.
Difference compare(const arch::Key& key, const arch::Entry& left, const arch::Entry& right) {
  Difference difference{key.path, left.text, right.text, std::nullopt};
  const arch::Value a = arch::parse_value(key, left.text).value;
  const arch::Value b = arch::parse_value(key, right.text).value;
  const bool same_word = key.unit != arch::Unit::kTiming || a.word == b.word;
  if (is_number(key.unit) && same_word && a.number.numerator != 0) {
    difference.factor = b.number.value() / a.number.value();
  }
  const bool equal = a.number == b.number && a.list == b.list && (is_number(key.unit) ? same_word : a.word == b.word);
  if (equal) {
    difference.right = difference.left;
  }
  return difference;
}

/// A peak of either GPU; the values are 0 where a GPU has none.
struct PeakPair {
  std::string_view name;
  arch::PeakUnit unit;
  double left;
  double right;
};

std::vector<PeakPair> pair_peaks(const arch::Arch& left, const arch::Arch& right) {
  const std::vector<Peak> a = computed_peaks(left);
  const std::vector<Peak> b = computed_peaks(right);
  std::vector<PeakPair> pairs;
  for (const arch::PeakInfo& info : arch::peak_infos()) {
    const PeakPair pair{info.name, info.unit, peak_value(a, info.name), peak_value(b, info.name)};
    if (pair.left > 0 || pair.right > 0) {
      pairs.push_back(pair);
    }
  }
  return pairs;
}

std::string factor_text(std::optional<double> factor) {
  return factor ? fmt::format("x {:.3g}", *factor) : "";
}

std::optional<double> factor_of(const PeakPair& pair) {
  return pair.left > 0 && pair.right > 0 ? std::optional(pair.right / pair.left) : std::nullopt;
}

/// The width of a column of names or values, in characters: two such columns and the longest key fit the page.
constexpr std::size_t kWidest = 22;

/// The end of a text that is too long. Lists are sorted, so their largest items remain visible.
std::string value_text(const std::string& text) {
  const std::string shown = printable(text);
  return shown.empty() ? "-" : shown.size() <= kWidest ? shown : "..." + shown.substr(shown.size() - kWidest + 3);
}

}  // namespace

std::vector<Difference> differences(const arch::Sheet& left, const arch::Sheet& right) {
  std::vector<Difference> all;
  for (std::size_t i = 0; i < arch::schema().size(); ++i) {
    const arch::Key& key = arch::schema()[i];
    const arch::Entry* const a = left.find(i);
    const arch::Entry* const b = right.find(i);
    const bool compared = key.has_source && !std::holds_alternative<arch::PeakField>(key.field);
    if (!compared || (a == nullptr && b == nullptr)) {
      continue;
    }
    Difference difference = a != nullptr && b != nullptr
                                ? compare(key, *a, *b)
                                : Difference{key.path, a ? a->text : "", b ? b->text : "", std::nullopt};
    if (difference.left != difference.right) {
      all.push_back(std::move(difference));
    }
  }
  return all;
}

std::string diff_text(const arch::Resolved& left, const arch::Resolved& right, const layout::Look& look) {
  const std::string first = clipped(printable(left.arch.name), kWidest);
  const std::string second = clipped(printable(right.arch.name), kWidest);
  std::string text = layout::heading("Peaks", "at the vendors' clocks, dense unless it says sparse", look).substr(1);
  layout::Table peaks("lrrr", {"peak", first, second, "factor"});
  const auto rate = [](double value, arch::PeakUnit unit) {
    return value > 0 ? with_si_prefix(value, word_of(unit)) : "-";
  };
  for (const PeakPair& pair : pair_peaks(left.arch, right.arch)) {
    peaks.add({std::string(pair.name), rate(pair.left, pair.unit), rate(pair.right, pair.unit),
               factor_text(factor_of(pair))});
  }
  const std::vector<Difference> found = differences(left.sheet, right.sheet);
  layout::Table values("lrrr", {"key", first, second, "factor"});
  for (const Difference& difference : found) {
    values.add(
        {difference.key, value_text(difference.left), value_text(difference.right), factor_text(difference.factor)});
  }
  text += peaks.to_text(look) + layout::heading("Values", fmt::format("{} differ", found.size()), look);
  return text + (found.empty() ? "" : values.to_text(look));
}

std::string diff_json(const arch::Resolved& left, const arch::Resolved& right) {
  const auto with_factor = [](Json row, std::optional<double> factor) {
    if (factor && std::isfinite(*factor)) {
      row["factor"] = *factor;
    }
    return row;
  };
  Json root{{"schema", "gpusim.arch-diff/1"}, {"first", left.arch.name}, {"second", right.arch.name}};
  root["peaks"] = Json::array();
  for (const PeakPair& pair : pair_peaks(left.arch, right.arch)) {
    root["peaks"].push_back(
        with_factor({{"name", pair.name}, {"unit", word_of(pair.unit)}, {"first", pair.left}, {"second", pair.right}},
                    factor_of(pair)));
  }
  root["values"] = Json::array();
  for (const Difference& d : differences(left.sheet, right.sheet)) {
    root["values"].push_back(with_factor({{"key", d.key}, {"first", d.left}, {"second", d.right}}, d.factor));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::arch_tables
