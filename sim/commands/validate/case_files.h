// SPDX-License-Identifier: MIT
// Where cases lie: tests/validation of the project, of the installation, and of the folders in GPUSIM_PATH.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/commands/validate/case.h"

namespace gpusim::commands {

/// The cases of a suite; of all suites for an empty name. Throws InputError.
[[nodiscard]] std::vector<validate::Case> cases_of_suite(const std::string& suite);

/// The cases of a file, or of the *.yaml of a folder. Throws InputError.
[[nodiscard]] std::vector<validate::Case> cases_of_path(const std::string& path);

}  // namespace gpusim::commands
