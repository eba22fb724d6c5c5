// SPDX-License-Identifier: MIT
#include "sim/commands/app/step/step.h"

#include <utility>

#include "sim/commands/cli/interrupt.h"
#include "sim/system/run/memory_pass.h"
#include "sim/system/run/run.h"

namespace gpusim::app {

Step run_step(const application::Application& application, const system::System& system, const TimesOptions& options) {
  const system::Fabric fabric(system);
  const run::Binding binding(application, system, fabric);
  run::check_memory(binding, offers_of(binding));  // before kernels are simulated, which takes longer
  Step step;
  step.times = find_times(binding, options);
  step.timeline = run::run(binding, step.times.gpus, step.times.costs, [] { return !cli::interrupted(); });
  cli::throw_if_interrupted();
  return step;
}

}  // namespace gpusim::app
