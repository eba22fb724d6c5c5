// SPDX-License-Identifier: MIT
#include "sim/sm/register_file.h"

#include <algorithm>

namespace gpusim::sm {

RegisterFile::Reads RegisterFile::missing(const lower::RegisterPorts& ports, std::uint32_t slot) const {
  Reads reads = ports.uncached;
  std::array<std::uint8_t, lower::kReuseSlots> read{};  // a register that several operands name is read once
  for (unsigned s = 0; s < lower::kReuseSlots; ++s) {
    const std::uint8_t reg = ports.operands[s];
    const unsigned entry = lower::reuse_entry(reg, s);
    const bool hit = (cached_ >> entry & 1U) != 0 && names_[entry] == name(slot, reg);
    const bool known = std::find(read.begin(), read.begin() + s, reg) != read.begin() + s;
    read[s] = hit ? lower::RegisterPorts::kNone : reg;
    if (reg != lower::RegisterPorts::kNone && !hit && !known) {
      ++reads[reg % lower::kRegisterBanks];
    }
  }
  return reads;
}

void RegisterFile::forget(std::uint32_t slot) {
  for (unsigned entry = 0; entry < lower::kReuseEntries; ++entry) {
    if (names_[entry] >> 8U == slot) {
      cached_ = static_cast<std::uint8_t>(cached_ & ~(1U << entry));
    }
  }
}

}  // namespace gpusim::sm
