// SPDX-License-Identifier: MIT
// The static part of a kernel, as a container holds it. Of an instruction the opcode is kept by name, and what follows
// from the name is looked up again, so that a file knows no numbers of this program's tables; operands and the like are
// kept as they are, because imports infer some that no text shows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/trace/kernel.h"

namespace gpusim::container {

/// `boxes`: shapes of what its recorded copies move.
[[nodiscard]] std::string encode_kernel(const trace::Kernel& kernel, std::span<const trace::TensorMap> boxes);

/// A kernel without behaviour, and the boxes of its copies.
struct StoredKernel {
  trace::Kernel kernel;
  std::vector<trace::TensorMap> boxes;
};
/// Throws InputError about `file` for whatever no kernel can be.
[[nodiscard]] StoredKernel decode_kernel(std::string_view message, const std::string& file);

}  // namespace gpusim::container
