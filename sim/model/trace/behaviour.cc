// SPDX-License-Identifier: MIT
#include "sim/model/trace/behaviour.h"

#include "sim/model/trace/executed.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/program.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::trace {

Behaviour::Behaviour(Program program) : form_(std::make_shared<const Program>(std::move(program))) {}

Behaviour::Behaviour(Recording recording) : form_(std::make_shared<const Recording>(std::move(recording))) {}

std::uint32_t Behaviour::pattern_count() const {
  if (program() != nullptr) {
    return static_cast<std::uint32_t>(program()->patterns.size());
  }
  return recording() != nullptr ? recording()->pattern_count : executable()->pattern_count();
}

bool is_recorded(const Kernel& kernel) {
  return recording_of(kernel.behaviour) != nullptr;
}

bool is_executed(const Kernel& kernel) {
  return kernel.behaviour != nullptr && kernel.behaviour->executable() != nullptr;
}

}  // namespace gpusim::trace
