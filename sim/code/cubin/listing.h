// SPDX-License-Identifier: MIT
// Functions of a cubin as text, in the style of nvdisasm: what `gpusim trace import` reads.
#pragma once

#include <cstddef>
#include <string>

#include "sim/code/cubin/module.h"

namespace gpusim::cubin {

/// Whether control bits stand before each instruction, as in "[B--2---:R0:W3:Y:S04]".
enum class ShowControl : bool { kNo, kYes };

struct Listing {
  std::string text;
  std::size_t unknown = 0;  ///< instructions that the table of encodings does not have
};

/// What stands before the functions of a module: the SM, the file.
[[nodiscard]] std::string listing_head(const Module& module);

/// The function with labels and, where the cubin has them, files and lines of the source. Throws InputError when the SM
/// is not decoded.
[[nodiscard]] Listing listing_of(const Module& module, const Function& function, ShowControl control);

}  // namespace gpusim::cubin
