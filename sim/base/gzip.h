// SPDX-License-Identifier: MIT
// Compresses a text into the format of gzip (RFC 1952). The only home of zlib.
#pragma once

#include <string>
#include <string_view>

namespace gpusim {

/// The same bytes for the same text on every run: the header holds neither a time nor a name.
[[nodiscard]] std::string gzip(std::string_view text);

}  // namespace gpusim
