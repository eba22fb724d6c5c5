// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/commands/validate/metric.h"
#include "sim/commands/validate/report.h"

namespace gpusim::validate {
namespace {

constexpr std::size_t kWidestId = 46;

/// "4", "24.6": at most two decimals.
std::string value_text(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text;
}

std::string measured_text(const Measured& measured) {
  return measured.is_range() ? value_text(measured.low) + " to " + value_text(measured.high) : value_text(measured.low);
}

std::string error_text(const Outcome& outcome) {
  if (!outcome.simulated) {
    return "-";
  }
  return std::abs(outcome.error_pct) < 0.005 ? "0 %" : fmt::format("{:+.2f} %", outcome.error_pct);
}

std::string_view mark_of(const Outcome& outcome) {
  if (!outcome.is_counted()) {
    return "";
  }
  return outcome.is_within() ? "" : "OFF";
}

/// A table of the outcomes, and behind each its source where wanted.
std::string table_of(std::span<const Outcome> outcomes, const TextOptions& options) {
  layout::Table table("lrrrlll", {"", "error", "simulated", "measured", "unit", "arch", "case"});
  for (const Outcome& outcome : outcomes) {
    table.add({std::string(mark_of(outcome)), error_text(outcome),
               outcome.simulated ? value_text(*outcome.simulated) : "-", measured_text(outcome.of.measured),
               printable(outcome.of.unit), printable(outcome.arch), clipped(printable(outcome.of.id), kWidestId)});
  }
  std::string out = table.to_text(options);
  if (!options.details) {
    return out;
  }
  out += layout::heading("Sources", "", options);
  for (const Outcome& outcome : outcomes) {
    const std::string note = outcome.of.note.empty() ? "" : "; " + outcome.of.note;
    out += layout::wrapped(printable(outcome.of.id + ": " + outcome.of.source + note), layout::kIndent);
  }
  return out;
}

std::string groups_text(const char* what, std::span<const Group> groups, const TextOptions& options) {
  layout::Table table("lrrrrrr", {what, "cases", "mean error", "median", "90 % within", "worst", "bias"});
  for (const Group& group : groups) {
    const Summary& of = group.summary;
    const auto percent = [](double value) { return fmt::format("{:.1f} %", value); };
    table.add({printable(group.name), std::to_string(of.cases), percent(of.mean_abs_error_pct),
               percent(of.median_abs_error_pct), percent(of.p90_abs_error_pct), percent(of.max_abs_error_pct),
               fmt::format("{:+.1f} %", of.mean_error_pct)});
  }
  return table.to_text(options);
}

/// What a suite of kernels says beside its cases.
std::string kernels_text(std::span<const Outcome> outcomes, const TextOptions& options) {
  if (!has_kernels(outcomes)) {
    return "";
  }
  const Summary all = summarize(outcomes);
  std::string out = layout::wrapped(fmt::format("median error {:.2f} %, correlation of the logarithms {:.4f}",
                                                all.median_abs_error_pct, all.log_correlation),
                                    layout::kIndent);
  out += layout::heading("By kind", "the worst mean first", options) + groups_text("kind", by_kind(outcomes), options);
  out += layout::heading("By GPU", "", options) + groups_text("GPU", by_part(outcomes), options);
  for (const Outcome& outcome : outcomes) {
    if (!outcome.refusal.empty() || !outcome.fault.empty()) {
      out += layout::wrapped(printable((outcome.fault.empty() ? "Refused: " : "Fault of the simulator: ") +
                                       outcome.of.id + ": " + outcome.refusal + outcome.fault),
                             layout::kIndent);
    }
  }
  return out;
}

/// What a suite of calculations says beside its cases.
std::string mechanisms_text(std::span<const Outcome> outcomes, const TextOptions& options) {
  const std::vector<Group> groups = by_mechanism(outcomes);
  return groups.empty() ? ""
                        : layout::heading("By mechanism", "the worst mean first", options) +
                              groups_text("mechanism", groups, options);
}

/// Whether any case that counts may be off by so much and no more.
bool has_tolerances(std::span<const Outcome> outcomes) {
  return std::ranges::any_of(outcomes, [](const Outcome& outcome) {
    return outcome.is_counted() && std::isfinite(outcome.of.tolerance.value);
  });
}

std::string tolerances_text(std::span<const Outcome> outcomes, std::size_t outside) {
  if (!has_tolerances(outcomes)) {
    return "";
  }
  return outside == 0 ? "; all within their tolerance" : fmt::format("; {} OFF by more than their tolerance", outside);
}

/// Cases whose metric is a word: right or wrong.
std::string words_text(std::span<const Outcome> outcomes, const TextOptions& options) {
  layout::Table table("lllll", {"", "simulated", "measured", "arch", "case"});
  std::string metric;
  for (const Outcome& outcome : outcomes) {
    if (outcome.of.is_word()) {
      metric = outcome.of.metric;
      table.add({outcome.is_equal_word() || !outcome.simulated ? "" : "OTHER",
                 outcome.simulated ? word_of_metric(metric, *outcome.simulated) : "-", outcome.of.measured_word,
                 printable(outcome.arch), clipped(printable(outcome.of.id), kWidestId)});
    }
  }
  if (metric.empty()) {
    return "";
  }
  const Words words = words_of(outcomes);
  return layout::heading("Top stall", fmt::format("equal in {} of {}", words.equal, counted(words.cases, "case")),
                         options) +
         table.to_text(options);
}

/// What stands beside the heading: whether the cases are all, and whether all could be run.
std::string completeness(std::span<const Outcome> outcomes, bool complete) {
  if (!complete) {
    return "incomplete: what there was before the run ended";
  }
  const auto refused = std::ranges::count_if(outcomes, [](const Outcome& o) { return !o.refusal.empty(); });
  return std::string("absolute errors, worst first") +
         (refused > 0 ? "; " + counted(static_cast<std::size_t>(refused), "case") + " refused" : "");
}

std::string summary_text(std::span<const Outcome> outcomes) {
  const Summary summary = summarize(outcomes);
  if (summary.cases == 0) {
    return layout::wrapped(
        fmt::format("none of {} counted: they are doubtful, disputed, or were not simulated (--all has the slow ones)",
                    counted(outcomes.size(), "case")),
        layout::kIndent);
  }
  return layout::wrapped(
      fmt::format("{} counted of {}: mean error {:.2f} %, 90 % of them within {:.2f} %, worst {:.2f} %{}",
                  counted(summary.cases, "case"), outcomes.size(), summary.mean_abs_error_pct,
                  summary.p90_abs_error_pct, summary.max_abs_error_pct, tolerances_text(outcomes, summary.outside)),
      layout::kIndent);
}

}  // namespace

std::string to_text(std::span<const Outcome> outcomes, const TextOptions& options) {
  std::vector<Outcome> counted_ones;
  std::vector<Outcome> others;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.of.is_word()) {
      (outcome.is_counted() ? counted_ones : others).push_back(outcome);
    }
  }
  std::string out = layout::heading("Simulated against measured", completeness(outcomes, options.complete), options);
  out += summary_text(outcomes) + kernels_text(outcomes, options) + mechanisms_text(outcomes, options);
  out += words_text(outcomes, options);
  if (!counted_ones.empty()) {
    out += layout::heading("Counted", "", options) + table_of(counted_ones, options);
  }
  if (!others.empty()) {
    out += layout::heading("Shown, not counted",
                           "doubtful, disputed, no times, or not simulated (--all has the slow ones)", options) +
           table_of(others, options);
  }
  return out;
}

}  // namespace gpusim::validate
