// SPDX-License-Identifier: MIT
// A launch of a compiled kernel as a kernel that can be simulated.
#pragma once

#include <memory>

#include "sim/model/trace/kernel.h"

namespace gpusim::cubin {
struct Function;
struct Module;
}  // namespace gpusim::cubin

namespace gpusim::exec {

class HeldMemory;
struct Image;

/// `image`: of `function` with the launch's parameters, made for `memory`, which holds what is there before the first
/// kernel. Throws InputError for what is executed but not simulated.
[[nodiscard]] trace::Kernel make_kernel(std::shared_ptr<const Image> image, const cubin::Module& module,
                                        const cubin::Function& function, std::shared_ptr<const HeldMemory> memory);

}  // namespace gpusim::exec
