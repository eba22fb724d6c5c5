// SPDX-License-Identifier: MIT
// Advice that proves itself: the kernels are simulated again on machines without the costs that the findings name.
#pragma once

#include <functional>
#include <string_view>

#include "sim/model/stats/result.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::commands {

enum class AdviseScope { kFound, kAll };

/// Simulates the same trace on another machine; `name` is that of the what-if. A result that is not complete stops the
/// rest.
using SimulateAgain = std::function<stats::Result(const arch::Arch& arch, std::string_view name)>;

/// Runs the what-ifs that a kernel's findings ask for, or all, and notes in each of those kernels what they gain.
/// Returns false when it was stopped.
[[nodiscard]] bool advise(const arch::Arch& arch, AdviseScope scope, const SimulateAgain& simulate,
                          stats::Result& result);

}  // namespace gpusim::commands
