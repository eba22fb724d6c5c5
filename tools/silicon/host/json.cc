// SPDX-License-Identifier: MIT
#include "tools/silicon/host/json.h"

#include <array>
#include <charconv>
#include <cmath>

namespace gpusim::silicon {
namespace {

// Length of the UTF-8 sequence that `text` starts with; 0 when it starts with none. Overlong forms and surrogates are
// not looked for: readers take them or replace them, no line is lost.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length > text.size()) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
      return 0;
    }
  }
  return length;
}

std::string escaped(char byte) {
  switch (byte) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\t': return "\\t";
    default: break;
  }
  if (static_cast<unsigned char>(byte) >= 0x20) {
    return {byte};
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  return std::string("\\u00") + kDigits[static_cast<unsigned char>(byte) >> 4] + kDigits[byte & 0xf];
}

template <typename T, typename Text>
std::string json_array(std::span<const T> values, const Text& text) {
  std::string json = "[";
  for (const T& value : values) {
    json += (json.size() > 1 ? "," : "") + text(value);
  }
  return json + "]";
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 1) {
      json += escaped(text[0]);
    } else {
      json += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return json + "\"";
}

std::string json_number(double value) {
  if (!std::isfinite(value)) {
    return "null";
  }
  std::array<char, 32> buffer{};
  const std::to_chars_result done = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), done.ptr};
}

JsonObject& JsonObject::add(std::string_view key, std::span<const std::uint32_t> values) {
  return add_raw(key, json_array(values, [](std::uint32_t value) { return std::to_string(value); }));
}

JsonObject& JsonObject::add(std::string_view key, std::span<const std::string> values) {
  return add_raw(key, json_array(values, [](const std::string& value) { return json_string(value); }));
}

JsonObject& JsonObject::add_raw(std::string_view key, std::string_view json) {
  members_ += (members_.empty() ? "" : ",") + json_string(key) + ":";
  members_ += json;
  return *this;
}

}  // namespace gpusim::silicon
