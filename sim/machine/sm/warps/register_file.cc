// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/register_file.h"

namespace gpusim::sm {

void RegisterFile::forget(std::uint32_t slot) {
  for (std::uint16_t& entry : names_) {
    entry = entry >> 8U == slot ? kEmpty : entry;
  }
}

}  // namespace gpusim::sm
