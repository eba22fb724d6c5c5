// SPDX-License-Identifier: MIT
#include "sim/base/address_space.h"

#include <array>
#include <cinttypes>
#include <cstdio>

namespace gpusim {

std::string address_text(Address address) {
  std::array<char, 2 + 16 + 1> text{};
  std::snprintf(text.data(), text.size(), "0x%" PRIx64, address);
  return text.data();
}

}  // namespace gpusim
