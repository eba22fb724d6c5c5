// SPDX-License-Identifier: MIT
#include "sim/sweep/run/model_version.h"

#include "sim/report/report.h"

namespace gpusim::sweep {

std::string program_version() {
  return std::string(report::version()) + ", model " + std::string(model_digest());
}

}  // namespace gpusim::sweep
