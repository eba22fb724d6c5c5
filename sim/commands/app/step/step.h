// SPDX-License-Identifier: MIT
// One step of an application on a system, from its file or kind to the timeline: gpusim app, sweeps and validation
// have it from here.
#pragma once

#include "sim/commands/app/times/times.h"
#include "sim/system/application/application.h"
#include "sim/system/config/system.h"
#include "sim/system/run/timeline.h"

namespace gpusim::app {

struct Step {
  Times times;
  run::Timeline timeline;
};

/// Finds the times of the kernels, and runs the application. Throws InputError for what contradicts itself,
/// CannotFinishError when nothing can go on or the memory is too small, and cli::Interrupted.
[[nodiscard]] Step run_step(const application::Application& application, const system::System& system,
                            const TimesOptions& options);

}  // namespace gpusim::app
