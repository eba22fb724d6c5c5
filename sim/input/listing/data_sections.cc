// SPDX-License-Identifier: MIT
#include "sim/input/listing/data_sections.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/base/trimmed.h"

namespace gpusim::frontend::sass {
namespace {

constexpr std::string_view kSymbolLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$";

std::optional<std::uint64_t> number_of(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  text.remove_prefix(hexadecimal ? 2 : 0);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  const bool good = !text.empty() && error == std::errc{} && end == text.data() + text.size();
  return good ? std::optional(value) : std::nullopt;
}

/// Bytes of ".zero 64"; the largest number there is for one that is larger.
std::uint64_t zeros_of(std::string_view text) {
  const bool is_decimal = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  return number_of(text).value_or(is_decimal ? std::numeric_limits<std::uint64_t>::max() : 0);
}

/// "table" of "fun@(table)", "32@lo(table)" and "table".
std::string_view symbol_of(std::string_view text) {
  const std::size_t bracket = text.rfind('(');
  text.remove_prefix(bracket == text.npos ? 0 : bracket + 1);
  return text.substr(0, text.find_first_not_of(kSymbolLetters));
}

/// ".L_1" and ".L_0" of "(.L_1 - .L_0)".
std::optional<std::pair<std::string, std::string>> difference_of(std::string_view text) {
  const std::size_t minus = text.find(" - ");
  if (!text.starts_with('(') || !text.ends_with(')') || minus == text.npos) {
    return std::nullopt;
  }
  return std::pair(std::string(trimmed(text.substr(1, minus - 1))),
                   std::string(trimmed(text.substr(minus + 3, text.size() - minus - 4))));
}

/// Bytes of a value behind this directive; 0 for a directive without values.
std::uint32_t bytes_of(std::string_view directive) {
  struct Row {
    std::string_view name;
    std::uint32_t bytes;
  };
  static constexpr Row kRows[] = {{".byte", 1},  {".short", 2}, {".2byte", 2}, {".word", 4},
                                  {".4byte", 4}, {".dword", 8}, {".quad", 8},  {".8byte", 8}};
  const Row* const row = std::ranges::find(kRows, directive, &Row::name);
  return row == std::end(kRows) ? 0 : row->bytes;
}

void write(std::string& bytes, std::size_t at, std::uint32_t width, std::uint64_t value) {
  for (std::uint32_t i = 0; i < width; ++i) {
    bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xffU);
  }
}

}  // namespace

void DataSections::begin(std::string_view name) {
  is_data_ = name.starts_with(".nv.constant") || name.starts_with(".nv.info.") || name == ".nv.global" ||
             name == ".nv.global.init";
  if (is_data_) {
    open_.emplace_back();
    open_.back().section.name = name;
  }
}

void DataSections::label(std::string_view name) {
  if (is_data_) {
    open_.back().labels.emplace(name, open_.back().section.bytes.size());
  }
}

void DataSections::grow(std::uint64_t bytes) {
  if (bytes > kMostBytes - bytes_) {
    throw std::length_error("sections of data are too large");
  }
  bytes_ += static_cast<std::size_t>(bytes);
  open_.back().section.bytes.resize(open_.back().section.bytes.size() + static_cast<std::size_t>(bytes));
}

void DataSections::put(std::uint32_t bytes, std::uint64_t value) {
  grow(bytes);
  std::string& all = open_.back().section.bytes;
  write(all, all.size() - bytes, bytes, value);
}

void DataSections::add_value(std::uint32_t bytes, std::string_view text) {
  Open& open = open_.back();
  const std::size_t offset = open.section.bytes.size();
  put(bytes, number_of(text).value_or(0));
  if (number_of(text)) {
    return;
  }
  if (const auto labels = difference_of(text)) {
    open.differences.push_back({offset, bytes, labels->first, labels->second});
  } else {
    open.section.linked.push_back({offset, bytes, std::string(symbol_of(text))});
  }
}

void DataSections::directive(std::string_view text) {
  if (!is_data_) {
    return;
  }
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view name = text.substr(0, end);
  std::string_view values = trimmed(text.substr(end));
  if (name == ".size") {
    const std::size_t comma = std::min(values.find(','), values.size());
    open_.back().sizes.emplace(trimmed(values.substr(0, comma)),
                               trimmed(values.substr(std::min(comma + 1, values.size()))));
  } else if (name == ".zero") {
    grow(zeros_of(values));
  } else if (const std::uint32_t bytes = bytes_of(name); bytes != 0) {
    while (!values.empty()) {
      const std::size_t comma = std::min(values.find(','), values.size());
      add_value(bytes, trimmed(values.substr(0, comma)));
      values.remove_prefix(std::min(comma + 1, values.size()));
    }
  }
}

/// Labels are known: what was written with them is calculated.
void DataSections::finish(Open& open) {
  const auto distance = [&open](const std::string& to, const std::string& from) -> std::optional<std::uint64_t> {
    const auto end = open.labels.find(to);
    const auto begin = open.labels.find(from);
    const bool known = end != open.labels.end() && begin != open.labels.end() && end->second >= begin->second;
    return known ? std::optional<std::uint64_t>(end->second - begin->second) : std::nullopt;
  };
  for (const Difference& difference : open.differences) {
    if (const auto value = distance(difference.to, difference.from)) {
      write(open.section.bytes, difference.offset, difference.bytes, *value);
    }
  }
  for (const auto& [name, text] : open.sizes) {
    const auto labels = difference_of(text);
    const auto size = labels ? distance(labels->first, labels->second) : number_of(text);
    const auto label = open.labels.find(name);
    if (size && label != open.labels.end() && *size <= open.section.bytes.size() - label->second) {
      open.section.symbols.push_back({name, label->second, *size});
    }
  }
}

std::vector<DataSection> DataSections::take() {
  std::vector<DataSection> sections;
  for (Open& open : open_) {
    finish(open);
    sections.push_back(std::move(open.section));
  }
  return sections;
}

}  // namespace gpusim::frontend::sass
