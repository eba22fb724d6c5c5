// SPDX-License-Identifier: MIT
// A run at the clock that the card's power limit leaves.
#pragma once

#include <cstdint>
#include <functional>

#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"

namespace gpusim::power {

/// The architecture with another SM clock in hertz, which then counts as inferred from the power.
[[nodiscard]] arch::Arch at_clock(const arch::Arch& arch, std::uint64_t hertz);

/// The SM clock in hertz, a whole number of MHz and at most `most_hertz`, at which the run's kernels, one after the
/// other without end, stay within the limit of the architecture that they ran on. `most_hertz` where nothing is known.
[[nodiscard]] std::uint64_t sustained_clock(const arch::Arch& arch, const stats::Result& result,
                                            std::uint64_t most_hertz);

/// Simulates at the architecture's clock and, while the limit of its power leaves another one, again at that one, three
/// times at most. A run that is not complete ends it.
[[nodiscard]] stats::Result simulate_sustained(const arch::Arch& arch,
                                               const std::function<stats::Result(const arch::Arch&)>& simulate);

}  // namespace gpusim::power
