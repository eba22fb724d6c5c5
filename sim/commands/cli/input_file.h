// SPDX-License-Identifier: MIT
// A file that the user named, opened; what is wrong with it, said.
#pragma once

#include <fstream>
#include <string>

namespace gpusim::cli {

/// Throws InputError when there is no such file, when it is a folder or a device, or cannot be read. A pipe will do.
[[nodiscard]] std::ifstream open_input(const std::string& file);

}  // namespace gpusim::cli
