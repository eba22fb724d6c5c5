// SPDX-License-Identifier: MIT
// Outcomes of cases as text and as JSON, with the summary of those that count.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/validate/run.h"
#include "sim/output/text/layout.h"

namespace gpusim::validate {

/// Absolute errors in per cent over the cases that count; 0 where none does.
struct Summary {
  std::size_t cases = 0;
  double mean_abs_error_pct = 0;
  double median_abs_error_pct = 0;
  double mean_error_pct = 0;     ///< with their signs
  double log_correlation = 0;    ///< Pearson's, of the logarithms of simulated and measured; 0 where it has no meaning
  double p90_abs_error_pct = 0;  ///< nearest rank: the smallest error that at least 90 % of the cases do not exceed
  double max_abs_error_pct = 0;
  std::size_t outside = 0;  ///< cases off by more than their tolerance
};
[[nodiscard]] Summary summarize(std::span<const Outcome> outcomes);

/// Cases whose metric is a word, such as the top stall: how many of those that may count are equal.
struct Words {
  std::size_t cases = 0;
  std::size_t equal = 0;
};
[[nodiscard]] Words words_of(std::span<const Outcome> outcomes);

/// The counted cases that have something in common.
struct Group {
  std::string name;
  Summary summary;
};
/// Kernels with a kind or a GPU in common, the worst mean first; a case that does not count is in none.
[[nodiscard]] std::vector<Group> by_kind(std::span<const Outcome> outcomes);
[[nodiscard]] std::vector<Group> by_part(std::span<const Outcome> outcomes);
/// Cases that are calculated with a mechanism in common, the worst mean first.
[[nodiscard]] std::vector<Group> by_mechanism(std::span<const Outcome> outcomes);
[[nodiscard]] bool has_kernels(std::span<const Outcome> outcomes);

/// Counted ones first, those outside their tolerance before the others, the worst first; of equals the first of a file.
void sort_worst_first(std::vector<Outcome>& outcomes);

struct TextOptions : layout::Look {
  bool details = false;  ///< sources and notes
  bool complete = true;  ///< false where the run ended before the last case
};

/// Name and major version of the JSON; within a major version keys are only added.
inline constexpr std::string_view kSchema = "gpusim.validation/1";

/// Both in the order of the outcomes; `complete` says whether all cases that were asked for are among them, and none
/// was refused.
[[nodiscard]] std::string to_text(std::span<const Outcome> outcomes, const TextOptions& options);
[[nodiscard]] std::string to_json(std::span<const Outcome> outcomes, bool complete);

}  // namespace gpusim::validate
