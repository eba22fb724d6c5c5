// SPDX-License-Identifier: MIT
// What to change in a kernel, and what the what-ifs that were simulated say of it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/output/report/section_text.h"
#include "sim/output/report/sections.h"

namespace gpusim::report {
namespace {

constexpr std::size_t kFindingsShown = 3;  ///< and all that were simulated, or that hold a lesson for larger kernels
constexpr std::size_t kFindingIndent = 4;
/// A smaller change of the time is none.
constexpr double kLeastGainPct = 1;

std::string gain_text(const Finding& finding) {
  if (!finding.simulated && finding.gain_pct < kLeastEstimatePct) {
    return "no gain here";
  }
  if (!finding.simulated) {
    return fmt::format("up to {:.0f} % of the time", finding.gain_pct);
  }
  return finding.gain_pct < kLeastGainPct
             ? fmt::format("simulated: no gain; the estimate was {:.0f} %", finding.estimate_pct)
             : fmt::format("simulated: {:.1f} % of the time; the estimate was {:.0f} %", finding.gain_pct,
                           finding.estimate_pct);
}

std::string finding_text(const Finding& finding, std::size_t number, const TextOptions& options) {
  const std::string line = finding.line == 0 ? "" : fmt::format(", line {}", finding.line);
  const std::string title = layout::paint(finding.title, layout::Style::kStrong, options);
  return sentence(fmt::format("{}. {}{}: {}", number, title, line, gain_text(finding)), options) +
         layout::wrapped(finding.evidence, kFindingIndent, options.width) +
         layout::wrapped("-> " + finding.change, kFindingIndent, options.width);
}

/// What a what-if proves or refutes, with what was estimated.
std::string proof_text(const stats::WhatIf& what_if, const std::vector<Finding>& findings) {
  std::string proves;
  double estimate = 0;
  for (const Finding& finding : findings) {
    if (std::ranges::find(what_if.findings, finding.id) != what_if.findings.end()) {
      proves += (proves.empty() ? "" : ", ") + std::string(finding.id);
      estimate = std::max(estimate, finding.estimate_pct);
    }
  }
  if (proves.empty()) {
    return what_if.time_us == what_if.before_us ? "(it changes nothing for this kernel)" : "(no finding asks for it)";
  }
  return what_if.gain_pct() < kLeastGainPct ? fmt::format("{}: no gain, the estimate was {:.0f} %", proves, estimate)
                                            : proves;
}

}  // namespace

std::string advice_section(const KernelView& view, const TextOptions& options) {
  const std::vector<Finding>& findings = view.findings;
  const bool any_simulated = std::ranges::any_of(findings, &Finding::simulated);
  const std::string head = layout::heading("What to change",
                                           any_simulated ? "simulated gains first; gains overlap and do not add up"
                                                         : "by gain; gains overlap and do not add up",
                                           options);
  if (findings.empty()) {
    return head + "  no rule finds anything\n";
  }
  const auto proven = static_cast<std::size_t>(std::ranges::count_if(findings, &Finding::simulated));
  std::string out = head;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (options.details || i < std::max(proven, kFindingsShown) || !findings[i].lesson.empty()) {
      out += finding_text(findings[i], i + 1, options);
      ++shown;
    }
  }
  return shown == findings.size() ? out : out + fmt::format("  and {} more (--details)\n", findings.size() - shown);
}

std::string what_if_section(const KernelView& view, const TextOptions& options) {
  if (view.counts.advice.empty()) {
    return {};
  }
  const std::vector<Finding>& findings = view.findings;
  layout::Table table("LrrrL", {"what if", "us", "instead of", "gain %", "for the finding"});
  for (const stats::WhatIf& what_if : view.counts.advice) {
    table.add({printable(what_if.name), fmt::format("{:.2f}", what_if.time_us),
               fmt::format("{:.2f}", what_if.before_us), fmt::format("{:.1f}", what_if.gain_pct()),
               proof_text(what_if, findings)});
  }
  return layout::heading("What if", "simulated again on a machine without that cost", options) + table.to_text(options);
}

}  // namespace gpusim::report
