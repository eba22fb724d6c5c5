// SPDX-License-Identifier: MIT
#include "sim/system/collective/carried.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sim/system/collective/rates.h"

namespace gpusim::collective {
namespace {

/// A rate of the file, and the same by rule.
struct CarriedRate {
  const char* key;
  std::uint64_t system::CollectiveRates::*said;
  double Reach::*rule;
};
constexpr std::array<CarriedRate, 4> kCarried{{{"collectives.ring", &system::CollectiveRates::ring, &Reach::ring},
                                               {"collectives.chain", &system::CollectiveRates::chain, &Reach::chain},
                                               {"collectives.pairs", &system::CollectiveRates::pairs, &Reach::pairs},
                                               {"collectives.nvls", &system::CollectiveRates::nvls, &Reach::nvls}}};

Reach rule_of(const system::System& system) {
  const system::Fabric fabric(system);
  return reach_by_rule(fabric, system::nodes_of<system::Gpu>(system));
}

}  // namespace

void carry_rates(const system::System& base, const system::Changes& changes, system::System& changed) {
  if (system::nodes_of<system::Gpu>(base).size() < 2 || base.collectives == system::CollectiveRates{}) {
    return;
  }
  const Reach before = rule_of(base);
  const Reach now = rule_of(changed);
  for (const CarriedRate& rate : kCarried) {
    const bool is_given = std::ranges::find(changes.keys, rate.key, &arch::Override::key) != changes.keys.end();
    if (!is_given && before.*rate.rule > 0) {
      const double factor = now.*rate.rule / (before.*rate.rule);
      changed.collectives.*rate.said =
          static_cast<std::uint64_t>(std::llround(static_cast<double>(changed.collectives.*rate.said) * factor));
    }
  }
}

}  // namespace gpusim::collective
