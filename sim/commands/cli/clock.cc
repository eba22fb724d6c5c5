// SPDX-License-Identifier: MIT
#include "sim/commands/cli/clock.h"

#include <chrono>

namespace gpusim::cli {

double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace gpusim::cli
