// SPDX-License-Identifier: MIT
// From the options of `gpusim sweep` to a study.
#pragma once

#include "sim/commands/sweep/run/inputs.h"
#include "sim/commands/sweep/study/study_file.h"
#include "sim/machine/gpu/simulate_options.h"

namespace gpusim::sweep {
struct Study;
}  // namespace gpusim::sweep

namespace gpusim::commands {

struct SweepOptions;

/// The study that the options describe, or the file that they name. The architecture "all" stands for every known one,
/// files beside a study are named by their paths, and each that came along has one spelling ("H100" is "h100"). Throws
/// UsageError and InputError with everything that is wrong.
[[nodiscard]] sweep::LocatedStudy sweep_study(const SweepOptions& options);

/// Cache, ctas and max_cycles of every point.
[[nodiscard]] gpu::SimulateOptions sweep_how(const sweep::Study& study);

/// Finds and loads as `gpusim run` does.
[[nodiscard]] sweep::Sources sweep_sources(const sweep::Study& study);

}  // namespace gpusim::commands
