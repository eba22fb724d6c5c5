// SPDX-License-Identifier: MIT
// Machine code to instructions and back.
#pragma once

#include "sim/code/sass/instruction.h"

namespace gpusim::sass {

/// Never fails: an encoding that the table does not have becomes Op::kUnknown, with all of its bits.
[[nodiscard]] Instruction decode(const Code& code, Generation generation);

/// The code of an instruction; of what decode() returned, the code that it was given.
[[nodiscard]] Code encode(const Instruction& instruction);

}  // namespace gpusim::sass
