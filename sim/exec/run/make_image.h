// SPDX-License-Identifier: MIT
// A kernel and a launch become an image.
#pragma once

#include "sim/code/flow/slice.h"
#include "sim/exec/core/image.h"
#include "sim/exec/core/launch.h"

namespace gpusim::exec {

/// Decodes and lowers the code, and fills in constant bank 0. Throws InputError for a launch that the kernel cannot
/// have: a CTA that is too large, parameters that are too long. Code that has no semantics is an error only when it is
/// reached. The image is complete in itself: it needs neither the module nor the memory.
[[nodiscard]] Image make_image(const LoadedModule& module, const cubin::Function& kernel, const Launch& launch);

/// The image executes from here on what belongs to the slice of its code alone. The slice has no decider.
void leave_out_values(Image& image, const flow::Slice& slice);

}  // namespace gpusim::exec
