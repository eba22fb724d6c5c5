// SPDX-License-Identifier: MIT
// The kernel of the library that stands for an operation, as an application's file names it, on a GPU.
#pragma once

#include <optional>

#include "sim/system/application/operation.h"
#include "sim/system/generate/kernels.h"

namespace gpusim::generate {

/// The kernel that libraries have for the operation on the GPU, as in generated steps. nullopt where there is none:
/// for FlashAttention before Ampere, for gradients of attention between unlike numbers of queries and keys, for norms
/// and the like in FP8. A recorded step has what is launched behind a product (KernelForm::then) as a kernel of its
/// own.
[[nodiscard]] std::optional<KernelForm> form_of(const Target& target, const application::Operation& operation);

}  // namespace gpusim::generate
