// SPDX-License-Identifier: MIT
// Cases that are steps of applications: generated, their kernels simulated, and run on a system.
#pragma once

namespace gpusim::validate {
struct Case;
}  // namespace gpusim::validate

namespace gpusim::commands {

/// Whether the estimate is a step: it has the key `application`.
[[nodiscard]] bool is_step(const validate::Case& of);

/// Microseconds of a step; the keys are the options of `gpusim app make`, and `application` is its kind. Throws
/// InputError.
[[nodiscard]] double step_us(const validate::Case& of);

}  // namespace gpusim::commands
