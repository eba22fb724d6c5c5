// SPDX-License-Identifier: MIT
// A comparison as text and as JSON, each a pure function that returns the whole text.
#pragma once

#include <string>
#include <string_view>

#include "sim/output/text/layout.h"

namespace gpusim::compare {

struct Comparison;

/// Name and major version of the JSON; within a major version keys are only added.
inline constexpr std::string_view kSchema = "gpusim.compare/1";

struct TextOptions : layout::Look {
  bool details = false;  ///< every kernel, state and line that changed, instead of those that changed most
};

/// For people; at most 80 columns.
[[nodiscard]] std::string to_text(const Comparison& comparison, const TextOptions& options);

/// docs/compare.md has its keys.
[[nodiscard]] std::string to_json(const Comparison& comparison);

/// The same for a page, in one line of text: each change has its share of `most_lines` lines, those of the kernels
/// whose time changed most, or the lines of one kernel. Other kernels have null in place of their lines.
[[nodiscard]] std::string to_page_json(const Comparison& comparison, std::size_t most_lines);

}  // namespace gpusim::compare
