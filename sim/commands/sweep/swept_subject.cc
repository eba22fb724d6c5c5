// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/swept_subject.h"

#include <utility>

#include "sim/commands/app/times/database.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/sweep/asked_study.h"
#include "sim/commands/sweep/run/inputs.h"
#include "sim/commands/sweep/run/model_version.h"
#include "sim/commands/sweep/steps/step_inputs.h"
#include "sim/commands/sweep/steps/step_version.h"

namespace gpusim::commands {

SweptSubject::SweptSubject(const sweep::Study& study, std::string kernel_times)
    : study_(study), kernel_times_(std::move(kernel_times)) {
  if (study.keys == nullptr) {
    kernels_ = std::make_unique<sweep::Inputs>(study, sweep_sources(study));
  } else {
    steps_ = std::make_unique<sweep::StepInputs>(study);
  }
}

SweptSubject::~SweptSubject() = default;

sweep::Plan SweptSubject::plan(const sweep::Locate& locate) const {
  return steps_ ? sweep::Plan(study_, *steps_, locate)
                : sweep::Plan(study_, kernels_->bases(), kernels_->base_parameters(), locate);
}

sweep::Prepared SweptSubject::prepare(const sweep::Plan& plan, const gpu::SimulateOptions& how,
                                      const std::function<bool(std::uint64_t)>& tell) {
  return steps_ ? steps_->prepare(plan, tell) : sweep::prepare(*kernels_, plan, how, tell);
}

std::string SweptSubject::program() const {
  return steps_ ? sweep::step_version() : sweep::program_version();
}

sweep::Outcome SweptSubject::run(const std::vector<sweep::Candidate>& points, sweep::Store& store,
                                 const sweep::RunOptions& how, const sweep::Host& host) {
  if (!steps_) {
    return sweep::run(*kernels_, points, store, how, host);
  }
  app::Database database(app::database_named(kernel_times_));
  if (!database.problem().empty()) {
    cli::log_warning("times of kernels are not kept: " + database.problem());
  }
  return sweep::run(steps_->runner(database), points, store, how, host);
}

}  // namespace gpusim::commands
