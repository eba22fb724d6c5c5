// SPDX-License-Identifier: MIT
// What was measured of collectives, on a system whose links a user changed.
#pragma once

#include "sim/system/config/changes.h"
#include "sim/system/config/system.h"

namespace gpusim::collective {

/// Scales the bus bandwidths that the file of `base` gives, by as much as the rule for links says: they were measured
/// on other links. Those among `changes` stay as the user gave them.
void carry_rates(const system::System& base, const system::Changes& changes, system::System& changed);

}  // namespace gpusim::collective
