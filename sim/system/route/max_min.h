// SPDX-License-Identifier: MIT
// How flows share what they have in common: max-min fairness, which is what links with fair arbitration give.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gpusim::system {

/// A flow takes `times` bytes of the resource for each byte that it moves.
struct Use {
  std::size_t resource = 0;  ///< an index into the capacities
  double times = 1;
  friend bool operator==(const Use&, const Use&) = default;
};

/// What one flow uses: at least one resource, each once.
using Uses = std::vector<Use>;

/// The rate of each flow: no resource is used above its capacity, and no flow can get more unless another gets less
/// that has no more than it. Rates have the capacities' unit, which are above 0.
[[nodiscard]] std::vector<double> max_min_rates(std::span<const double> capacities, std::span<const Uses> flows);

}  // namespace gpusim::system
