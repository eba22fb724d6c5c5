// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/run/model_version.h"

#include "sim/output/report/schema.h"

namespace gpusim::sweep {

std::string program_version() {
  return std::string(report::version()) + ", model " + std::string(model_digest());
}

}  // namespace gpusim::sweep
