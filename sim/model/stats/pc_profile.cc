// SPDX-License-Identifier: MIT
#include "sim/model/stats/pc_profile.h"

namespace gpusim::stats {

void PcProfile::add_blame(const Blame& blame) {
  for (Blame& known : producers) {
    if (known.producer == blame.producer && known.state == blame.state) {
      known.cycles += blame.cycles;
      return;
    }
  }
  producers.push_back(blame);
}

void PcProfile::add(const PcProfile& other) {
  stats::add<PcCounters>(*this, other);
  stats::add(stalls, other.stalls);
  stats::add(concurrent, other.concurrent);
  for (const Blame& blame : other.producers) {
    add_blame(blame);
  }
}

}  // namespace gpusim::stats
