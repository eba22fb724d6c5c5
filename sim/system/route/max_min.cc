// SPDX-License-Identifier: MIT
#include "sim/system/route/max_min.h"

#include <algorithm>
#include <limits>

namespace gpusim::system {
namespace {

/// The rates of all flows grow alike; a resource that is full stops those that use it.
class Filling {
 public:
  Filling(std::span<const double> capacities, std::span<const Uses> flows)
      : left_(capacities.begin(), capacities.end()), wanted_(capacities.size()), flows_(flows), rates_(flows.size()) {
    for (const Uses& flow : flows) {
      for (const Use& use : flow) {
        wanted_[use.resource] += use.times;
      }
    }
    grows_.assign(flows.size(), true);
  }

  std::vector<double> fill() {
    for (std::size_t growing = flows_.size(); growing > 0;) {
      const std::size_t full = next_to_fill();
      const double level = left_[full] / wanted_[full];
      for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
        if (grows_[flow] && uses(flow, full)) {
          stop(flow, level);
          --growing;
        }
      }
    }
    return rates_;
  }

 private:
  [[nodiscard]] bool uses(std::size_t flow, std::size_t resource) const {
    return std::ranges::find(flows_[flow], resource, &Use::resource) != flows_[flow].end();
  }
  /// The resource that allows its flows the least. `left_` is what flows that stopped leave.
  [[nodiscard]] std::size_t next_to_fill() const {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (in_use(i) && left_[i] / wanted_[i] < least) {
        least = left_[i] / wanted_[i];
        best = i;
      }
    }
    return best;
  }
  [[nodiscard]] bool in_use(std::size_t resource) const {
    for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
      if (grows_[flow] && uses(flow, resource)) {
        return true;
      }
    }
    return false;
  }
  void stop(std::size_t flow, double rate) {
    grows_[flow] = false;
    rates_[flow] = rate;
    for (const Use& use : flows_[flow]) {
      left_[use.resource] = std::max(0.0, left_[use.resource] - rate * use.times);
      wanted_[use.resource] -= use.times;
    }
  }

  std::vector<double> left_;
  std::vector<double> wanted_;  ///< by the flows that still grow
  std::span<const Uses> flows_;
  std::vector<double> rates_;
  std::vector<bool> grows_;
};

}  // namespace

std::vector<double> max_min_rates(std::span<const double> capacities, std::span<const Uses> flows) {
  return Filling(capacities, flows).fill();
}

}  // namespace gpusim::system
