// SPDX-License-Identifier: MIT
// The handout with a student's values: what stands before the work, and the discussion, which answers what is asked.
#pragma once

#include <string>

#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/course/scope.h"

namespace gpusim::lab {

inline constexpr const char* kDiscussionFile = "DISCUSSION.md";
/// The section of handout.md that begins what students read when they have passed.
inline constexpr const char* kDiscussionSection = "## Discussion";

/// Whether this machine is one of an exam, which has neither solutions nor discussions: GPUSIM_LAB_EXAM is 1.
[[nodiscard]] bool is_exam();

/// The whole handout. Links to documents outside of the lab's folder, which a student's folder lacks, are names there.
[[nodiscard]] std::string handout_text(const Lab& lab, const Scope& scope);
/// README.md: the handout up to its discussion, and where that is to come from. A translation ends at the section of
/// the same number.
[[nodiscard]] std::string readme_text(const Lab& lab, const Scope& scope);
/// The same for a terminal, which cannot draw: in the place of a picture stands the table that it is drawn from.
[[nodiscard]] std::string with_tables_of_pictures(std::string handout);
/// DISCUSSION.md: the rest, below the handout's title.
[[nodiscard]] std::string discussion_text(const Lab& lab, const Scope& scope);

}  // namespace gpusim::lab
