// SPDX-License-Identifier: MIT
// The blank-separated words of a line, with their columns, and the numbers in them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

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

class Tokens {
 public:
  explicit Tokens(std::string_view line) : line_(line) { skip_blanks(); }

  [[nodiscard]] bool empty() const { return at_ == line_.size(); }
  /// The next word, empty at the end; column() is then its column.
  std::string_view next() {
    begin_ = at_;
    while (at_ < line_.size() && !is_blank(line_[at_])) {
      ++at_;
    }
    end_ = at_;
    skip_blanks();
    return line_.substr(begin_, end_ - begin_);
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
  /// The column of the last word, from 1.
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(begin_ + 1); }
  /// Where the last word ends, and where it begins, as places in the line.
  [[nodiscard]] std::size_t end() const { return end_; }
  [[nodiscard]] std::size_t begin() const { return begin_; }
  /// Where the next word begins.
  [[nodiscard]] std::size_t next_begin() const { return at_; }
  [[nodiscard]] std::string_view line() const { return line_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  void skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) {
      ++at_;
    }
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace gpusim::frontend::accelsim
