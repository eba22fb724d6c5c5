// SPDX-License-Identifier: MIT
// The system that the user named.
#pragma once

#include <string>

#include "sim/system/config/system.h"

namespace gpusim::cli {

/// A path, or a name searched in configs/systems. Throws InputError.
[[nodiscard]] system::System find_system(const std::string& name);

}  // namespace gpusim::cli
