// SPDX-License-Identifier: MIT
// The one table of rules: what each looks for, from which value on, and the function that looks. Reports, JSON and
// docs/advice.md follow from its rows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::report {
struct Finding;
struct Hit;
struct KernelView;
}  // namespace gpusim::report

namespace gpusim::advice {

struct Rule {
  std::string_view id;
  std::string_view title;
  double threshold;
  std::string_view fires;  ///< when; "{}" stands for the threshold
  std::string_view gain;   ///< how the gain is estimated
  std::optional<report::Hit> (*find)(const report::KernelView& view, double threshold);
};

/// In the order of the documents.
[[nodiscard]] std::span<const Rule> rules();

/// What the rules find, in their order, also where the estimate is that it would gain nothing: a what-if may know
/// better.
[[nodiscard]] std::vector<report::Finding> all_findings(const report::KernelView& view);

/// What is worth telling of it, largest gain first, ties in the order of the rules. Gains overlap and do not add up.
/// Where a what-if was simulated that a finding asks for, its gain stands in place of the estimate; such findings come
/// first. What promises no gain worth printing, was not simulated and has no lesson is left out.
[[nodiscard]] std::vector<report::Finding> findings(const report::KernelView& view);

/// The table for docs/advice.md.
[[nodiscard]] std::string rules_markdown();

}  // namespace gpusim::advice
