// SPDX-License-Identifier: MIT
// Bytes as text that HTML and JSON take as it is.
#pragma once

#include <string>
#include <string_view>

namespace gpusim {

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace gpusim
