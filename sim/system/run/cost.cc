// SPDX-License-Identifier: MIT
#include "sim/system/run/cost.h"

#include <algorithm>
#include <cmath>

namespace gpusim::run {

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
