// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/cost.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/sweep/formula/formula.h"

namespace gpusim::sweep {
namespace {

constexpr const char* kOption = "--cost";

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw InputError({{kOption, 0, 0}, std::move(message), std::move(hint)});
}

class CostFinder {
 public:
  CostFinder(std::span<const PointRow> rows, const std::string& formula, const KeySource& source)
      : rows_(rows), formula_(Formula::number(kOption, formula)), source_(source) {}

  Costs find() {
    Costs costs;
    costs.by_row.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].status == kDone) {
        costs.by_row[i] = cost_of(i, costs.without);
        any_done_ = true;
      }
    }
    refuse_absent_keys();
    return costs;
  }

 private:
  std::optional<double> cost_of(std::size_t index, std::vector<WithoutCost>& without) {
    const PointRow& row = rows_[index];
    std::vector<double> values;
    for (const std::string& name : formula_.names()) {
      const std::optional<double> value = value_of(row, name);
      if (!value) {
        add(index, name, without);
        return std::nullopt;
      }
      present_.insert(name);
      values.push_back(*value);
    }
    const double cost = formula_.value(values);
    if (!std::isfinite(cost)) {
      add(index, "", without);
      return std::nullopt;
    }
    return cost;
  }

  void add(std::size_t index, const std::string& key, std::vector<WithoutCost>& without) const {
    const std::string& arch = rows_[index].arch;
    auto found = std::ranges::find_if(without, [&](const WithoutCost& w) { return w.arch == arch && w.key == key; });
    if (found == without.end()) {
      found = without.insert(found, {arch, key, {}});
    }
    found->rows.push_back(index);
  }

  [[nodiscard]] std::optional<double> value_of(const PointRow& row, const std::string& name) const {
    for (const TextPairs* said : {&row.parameters, &row.derived}) {
      if (const std::string* const text = find_text(*said, name)) {
        return to_number(name, *text);
      }
    }
    if (const std::optional<double> metric = metric_of(row, name)) {
      return metric;
    }
    const std::optional<std::string> text = source_.find ? source_.find(row, name) : std::nullopt;
    return text ? std::optional(to_number(name, *text)) : std::nullopt;
  }

  static double to_number(const std::string& name, const std::string& text) {
    const std::optional<Quantity> number = parse_quantity(text);
    if (!number) {
      refuse("'" + name + "' is '" + printable(clipped(text, 40)) + "', which is not a number", "");
    }
    return number->value;
  }

  /// A key that some have is missing where it is missing; one that none has is a mistake.
  void refuse_absent_keys() const {
    for (const std::string& name : formula_.names()) {
      if (!any_done_ || present_.contains(name)) {
        continue;
      }
      if (name.starts_with("price.")) {
        refuse("'" + name + "' is not known of any GPU: " + architectures(),
               "give it as --price NAME=2.5, or in the GPU's file, as price: {" + name.substr(name.find('.') + 1) +
                   ": [2.5, given, \"who asks that, 2026-01-31\"]}, or --set " + name + "=2.5");
      }
      refuse("no point has '" + name + "'", suggestion(name, known_names()));
    }
  }

  [[nodiscard]] std::string architectures() const {
    constexpr std::size_t kMostNamed = 20;
    std::vector<std::string> names;
    for (const PointRow& row : rows_) {
      if (std::ranges::find(names, row.arch) == names.end()) {
        names.push_back(row.arch);
      }
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) {
      text += (i == 0 ? "" : ", ") + names[i];
    }
    return text + (names.size() > kMostNamed ? ", ..." : "");
  }

  [[nodiscard]] std::vector<std::string_view> known_names() const {
    std::set<std::string_view> names{"time_us", "cycles"};
    for (const PointRow& row : rows_) {
      for (const auto* list : {&row.parameters, &row.derived}) {
        for (const auto& [key, text] : *list) {
          names.insert(key);
        }
      }
      for (const auto& [metric, value] : row.metrics) {
        names.insert(metric);
      }
    }
    names.insert(source_.known.begin(), source_.known.end());
    return {names.begin(), names.end()};
  }

  std::span<const PointRow> rows_;
  Formula formula_;
  const KeySource& source_;
  bool any_done_ = false;
  std::set<std::string> present_;
};

}  // namespace

Costs costs_of(std::span<const PointRow> rows, const std::string& formula, const KeySource& source) {
  return CostFinder(rows, formula, source).find();
}

}  // namespace gpusim::sweep
