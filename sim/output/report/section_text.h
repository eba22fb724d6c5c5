// SPDX-License-Identifier: MIT
// What several sections of the text report write alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/output/report/text_options.h"
#include "sim/output/view/instruction.h"
#include "sim/output/view/view.h"

namespace gpusim::report {

inline constexpr std::size_t kStateBarWidth = 12;
inline constexpr std::size_t kLinesShown = 10;
inline constexpr std::size_t kFewLinesShown = 4;  ///< rows of a table below another one
inline constexpr std::size_t kLinesShownInDetail = 40;

[[nodiscard]] std::string decimal(double value, int digits);
/// "1.77 MB", and plain "0 B".
[[nodiscard]] std::string amount(double value, std::string_view unit);
/// "204 HMMA.16816.F32".
[[nodiscard]] std::string line_text(const isa::InstrText& name);
/// A sentence on lines of its own, within the page.
[[nodiscard]] std::string sentence(std::string_view text, const TextOptions& options);
/// Marked where it is the problem.
[[nodiscard]] std::string marked(const std::string& text, bool is_problem, const TextOptions& options);

/// The lines that have most of what `count` says, without those that have none; not many but with --details.
template <class Count>
[[nodiscard]] std::vector<const LineRow*> lines_with_most(const KernelView& view, const TextOptions& options,
                                                          Count&& count) {
  std::vector<const LineRow*> rows;
  for (const LineRow& row : view.lines) {
    if (count(row) > 0) {
      rows.push_back(&row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&count](const LineRow* a, const LineRow* b) { return count(*a) > count(*b); });
  rows.resize(std::min(rows.size(), options.details ? kLinesShownInDetail : kFewLinesShown));
  return rows;
}

}  // namespace gpusim::report
