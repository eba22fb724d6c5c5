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

/// Whether the 128 bits of each instruction stand behind it, as nvdisasm -hex prints them, and the constants with them:
/// read_listed() makes a module of such a listing that is executed as the cubin is.
enum class ShowHex : bool { kNo, kYes };

/// What stands before the functions of a module: the SM, the file, constants of all functions.
[[nodiscard]] std::string listing_head(const Module& module, ShowHex hex = ShowHex::kNo);

/// The function with labels and, where the cubin has them, files and lines of the source. Throws InputError when the SM
/// is not decoded.
[[nodiscard]] Listing listing_of(const Module& module, const Function& function, ShowControl control,
                                 ShowHex hex = ShowHex::kNo);

}  // namespace gpusim::cubin
