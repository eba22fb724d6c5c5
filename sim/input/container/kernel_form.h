// SPDX-License-Identifier: MIT
// The static part of a kernel, as a container holds it. Of an instruction the opcode is kept by name, and what follows
// from the name is looked up again, so that a file knows no numbers of this program's tables; operands and the like are
// kept as they are, because imports infer some that no text shows.
#pragma once

#include <string>
#include <string_view>

#include "sim/model/trace/kernel.h"

namespace gpusim::container {

[[nodiscard]] std::string encode_kernel(const trace::Kernel& kernel);

/// A kernel without behaviour. Throws InputError about `file` for whatever no kernel can be.
[[nodiscard]] trace::Kernel decode_kernel(std::string_view message, const std::string& file);

}  // namespace gpusim::container
