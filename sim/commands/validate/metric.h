// SPDX-License-Identifier: MIT
// What can be measured of a simulation: numbers of the result's JSON by their names there, and intervals between
// instructions of an inline program, taken from the cycles in which warps issued.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.h"

namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::validate {

struct Case;
struct Program;

/// One instruction that issued, of an inline program's last pass.
struct Issue {
  Cycle cycle = 0;
  std::uint32_t warp = 0;  ///< a warp of CTA 0
  std::uint32_t sub_core = 0;
  std::uint32_t line = 0;  ///< line of the program, from 1
  std::uint32_t pc = 0;    ///< index into KernelResult::pcs
};

/// What a metric is computed from.
struct Measurable {
  const Case* from_case = nullptr;
  const stats::Result* result = nullptr;
  double event_us = 0;               ///< what two events around a kernel count beside it and its launch
  const Program* program = nullptr;  ///< null for a trace
  std::vector<Issue> issues;         ///< by warp, then in order; empty for a trace
};

/// A metric of inline programs.
struct Metric {
  std::string_view name;
  bool wants_of;       ///< a mark `of`
  bool wants_from_to;  ///< the marks `from` and `to`
  std::string_view what;
  double (*value)(const Measurable& run);
};

/// The metric of inline programs with this name; null when there is none.
[[nodiscard]] const Metric* find_metric(std::string_view name);

/// Is it a number of the result's JSON?
[[nodiscard]] bool is_result_metric(std::string_view name);

/// Is it a time, or cycles, of kernels: what a mean of relative errors is over?
[[nodiscard]] bool is_time_metric(std::string_view name);

/// The words that a metric may be, by their numbers; empty for a metric whose values are numbers.
[[nodiscard]] std::vector<std::string_view> words_of_metric(std::string_view name);

/// The word with this number, as measure() gives it; empty where there is none.
[[nodiscard]] std::string word_of_metric(std::string_view name, double value);

/// What a value depends on beside the run: the metric, and the unit in which stalls are told.
[[nodiscard]] std::string metric_with_unit(const Case& of);

/// Names of all metrics.
[[nodiscard]] std::vector<std::string_view> metric_names();

/// The value of the case's metric; of a word its number. Throws InputError where the run does not give one: a mark that
/// never issued.
[[nodiscard]] double measure(const Measurable& run);

/// The metrics of inline programs and of stalls, as a Markdown table.
[[nodiscard]] std::string metrics_markdown();

}  // namespace gpusim::validate
