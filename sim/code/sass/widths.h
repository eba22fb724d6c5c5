// SPDX-License-Identifier: MIT
// How many registers the operands of an instruction have: its modifiers decide.
#pragma once

#include "sim/code/sass/row.h"

namespace gpusim::sass {

/// Sets the width of every register and matrix descriptor.
void assign_widths(Instruction& instruction);

}  // namespace gpusim::sass
