// SPDX-License-Identifier: MIT
#include "sim/machine/sm/register_file.h"

namespace gpusim::sm {

void RegisterFile::forget(std::uint32_t slot) {
  for (unsigned entry = 0; entry < lower::kReuseEntries; ++entry) {
    if (names_[entry] >> 8U == slot) {
      cached_ = static_cast<std::uint8_t>(cached_ & ~(1U << entry));
    }
  }
}

}  // namespace gpusim::sm
