// SPDX-License-Identifier: MIT
// Names of nodes, and ranges of them: gpu0..7 stands for gpu0, gpu1, ... gpu7.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::system {

/// More nodes than a range may have.
inline constexpr std::size_t kMostOfRange = 256;

/// The names that a text stands for; nothing when it is neither a name (letters, digits, '_' and '-', a letter first)
/// nor an ascending range of at most kMostOfRange.
[[nodiscard]] std::optional<std::vector<std::string>> names_of(std::string_view text);

}  // namespace gpusim::system
