// SPDX-License-Identifier: MIT
// Texts in the format of gzip (RFC 1952). The only home of zlib.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace gpusim {

/// The same bytes for the same text on every run: the header holds neither a time nor a name.
[[nodiscard]] std::string gzip(std::string_view text);

/// The text of a file, unpacked where it is packed. Throws InputError for what cannot be read, is damaged, or has more
/// than `most` bytes.
[[nodiscard]] std::string read_gzip(const std::filesystem::path& file, std::uint64_t most);
/// The same, piece by piece.
void read_gzip(const std::filesystem::path& file, std::uint64_t most,
               const std::function<void(std::string_view piece)>& take);

}  // namespace gpusim
