// SPDX-License-Identifier: MIT
// From text to Syntax: every line is read, so that all problems of the file are reported together.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/problem.h"
#include "sim/input/text/syntax.h"

namespace gpusim::frontend {

/// What a text with problems still makes sense of; the problems are added to `problems`.
[[nodiscard]] Syntax parse(std::string_view text, const std::string& file, ProblemList& problems);

}  // namespace gpusim::frontend
