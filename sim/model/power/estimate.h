// SPDX-License-Identifier: MIT
// Power from counts: each kind of event has an energy, which the architecture file gives (power.*).
#pragma once

#include "sim/model/stats/power.h"

namespace gpusim::arch {
struct Arch;
}
namespace gpusim::stats {
struct KernelCounts;
}

namespace gpusim::power {

/// What the GPU draws while the kernel runs. Nothing is known of one without cycles, or of an architecture without
/// power.limit.
[[nodiscard]] stats::PowerEstimate estimate(const arch::Arch& arch, const stats::KernelCounts& kernel);

/// The SM clock in MHz, at most `most_mhz`, at which the card stays within its limit, and which power.tensor_clock
/// allows with the tensor cores as busy as they are. `draw` is what it draws at the architecture's clock. Supposes that
/// everything but the idle power happens in proportion to the clock, and that the voltage follows it down to
/// power.least_voltage_percent.
[[nodiscard]] double sustained_mhz(const arch::Arch& arch, const stats::PowerEstimate& draw, double most_mhz);

}  // namespace gpusim::power
