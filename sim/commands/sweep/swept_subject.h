// SPDX-License-Identifier: MIT
// What a sweep is of: kernels on architectures, or steps of applications on systems.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/commands/sweep/run/prepare.h"
#include "sim/commands/sweep/run/run.h"

namespace gpusim::gpu {
struct SimulateOptions;
}  // namespace gpusim::gpu
namespace gpusim::sweep {
class Inputs;
class StepInputs;
class Store;
}  // namespace gpusim::sweep

namespace gpusim::commands {

class SweptSubject {
 public:
  /// Reads all files of the study once. Throws InputError with all problems.
  /// `kernel_times`: as --kernel-times has it.
  SweptSubject(const sweep::Study& study, std::string kernel_times);
  ~SweptSubject();
  SweptSubject(const SweptSubject&) = delete;
  SweptSubject& operator=(const SweptSubject&) = delete;

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
  std::unique_ptr<sweep::Inputs> kernels_;    ///< null for a study of steps
  std::unique_ptr<sweep::StepInputs> steps_;  ///< null for a study of kernels
};

}  // namespace gpusim::commands
