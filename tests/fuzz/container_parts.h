// SPDX-License-Identifier: MIT
// Containers taken apart into their messages, and put together from messages that say anything.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::fuzz {

/// The messages of a container's sections; the index comes last.
[[nodiscard]] std::vector<std::string> messages_of(const std::filesystem::path& file);

/// A container of these messages with sizes and checksums that fit. Without an index that can be read it has no
/// sections.
[[nodiscard]] std::string assemble(const std::vector<std::string>& messages);

/// Messages as one text, and back.
[[nodiscard]] std::string join_messages(const std::vector<std::string>& messages);
[[nodiscard]] std::vector<std::string> split_messages(std::string_view text);

}  // namespace gpusim::fuzz
