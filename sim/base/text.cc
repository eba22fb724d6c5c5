// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace gpusim {
namespace {

template <class Number>
void append_digits(std::string& text, Number number) {
  std::array<char, 24> digits;
  text.append(digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr);
}

}  // namespace

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> parse_signed(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

bool is_word(std::string_view text) {
  const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
}

void append_number(std::string& text, std::uint64_t number) {
  append_digits(text, number);
}

void append_number(std::string& text, std::int64_t number) {
  append_digits(text, number);
}

std::string integers_only(std::string_view text, std::string_view allowed) {
  const std::string hint = "integers only, ";
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::uint64_t> number = parse_unsigned(text.substr(0, end));
  constexpr std::string_view kSuffixes = "KMG";
  constexpr std::uint64_t kMost = 1'000'000'000;  // a billion of this fits into 64 bits
  if (!number || *number > kMost || end + 1 != text.size()) {
    return hint + std::string(allowed);
  }
  const char suffix = text[end] == 'k' ? 'K' : text[end];
  const std::size_t power = kSuffixes.find(suffix) + 1;
  if (power == 0) {
    return hint + std::string(allowed);
  }
  std::uint64_t decimal = *number;
  for (std::size_t i = 0; i < power; ++i) {
    decimal *= 1000;
  }
  return hint + "such as " + std::to_string(*number << (10 * power)) + " or " + std::to_string(decimal) + " for " +
         std::string(text);
}

std::string with_thousands(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) {
    digits.insert(i - 3, ",");
  }
  return digits;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return with_thousands(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string ranges_text(std::span<const std::uint64_t> numbers) {
  constexpr int kMostParts = 10;
  std::string text;
  int parts = 0;
  for (std::size_t first = 0; first < numbers.size();) {
    if (parts++ == kMostParts) {
      return text + ", ...";
    }
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
      ++last;
    }
    last = last == first + 1 ? first : last;  // "3, 4", not "3 to 4"
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[first]);
    text += last == first ? "" : " to " + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

std::string with_si_prefix(double value, std::string_view unit) {
  static constexpr std::array<const char*, 6> kPrefixes{"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (std::fabs(value) >= 999.5 && prefix + 1 < kPrefixes.size()) {
    value /= 1000.0;
    ++prefix;
  }
  std::array<char, 64> buffer{};
  const double magnitude = std::fabs(value);
  const int decimals = magnitude >= 99.95 ? 0 : (magnitude >= 9.995 ? 1 : 2);
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  const std::string suffix = kPrefixes[prefix] + std::string(unit);
  return suffix.empty() ? buffer.data() : buffer.data() + (" " + suffix);
}

std::string with_binary_prefix(std::uint64_t bytes) {
  static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  double value = static_cast<double>(bytes);
  while (value >= 1024.0 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  std::array<char, 64> buffer{};
  const bool whole = std::floor(value) == value;
  std::snprintf(buffer.data(), buffer.size(), "%.*f %s", whole ? 0 : 2, value, kUnits[unit]);
  return buffer.data();
}

std::string clipped(std::string_view text, std::size_t width) {
  constexpr std::string_view kMore = "...";
  if (text.size() <= width) {
    return std::string(text);
  }
  return std::string(text.substr(0, width - std::min(width, kMore.size()))) + std::string(kMore.substr(0, width));
}

std::string printable(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

std::string without_controls(std::string_view text) {
  constexpr char kDelete = 0x7f;
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == kDelete; }, '?');
  return out;
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string out = "\"";
  for (const char c : text) {
    out.append(c == '"' ? 2 : 1, c);
  }
  return out + '"';
}

}  // namespace gpusim
