// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "sim/base/problem.h"

namespace gpusim::sweep {

/// The text of an error as one line of at most 400 characters: a table and a list of failures have room for that.
[[nodiscard]] std::string one_line(std::string_view text);

/// The problems of a point, without the places in files: those are the same for all points, and differ from machine to
/// machine.
[[nodiscard]] std::string reason_of(const InputError& error);

}  // namespace gpusim::sweep
