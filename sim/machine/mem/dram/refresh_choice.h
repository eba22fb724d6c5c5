// SPDX-License-Identifier: MIT
// Which banks of a pseudo-channel are refreshed next, where they are refreshed one unit (one or two banks) at a time.
#pragma once

#include "sim/machine/mem/dram/refresh.h"
#include "sim/model/policy/dram/bank_set.h"

namespace gpusim::mem::dram {

class Banks;

/// A unit that no request wants is refreshed at once. While every bank has requests, refreshes wait as long as they
/// may. Empty when no unit is to be refreshed now.
[[nodiscard]] BankSet banks_to_refresh(const RefreshSchedule& schedule, const Banks& banks);

}  // namespace gpusim::mem::dram
