// SPDX-License-Identifier: MIT
#include "sim/system/run/cost.h"

#include <algorithm>
#include <cmath>

namespace gpusim::run {

double KernelCost::rate(double share) const {
  const double known = std::max(share, kHalf);
  return 1 / (1 + of_sms * (1 / known - 1)) * share / known;
}

/// Without the tail, in which the kernel may fill no more SMs than it has.
void set_of_sms(KernelCost& cost, double sms, double ns) {
  const auto longer = [sms](double filled) { return std::max(filled / sms, 1.0) - 1; };
  const double if_all_goes_with_sms =
      (cost.ns - cost.tail_ns) * longer(cost.sms) + cost.tail_ns * longer(cost.tail_sms);
  cost.is_of_sms_known = if_all_goes_with_sms > 0;
  cost.of_sms = cost.is_of_sms_known ? std::clamp((ns - cost.ns) / if_all_goes_with_sms, 0.0, 1.0) : 1;
}

std::string_view how_slowdown_is_known(const KernelCost& cost) {
  return cost.is_of_sms_known ? word_of(cost.how) : "assumed";
}

/// CTAs go to the emptiest SM. All waves but the last keep all SMs full; the last has what is left.
void spread_ctas(KernelCost& cost, double ctas, double per_sm, double sms) {
  cost.slots = per_sm * sms;
  const double waves = std::ceil(ctas / cost.slots);
  const double last = ctas - (waves - 1) * cost.slots;
  cost.sms = std::min(sms, ctas / per_sm);
  cost.spread = std::min(sms, ctas);
  cost.tail_share = 1 / waves;
  cost.tail_sms = last / per_sm;
  cost.tail_spread = std::min(sms, last);
}

std::uint64_t ctas_of(const KernelCost& cost, double sms) {
  const double full_waves = 1 / cost.tail_share - 1;
  return static_cast<std::uint64_t>(std::llround(full_waves * cost.slots + cost.tail_sms * cost.slots / sms));
}

}  // namespace gpusim::run
