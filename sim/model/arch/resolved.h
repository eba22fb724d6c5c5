// SPDX-License-Identifier: MIT
// An architecture together with the file that says so: what reports of provenance show.
#pragma once

#include "sim/model/arch/arch.h"
#include "sim/model/arch/sheet.h"

namespace gpusim::arch {

/// What a file says, with the provenance of every value, and what follows.
struct Resolved {
  Sheet sheet;
  Arch arch;
};

}  // namespace gpusim::arch
