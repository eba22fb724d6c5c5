// SPDX-License-Identifier: MIT
#include "sim/commands/cli/outcome.h"

#include "sim/commands/cli/console.h"

namespace gpusim::cli {

bool print_outcome(std::span<const std::string> told, std::span<const std::string> wrong, TellOn where) {
  for (const std::string& line : told) {
    where == TellOn::kOutput ? print(line + "\n") : log_info(line);
  }
  for (const std::string& line : wrong) {
    log_error(line);
  }
  return wrong.empty();
}

}  // namespace gpusim::cli
