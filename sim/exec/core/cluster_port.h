// SPDX-License-Identifier: MIT
// The way to the shared memory of the other CTAs of a cluster where they run apart, on SMs of their own that are
// simulated side by side. Where they take turns they reach each other through their Cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace gpusim::exec {

class ClusterPort {
 public:
  virtual ~ClusterPort() = default;
  using Action = std::function<void(std::span<std::byte> shared)>;
  /// Does it to the shared memory of the CTA of this rank, when the SMs' doings are exchanged.
  virtual void later(std::uint32_t rank, Action action) = 0;
};

}  // namespace gpusim::exec
