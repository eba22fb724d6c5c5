// SPDX-License-Identifier: MIT
#pragma once

#include "sim/output/text/layout.h"

namespace gpusim::report {

struct TextOptions : layout::Look {
  bool details = false;  ///< every guess, pipe, state and kernel, instead of those that matter
};

}  // namespace gpusim::report
