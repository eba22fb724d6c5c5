// SPDX-License-Identifier: MIT
// The system that the user named.
#pragma once

#include <string>

#include "sim/system/config/changes.h"
#include "sim/system/config/system.h"

namespace gpusim::cli {

/// A path, or a name searched in configs/systems, with what the user changed of it and what follows: rates of
/// collectives that were measured on other links are scaled. Throws InputError.
[[nodiscard]] system::System find_system(const std::string& name, const system::Changes& changes = {});

}  // namespace gpusim::cli
