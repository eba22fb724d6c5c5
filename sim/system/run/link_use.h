// SPDX-License-Identifier: MIT
// How much moves over each link over time: copies as they share links, collectives as rings.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/system/route/fabric.h"
#include "sim/system/run/timeline.h"

namespace gpusim::run {

/// Collects changes of rates, in any order.
class LinkUse {
 public:
  /// At `time` (nanoseconds) what a resource of the fabric carries changes by so many bytes a nanosecond.
  void change(double time, std::size_t resource, double by);

  /// The resources that ever carried anything, sums left out, each with its steps in the order of time.
  [[nodiscard]] std::vector<LinkSeries> series(std::span<const system::Resource> resources) const;

 private:
  struct Change {
    double time = 0;
    std::size_t resource = 0;
    double by = 0;
  };
  std::vector<Change> changes_;
};

}  // namespace gpusim::run
