// SPDX-License-Identifier: MIT
// The model that the user named.
#pragma once

#include <string>

#include "sim/system/models/model.h"

namespace gpusim::cli {

/// A path, or a name searched in configs/models. Throws InputError.
[[nodiscard]] models::Model find_model(const std::string& name);

}  // namespace gpusim::cli
