// SPDX-License-Identifier: MIT
#include "sim/model/trace/behaviour.h"

#include "sim/model/trace/kernel.h"

namespace gpusim::trace {

bool is_recorded(const Kernel& kernel) {
  return recording_of(kernel.behaviour) != nullptr;
}

bool is_executed(const Kernel& kernel) {
  return kernel.behaviour != nullptr && kernel.behaviour->executable() != nullptr;
}

}  // namespace gpusim::trace
