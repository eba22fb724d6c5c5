// SPDX-License-Identifier: MIT
// The handout of a lab as HTML, alone or as a page: one file that loads nothing, for screens and for paper.
#pragma once

#include <string>

#include "sim/commands/lab/course/lab.h"

namespace gpusim::lab {

/// `handout` is the handout with the student's values. Pictures of the lab's folder pictures/ stand in the HTML.
[[nodiscard]] std::string handout_html(const Lab& lab, const std::string& handout);

/// A page of it. `whose` says whose values these are.
[[nodiscard]] std::string handout_page(const Lab& lab, const std::string& handout, const std::string& whose);

}  // namespace gpusim::lab
