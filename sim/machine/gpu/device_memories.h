// SPDX-License-Identifier: MIT
// What device memory holds during a run, for kernels that are executed: each kernel finds what those before it left,
// and the trace keeps what was there before the first.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sim/model/trace/behaviour.h"
#include "sim/model/trace/device_memory.h"
#include "sim/model/trace/executed.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::gpu {

class DeviceMemories {
 public:
  /// Null for a kernel that is not executed.
  [[nodiscard]] trace::DeviceMemory* of(const trace::Kernel& kernel) {
    const trace::Executable* const executable = kernel.behaviour->executable();
    if (executable == nullptr) {
      return nullptr;
    }
    const trace::DeviceMemory* const before = executable->memory().get();
    const auto known = std::ranges::find(memories_, before, &Memory::before);
    Memory& memory = known != memories_.end() ? *known : memories_.emplace_back(before, before->clone());
    return memory.now.get();
  }

  /// Gives `take`, which may be empty, each of them; none is left.
  void hand_over(const std::function<void(std::unique_ptr<trace::DeviceMemory>)>& take) {
    for (Memory& memory : memories_) {
      if (take) {
        take(std::move(memory.now));
      }
    }
    memories_.clear();
  }

 private:
  struct Memory {
    Memory(const trace::DeviceMemory* first, std::unique_ptr<trace::DeviceMemory> working)
        : before(first), now(std::move(working)) {}
    const trace::DeviceMemory* before;
    std::unique_ptr<trace::DeviceMemory> now;
  };
  std::vector<Memory> memories_;  ///< few
};

}  // namespace gpusim::gpu
