// SPDX-License-Identifier: MIT
#include "sim/system/config/names.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "sim/base/text.h"

namespace gpusim::system {
namespace {

constexpr std::size_t kLongestName = 60;

bool is_name(std::string_view text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  return !text.empty() && text.size() <= kLongestName && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, fits);
}

}  // namespace

std::optional<std::vector<std::string>> names_of(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    return is_name(text) ? std::optional(std::vector{std::string(text)}) : std::nullopt;
  }
  const std::string_view first = text.substr(0, dots);
  const std::size_t digits = first.find_last_not_of("0123456789") + 1;
  const std::optional<std::uint64_t> from = parse_unsigned(first.substr(digits));
  const std::optional<std::uint64_t> to = parse_unsigned(text.substr(dots + 2));
  if (!is_name(first) || !from || !to || *to < *from || *to - *from >= kMostOfRange) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (std::uint64_t i = *from; i <= *to; ++i) {
    names.push_back(std::string(first.substr(0, digits)) + std::to_string(i));
  }
  return names;
}

}  // namespace gpusim::system
