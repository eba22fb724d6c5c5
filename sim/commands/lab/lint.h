// SPDX-License-Identifier: MIT
// Whether a lab is fit for students: its solution passes, its start does not, and typical wrong solutions get the hints
// they are meant to get.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/lab/course/lab.h"

namespace gpusim::lab {

/// What is wrong, a sentence each; nothing when the lab is fit. Throws InputError about files that cannot be read.
[[nodiscard]] std::vector<std::string> lint(const Lab& lab);

}  // namespace gpusim::lab
