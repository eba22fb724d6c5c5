// SPDX-License-Identifier: MIT
// An application as the text of a file, which loader.h reads as the same application.
#pragma once

#include <string>

#include "sim/system/application/application.h"

namespace gpusim::application {

[[nodiscard]] std::string to_yaml(const Application& application);

}  // namespace gpusim::application
