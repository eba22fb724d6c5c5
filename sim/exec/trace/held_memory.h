// SPDX-License-Identifier: MIT
// Global memory as the timing model carries it from kernel to kernel.
#pragma once

#include <memory>
#include <utility>

#include "sim/exec/memory/global_memory.h"
#include "sim/model/trace/device_memory.h"

namespace gpusim::exec {

class HeldMemory final : public trace::DeviceMemory {
 public:
  HeldMemory() = default;
  explicit HeldMemory(GlobalMemory memory) : memory_(std::move(memory)) {}

  [[nodiscard]] GlobalMemory& memory() { return memory_; }
  [[nodiscard]] const GlobalMemory& memory() const { return memory_; }
  /// With the same buffers at the same addresses.
  [[nodiscard]] std::unique_ptr<trace::DeviceMemory> clone() const override;

 private:
  GlobalMemory memory_;
};

/// The memory behind what a simulation hands over.
[[nodiscard]] inline const GlobalMemory& global_memory_of(const trace::DeviceMemory& memory) {
  return static_cast<const HeldMemory&>(memory).memory();
}

}  // namespace gpusim::exec
