// SPDX-License-Identifier: MIT
// The architecture of a student beside the one that it changes.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/course/lab.h"

namespace gpusim::lab {

/// The values of the keys of `costs`, and what other keys differ. Names and peaks may. Throws InputError when a file is
/// no architecture.
[[nodiscard]] Machine compare_machine(const std::filesystem::path& own, const std::filesystem::path& base,
                                      const std::vector<NamedFormula>& costs);

}  // namespace gpusim::lab
