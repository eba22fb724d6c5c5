// SPDX-License-Identifier: MIT
#include "sim/base/base64.h"

#include <cstddef>
#include <cstdint>

namespace gpusim {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kGroup = 3;
  std::string out;
  out.reserve((bytes.size() + kGroup - 1) / kGroup * 4);
  for (std::size_t i = 0; i < bytes.size(); i += kGroup) {
    const std::string_view group = bytes.substr(i, kGroup);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < kGroup; ++k) {
      word = word << 8U | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= group.size() ? kDigits[word >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return out;
}

}  // namespace gpusim
