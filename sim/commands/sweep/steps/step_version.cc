// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/steps/step_version.h"

#include "sim/commands/sweep/run/model_version.h"

namespace gpusim::sweep {

std::string step_version() {
  return program_version() + ", steps " + std::string(step_digest());
}

}  // namespace gpusim::sweep
