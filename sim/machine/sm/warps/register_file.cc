// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/register_file.h"

namespace gpusim::sm {

void RegisterFile::forget(std::uint32_t slot) {
  owners_ |= 0xff * (zero_bytes(owners_ ^ kEveryByte * slot) >> 7);
}

}  // namespace gpusim::sm
