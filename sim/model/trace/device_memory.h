// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace gpusim::trace {

/// What device memory holds while kernels run one after the other.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  [[nodiscard]] virtual std::unique_ptr<DeviceMemory> clone() const = 0;
};

}  // namespace gpusim::trace
