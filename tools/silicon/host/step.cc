// SPDX-License-Identifier: MIT
#include "tools/silicon/host/step.h"

namespace gpusim::silicon {

std::vector<std::string> instructions_of(std::string_view step) {
  std::vector<std::string> instructions;
  for (std::size_t plus = step.find('+'); plus != step.npos; plus = step.find('+')) {
    instructions.emplace_back(step.substr(0, plus));
    step.remove_prefix(plus + 1);
  }
  instructions.emplace_back(step);
  return instructions;
}

}  // namespace gpusim::silicon
