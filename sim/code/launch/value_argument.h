// SPDX-License-Identifier: MIT
// Arguments that are values: numbers, and the bytes of structs.
#pragma once

#include "sim/code/launch/given.h"
#include "sim/code/launch/names.h"
#include "sim/code/launch/plan.h"

namespace gpusim::launch {

/// A number as its parameter stores it; a pointer may be null. What is whole can be named in later expressions. Throws
/// InputError about what does not fit the parameter.
[[nodiscard]] Argument number_argument(const Given& given, Names& names);

/// The bytes as they are written, or those of a .npy file. Throws InputError where they are not as many as the
/// parameter has.
[[nodiscard]] Argument bytes_argument(const Given& given);

}  // namespace gpusim::launch
