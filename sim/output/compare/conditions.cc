// SPDX-License-Identifier: MIT
#include "sim/output/compare/conditions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/output/compare/comparison.h"

namespace gpusim::compare {
namespace {

constexpr std::array<std::pair<std::string_view, Relation>, 4> kRelations{
    {{"<", Relation::kLess}, {"<=", Relation::kAtMost}, {">", Relation::kMore}, {">=", Relation::kAtLeast}}};

/// "dram_pct" is short for one key; a slip of the finger is near to one.
std::string hint_for(std::string_view word) {
  std::vector<std::string_view> keys;
  std::ranges::transform(metrics(), std::back_inserter(keys),
                         [](const report::KernelColumn* column) { return std::string_view(column->path); });
  const auto meant = [](std::string_view key) { return "did you mean '" + std::string(key) + "'?"; };
  const auto last_part = [](std::string_view key) { return key.substr(key.rfind('.') + 1); };
  for (const std::string_view key : keys) {
    if (last_part(key) == word) {
      return meant(key);
    }
  }
  for (const std::string_view key : keys) {
    if (key == last_part(word)) {  // "total.time_us", "kernels[0].time_us"
      return meant(key);
    }
  }
  if (const std::string_view near = nearest(word, keys); !near.empty()) {
    return meant(near);
  }
  const std::string longer = std::string(word) + "_";  // "ipc" for ipc_active
  const auto begun = std::ranges::find_if(keys, [&](auto key) { return last_part(key).starts_with(longer); });
  if (begun != keys.end()) {
    return meant(*begun);
  }
  std::vector<std::string_view> parts;
  std::ranges::transform(keys, std::back_inserter(parts), last_part);
  if (const std::string_view near = nearest(word, parts); !near.empty()) {
    const auto at = std::ranges::find(parts, near) - parts.begin();
    return meant(keys[static_cast<std::size_t>(at)]);
  }
  return "docs/metrics.md lists them, such as time_us, cycles, throughput.dram_pct";
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Condition parse() {
    Condition out;
    out.text = text_;
    out.metric = metric();
    out.relation = relation();
    skip_space();
    const std::size_t begin = at_;
    out.number = number();
    out.is_factor = at_ < text_.size() && text_[at_] == 'x';
    at_ += out.is_factor ? 1 : 0;
    if (out.is_factor && at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '\t') {
      at_ = begin;
      no_number();  // "0x10"
    }
    skip_space();
    if (at_ < text_.size()) {
      wrong(at_, quoted(text_.substr(at_)) + " is too much", "a condition ends after NUMBER or NUMBERx");
    }
    return out;
  }

 private:
  static std::string quoted(std::string_view word) { return "'" + clipped(printable(word), 60) + "'"; }

  [[noreturn]] void wrong(std::size_t at, const std::string& what, const std::string& hint) const {
    throw UsageError("--fail-if " + quoted(text_) + ": column " + std::to_string(at + 1) + ": " + what +
                     (hint.empty() ? "" : " (" + hint + ")"));
  }

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }

  /// What is left up to a space.
  [[nodiscard]] std::string_view word() const {
    return text_.substr(at_, std::min(text_.find_first_of(" \t", at_), text_.size()) - at_);
  }

  std::string metric() {
    skip_space();
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(" \t<>=!", begin), text_.size());
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty()) {
      wrong(begin, "a metric is missing", "for example time_us > 1.02x");
    }
    if (std::ranges::none_of(metrics(), [&](const report::KernelColumn* column) { return column->path == name; })) {
      const auto& all = report::kernel_columns();
      const bool is_other = std::ranges::find(all, name, &report::KernelColumn::path) != all.end();
      wrong(begin, is_other ? quoted(name) + " is not a number" : "no metric is called " + quoted(name),
            is_other ? "" : hint_for(name));
    }
    return std::string(name);
  }

  Relation relation() {
    skip_space();
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_not_of("<>=!", begin), text_.size());
    const std::string_view sign = text_.substr(begin, at_ - begin);
    const auto* const known = std::ranges::find(kRelations, sign, &std::pair<std::string_view, Relation>::first);
    if (known == kRelations.end()) {
      wrong(begin, sign.empty() ? "a comparison is missing" : quoted(sign) + " is not a comparison", "<, <=, > or >=");
    }
    return known->second;
  }

  [[noreturn]] void no_number() const {
    wrong(at_, at_ == text_.size() ? "a number is missing" : quoted(word()) + " is not a number",
          "a number, or a factor of the first result's value such as 1.02x");
  }

  double number() {
    double value = 0;
    const std::string_view rest = text_.substr(at_);
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || !std::isfinite(value)) {
      no_number();
    }
    if (std::signbit(value)) {
      wrong(at_, quoted(word()) + " is negative", "no metric is below 0");
    }
    at_ += static_cast<std::size_t>(end - rest.data());
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool holds(double value, Relation relation, double limit) {
  switch (relation) {
    case Relation::kLess: return value < limit;
    case Relation::kAtMost: return value <= limit;
    case Relation::kMore: return value > limit;
    case Relation::kAtLeast: return value >= limit;
  }
  return false;
}

double value_of(const Run& run, const Condition& condition) {
  const std::optional<double> value = total_of(run, condition.metric);
  if (!value) {
    throw InputError({{run.source, 0, 0},
                      "--fail-if '" + condition.text + "': " + run.name + " has no value of '" + condition.metric + "'",
                      run.launches == 1
                          ? "nothing happened that it measures, or the version that saved it did not count it"
                          : "it is not the same in all kernels, or was not counted"});
  }
  return *value;
}

/// A limit says nothing of a run that was stopped, and a factor nothing of two runs of different CTAs.
void require_whole(const Run& run, const Run& base, const Condition& condition) {
  const auto refuse = [&](const Run& of, const std::string& what, const char* hint) {
    throw InputError({{of.source, 0, 0}, "--fail-if '" + condition.text + "': " + what, hint});
  };
  for (const Run* const each : {&base, &run}) {
    if (!each->facts.complete && (condition.is_factor || each == &run)) {
      refuse(*each, "the run of " + each->name + " stopped before its end, so its numbers say nothing of the kernel",
             "simulate it to its end");
    }
  }
  if (condition.is_factor && run.ctas != base.ctas && (run.ctas < run.grid_ctas || base.ctas < base.grid_ctas)) {
    refuse(run.ctas < run.grid_ctas ? run : base,
           fmt::format("{} simulated {} of {} CTAs, {} {} of {}", base.name, base.ctas, base.grid_ctas, run.name,
                       run.ctas, run.grid_ctas),
           "simulate the same CTAs in both");
  }
}

}  // namespace

Condition parse_condition(std::string_view text) {
  return Parser(text).parse();
}

std::vector<Outcome> check(const std::vector<Condition>& conditions, const Comparison& comparison) {
  std::vector<Outcome> out;
  for (const Condition& condition : conditions) {
    const double base = condition.is_factor ? value_of(comparison.runs.front(), condition) : 1;
    const double limit = condition.number * base;
    if (!std::isfinite(limit)) {
      throw UsageError("--fail-if '" + condition.text + "': the limit is beyond all numbers");
    }
    for (std::size_t run = 1; run < comparison.runs.size(); ++run) {
      require_whole(comparison.runs[run], comparison.runs.front(), condition);
      const double value = value_of(comparison.runs[run], condition);
      out.push_back({condition, run, value, limit, holds(value, condition.relation, limit)});
    }
  }
  return out;
}

}  // namespace gpusim::compare
