// SPDX-License-Identifier: MIT
// text.yaml, the sentences of a lab. Internal to the module: read_lab() reads both files.
#pragma once

#include "sim/commands/lab/course/lab.h"

namespace gpusim::lab {

/// Fills in lab.text. Throws InputError with every problem: sentences of what the lab has not, and those that are
/// missing.
void read_texts(Lab& lab);

}  // namespace gpusim::lab
