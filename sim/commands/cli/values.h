// SPDX-License-Identifier: MIT
// Values of options, strictly: every function says what it expected instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusim::cli {

/// A whole number in [least, most]; throws UsageError that names the option.
[[nodiscard]] std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t least,
                                        std::uint64_t most);

/// As parse_count; `otherwise` when the option was not given.
[[nodiscard]] std::uint64_t count_or(std::string_view option, std::string_view text, std::uint64_t otherwise,
                                     std::uint64_t least, std::uint64_t most);

/// A word of the command line for a message.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// A number of bytes: "98304", "96KiB", "96 KiB"; throws UsageError that names the option.
[[nodiscard]] std::uint64_t parse_size(std::string_view option, std::string_view text);

}  // namespace gpusim::cli
