// SPDX-License-Identifier: MIT
// What a sweep is of: kernels on architectures, or steps of applications on systems.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/commands/app/times/database.h"
#include "sim/commands/sweep/run/inputs.h"
#include "sim/commands/sweep/run/prepare.h"
#include "sim/commands/sweep/run/run.h"
#include "sim/commands/sweep/steps/step_inputs.h"

namespace gpusim::commands {

class SweptSubject {
 public:
  /// Reads all files of the study once. Throws InputError with all problems.
  /// `kernel_times`: as --kernel-times has it.
  SweptSubject(const sweep::Study& study, std::string kernel_times);

  [[nodiscard]] sweep::Plan plan(const sweep::Locate& locate) const;
  [[nodiscard]] sweep::Prepared prepare(const sweep::Plan& plan, const gpu::SimulateOptions& how,
                                        const std::function<bool(std::uint64_t)>& tell);
  sweep::Outcome run(const std::vector<sweep::Candidate>& points, sweep::Store& store, const sweep::RunOptions& how,
                     const sweep::Host& host);

  /// The version that computes results.
  [[nodiscard]] std::string program() const;

 private:
  const sweep::Study& study_;
  std::string kernel_times_;
  std::optional<sweep::Inputs> kernels_;
  std::optional<sweep::StepInputs> steps_;
};

}  // namespace gpusim::commands
