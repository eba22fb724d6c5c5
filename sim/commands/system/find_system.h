// SPDX-License-Identifier: MIT
// The system that the user named.
#pragma once

#include <string>

namespace gpusim::system {
struct Changes;
struct System;
}  // namespace gpusim::system

namespace gpusim::cli {

/// A path, or a name searched in configs/systems. Throws InputError.
[[nodiscard]] system::System find_system(const std::string& name);
/// The same with what the user changed of it and what follows: rates of collectives that were measured on other links
/// are scaled.
[[nodiscard]] system::System find_system(const std::string& name, const system::Changes& changes);

}  // namespace gpusim::cli
