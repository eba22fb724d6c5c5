// SPDX-License-Identifier: MIT
#include "sim/machine/lower/constant_operand.h"

#include <charconv>
#include <limits>
#include <map>

#include "sim/base/types.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::lower {
namespace {

constexpr std::uint32_t kConstantBanks = 32;

/// The number that `text` begins with, decimal or with 0x; nothing when it begins with none.
std::optional<std::uint32_t> leading_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  text.remove_prefix(hexadecimal ? 2 : 0);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// What stands before "c[" cannot be a letter or digit: "desc[" is something else.
std::size_t find_constant(std::string_view text) {
  std::size_t at = text.find("c[");
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  while (at != std::string_view::npos && at > 0 && is_word(text[at - 1])) {
    at = text.find("c[", at + 1);
  }
  return at;
}

/// Indices of numbers in the order in which they appeared.
using Indices = std::map<std::uint32_t, std::uint32_t>;

std::uint32_t index_of(std::uint32_t number, Indices& known) {
  return known.try_emplace(number, static_cast<std::uint32_t>(known.size())).first->second;
}

}  // namespace

std::optional<ConstantPlace> constant_operand(std::string_view text) {
  const std::size_t at = find_constant(text);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  text.remove_prefix(at + 2);
  const std::optional<std::uint32_t> bank = leading_number(text);
  const std::size_t second = text.find("][");
  if (!bank || *bank >= kConstantBanks || second == std::string_view::npos) {
    return std::nullopt;
  }
  const std::uint32_t offset = leading_number(text.substr(second + 2)).value_or(0);
  return offset < kConstantBankBytes ? std::optional(ConstantPlace{*bank, offset}) : std::nullopt;
}

void name_constants(const trace::Kernel& kernel, KernelImage& image) {
  Indices lines;
  Indices long_lines;
  for (std::size_t i = 0; i < image.ops.size(); ++i) {
    const std::optional<ConstantPlace> place = constant_operand(kernel.texts[i].text);
    if (!place || lines.size() == std::numeric_limits<std::uint16_t>::max()) {
      continue;
    }
    const std::uint32_t address = place->bank * kConstantBankBytes + place->offset;
    const std::uint32_t index = index_of(address / kConstantLineBytes, lines);
    if (index == image.constants.size()) {
      image.constants.push_back(
          {address / kConstantLineBytes, image.code_lines + index_of(address / kLineBytes, long_lines)});
    }
    image.ops[i].constant = static_cast<std::uint16_t>(index + 1);
  }
  image.constant_lines = static_cast<std::uint32_t>(long_lines.size());
}

}  // namespace gpusim::lower
