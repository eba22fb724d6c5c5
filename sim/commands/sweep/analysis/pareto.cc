// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/commands/sweep/analysis/findings.h"

namespace gpusim::sweep {

std::vector<Costed> pareto_front(std::span<const Costed> points, const Metric& metric) {
  std::vector<Costed> sorted(points.begin(), points.end());
  std::ranges::stable_sort(sorted, [&](const Costed& a, const Costed& b) {
    return a.cost != b.cost ? a.cost < b.cost : metric.prefers(a.value, b.value);
  });
  std::vector<Costed> front;
  for (const Costed& point : sorted) {
    const bool equal = !front.empty() && point.cost == front.back().cost && point.value == front.back().value;
    if (front.empty() || equal || metric.prefers(point.value, front.back().value)) {
      front.push_back(point);
    }
  }
  return front;
}

}  // namespace gpusim::sweep
