// SPDX-License-Identifier: MIT
// The architecture of a student beside the one that it changes.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/commands/lab/check/judge.h"

namespace gpusim::lab {

struct NamedFormula;

/// Throws InputError when what the student's architecture extends is neither a file of its own folder nor, by its name,
/// an architecture that came along: a file of somebody else is not read, and no message tells what is in it.
void require_own_files(const std::filesystem::path& own);

/// The values of the keys of `costs`, and what other keys differ. Names and peaks may. Throws InputError when a file is
/// no architecture, and what require_own_files() refuses.
[[nodiscard]] Machine compare_machine(const std::filesystem::path& own, const std::filesystem::path& base,
                                      const std::vector<NamedFormula>& costs);

}  // namespace gpusim::lab
