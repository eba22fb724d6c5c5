// SPDX-License-Identifier: MIT
// The blank-separated words of a line, with their columns, and the numbers in them.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace gpusim::frontend::accelsim {

/// A decimal or, with "0x", hexadecimal number that fills the whole text; a minus is allowed for signed types.
template <typename Number>
[[nodiscard]] std::optional<Number> to_number(std::string_view text, int base) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || error != std::errc{} || stop != end) {
    return std::nullopt;
  }
  return value;
}

/// "0x7f2000000000"
[[nodiscard]] inline std::optional<std::uint64_t> to_address(std::string_view text) {
  return text.starts_with("0x") ? to_number<std::uint64_t>(text.substr(2), 16) : std::nullopt;
}

[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The value of each digit up to base 16; 16 or more of all else.
inline constexpr std::array<std::uint8_t, 256> kDigitValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(16);
  for (std::uint8_t digit = 0; digit < 16; ++digit) {
    values["0123456789abcdef"[digit]] = digit;
    values["0123456789ABCDEF"[digit]] = digit;
  }
  return values;
}();

class Tokens {
 public:
  explicit Tokens(std::string_view line) : line_(line) { skip_blanks(); }

  [[nodiscard]] bool empty() const { return at_ == line_.size(); }
  /// The next word, empty at the end; column() is then its column.
  std::string_view next() {
    begin_ = at_;
    end_word(at_);
    return word();
  }
  /// The next word as to_number() reads it.
  template <typename Number, int kBase>
  std::optional<Number> next_number() {
    begin_ = at_;
    return number_from<Number, kBase>(begin_);
  }
  /// The next word as to_address() reads it.
  std::optional<std::uint64_t> next_address() {
    begin_ = at_;
    if (!line_.substr(at_).starts_with("0x")) {
      end_word(at_);
      return std::nullopt;
    }
    return number_from<std::uint64_t, 16>(at_ + 2);
  }
  /// Goes behind `words`, not empty, if they come next, whole and with the same blanks between them.
  bool skip(std::string_view words) {
    const std::size_t end = at_ + words.size();
    if (words.empty() || !line_.substr(at_).starts_with(words) || (end < line_.size() && !is_blank(line_[end]))) {
      return false;
    }
    begin_ = at_;
    end_word(end);
    return true;
  }
  /// Goes behind the last word.
  void skip_rest() {
    if (!empty()) {
      const std::size_t end = line_.find_last_not_of(kBlanks) + 1;
      begin_ = line_.find_last_of(kBlanks, end - 1) + 1;  // npos + 1 is the beginning
      end_word(end);
    }
  }
  /// How many words are left.
  [[nodiscard]] std::size_t count() const {
    Tokens rest = *this;
    std::size_t words = 0;
    for (; !rest.empty(); ++words) {
      rest.next();
    }
    return words;
  }
  /// The last word, and its column, from 1.
  [[nodiscard]] std::string_view word() const { return line_.substr(begin_, end_ - begin_); }
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(begin_ + 1); }
  /// Where the last word ends, and where it begins, as places in the line.
  [[nodiscard]] std::size_t end() const { return end_; }
  [[nodiscard]] std::size_t begin() const { return begin_; }
  /// Where the next word begins.
  [[nodiscard]] std::size_t next_begin() const { return at_; }
  [[nodiscard]] std::string_view rest() const { return line_.substr(at_); }
  [[nodiscard]] std::string_view line() const { return line_; }

 private:
  static constexpr std::string_view kBlanks = " \t";

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  void skip_blanks() {
    std::size_t at = at_;
    while (at < line_.size() && is_blank(line_[at])) {
      ++at;
    }
    at_ = at;
  }
  /// Goes behind the word that `at` is in.
  void end_word(std::size_t at) {
    while (at < line_.size() && !is_blank(line_[at])) {
      ++at;
    }
    end_ = at;
    at_ = at;
    skip_blanks();
  }

  /// The number that begins at `first`, in the next word, and ends with that. A word of more digits than fit into 64
  /// bits for certain, and one that is not a number, are left to to_number().
  template <typename Number, int kBase>
  std::optional<Number> number_from(std::size_t first) {
    constexpr std::size_t kMostDigits = kBase == 16 ? 16 : 18;
    const bool is_negative = std::is_signed_v<Number> && first < line_.size() && line_[first] == '-';
    const std::size_t begin = first + (is_negative ? 1 : 0);
    std::size_t at = begin;
    std::uint64_t value = 0;
    for (; at < line_.size(); ++at) {
      const unsigned digit = kDigitValues[static_cast<unsigned char>(line_[at])];
      if (digit >= kBase) {
        break;
      }
      value = value * kBase + digit;
    }
    const std::size_t digits = at - begin;
    end_word(at);
    if (at != end_ || digits == 0 || digits > kMostDigits ||
        value > static_cast<std::uint64_t>(std::numeric_limits<Number>::max())) {
      return to_number<Number>(line_.substr(first, end_ - first), kBase);
    }
    return static_cast<Number>(is_negative ? 0 - value : value);
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace gpusim::frontend::accelsim
