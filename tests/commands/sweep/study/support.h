// SPDX-License-Identifier: MIT
// What the tests of studies share: real architectures as bases, points as short texts, problems as text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/commands/sweep/study/expand.h"
#include "sim/commands/sweep/study/study.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"

namespace gpusim::sweep::test {

inline arch::Resolved resolved(const std::string& name, const std::vector<arch::Override>& overrides = {}) {
  return arch::resolve_arch(std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / (name + ".yaml"), overrides);
}

/// Resolved once, because a file of hundreds of values takes its time.
inline const arch::Resolved& h100() {
  static const arch::Resolved base = resolved("h100");
  return base;
}

inline const Parameters& parameters() {
  static const Parameters all{{"seq", 2048}, {"batch", 1}, {"shift", -4}};
  return all;
}

/// A study of one H100 and one trace.
inline Study study(const std::vector<std::string>& vary, Combination combination = Combination::kGrid) {
  Study study;
  study.archs = {"h100"};
  study.traces = {"a.trace"};
  for (const std::string& text : vary) {
    study.axes.push_back(parse_axis(text));
  }
  study.combination = combination;
  return study;
}

inline Plan plan(const Study& study) {
  return {study, {&h100(), 1}, {&parameters(), 1}};
}

/// The texts of all settings of a point: "66 / 1x of the base is in parentheses".
inline std::string to_text(const Point& point) {
  std::string text;
  for (const Setting& setting : point.settings) {
    text += (text.empty() ? "" : " / ") + (setting.is_base ? "(" + setting.text + ")" : setting.text);
  }
  return text;
}

/// All points of a study, separated by commas.
inline std::string points_of(const Study& study) {
  const Plan all = plan(study);
  std::string text;
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    text += (i == 0 ? "" : ", ") + to_text(all[i]);
  }
  return text;
}

/// The values of one axis.
inline std::string values_of(const std::string& vary) {
  return points_of(study({vary}));
}

/// Every problem of a study, a line each; "" when there is none.
inline std::string problems_of(const Study& study) {
  ProblemList problems;
  check(study, on_command_line, problems);
  std::string text;
  for (const Problem& problem : problems.problems()) {
    text += gpusim::to_text(problem) + "\n";
  }
  return text;
}

inline std::string problems_of(const std::string& vary) {
  return problems_of(study({vary}));
}

/// What the call throws as InputError; "" when it does not.
template <class Call>
std::string input_error_of(const Call& call) {
  try {
    call();
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace gpusim::sweep::test
