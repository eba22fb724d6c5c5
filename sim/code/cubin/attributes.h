// SPDX-License-Identifier: MIT
// The attributes of functions in the sections .nv.info and .nv.info.<function>.
#pragma once

#include <vector>

#include "sim/code/cubin/bytes.h"
#include "sim/code/cubin/module.h"

namespace gpusim::cubin {

/// Those that .nv.info has of all functions: `by_symbol` has the function of each symbol, or null.
void read_common_attributes(const Bytes& section, const std::vector<Function*>& by_symbol);

/// Those of one function.
void read_attributes(const Bytes& section, Function& function);

}  // namespace gpusim::cubin
