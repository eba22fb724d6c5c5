// SPDX-License-Identifier: MIT
// A parser for JSON as this program writes it: numbers, words and text of printable ASCII without escapes. It costs a
// fifth of the library's, and leaves all other texts, right or wrong, to that one.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace gpusim::report {

/// Calls `handler` as the library's sax_parse() does.
template <class Handler>
class PlainJson {
 public:
  PlainJson(std::string_view text, Handler& handler)
      : at_(text.data()), end_(text.data() + text.size()), handler_(handler) {}

  /// False when the text is not plain JSON: then the calls so far are void, and it may still be JSON.
  [[nodiscard]] bool parse() { return value(0) && next() == kEnd && at_ == end_; }

 private:
  static constexpr char kEnd = '\0';
  static constexpr int kDeepest = 16;

  static constexpr std::array<bool, 256> kPlain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = ' '; c <= '~'; ++c) {
      plain[c] = c != '"' && c != '\\';
    }
    return plain;
  }();
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  [[nodiscard]] char peek() const { return at_ == end_ ? kEnd : *at_; }
  /// The next character that is no space; kEnd behind the last.
  char next() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) {
      ++at_;
    }
    return peek();
  }
  /// Takes the next character when it is `wanted`, spaces before it left out.
  bool take(char wanted) {
    const bool is_there = next() == wanted;
    at_ += is_there ? 1 : 0;
    return is_there;
  }

  bool value(int depth) {
    switch (next()) {
      case '{': return depth < kDeepest && object(depth);
      case '[': return depth < kDeepest && array(depth);
      case '"': return text() && handler_.string(text_);
      case 't': return word("true") && handler_.boolean(true);
      case 'f': return word("false") && handler_.boolean(false);
      case 'n': return word("null") && handler_.null();
      default: return number();
    }
  }

  bool object(int depth) {
    ++at_;
    handler_.start_object(std::string::npos);
    if (take('}')) {
      return handler_.end_object();
    }
    do {
      if (next() != '"' || !text() || !handler_.key(text_) || !take(':') || !value(depth + 1)) {
        return false;
      }
    } while (take(','));
    return take('}') && handler_.end_object();
  }

  bool array(int depth) {
    ++at_;
    handler_.start_array(std::string::npos);
    if (take(']')) {
      return handler_.end_array();
    }
    do {
      if (!value(depth + 1)) {
        return false;
      }
    } while (take(','));
    return take(']') && handler_.end_array();
  }

  /// Into text_, from the quote on.
  bool text() {
    const char* const begin = ++at_;
    while (at_ != end_ && kPlain[static_cast<unsigned char>(*at_)]) {
      ++at_;
    }
    if (peek() != '"') {
      return false;
    }
    text_ = std::string(begin, at_++);  // the handler has moved the one before away
    return true;
  }

  bool word(std::string_view wanted) {
    const bool is_there = std::string_view(at_, end_).starts_with(wanted);
    at_ += is_there ? wanted.size() : 0;
    return is_there;
  }

  bool digits() {
    const char* const begin = at_;
    at_ = std::find_if_not(at_, end_, is_digit);
    return at_ != begin;
  }

  bool number() {
    const char* const begin = at_;
    const bool is_negative = peek() == '-';
    at_ += is_negative ? 1 : 0;
    const bool starts_with_zero = peek() == '0';
    const char* const first = at_;
    if (!digits() || (starts_with_zero && at_ - first > 1)) {
      return false;
    }
    if (peek() == '.' || peek() == 'e' || peek() == 'E') {
      return fraction() && take_as<double>(begin);
    }
    return is_negative ? take_as<std::int64_t>(begin) : take_as<std::uint64_t>(begin);
  }

  /// What follows the whole part of a number.
  bool fraction() {
    if (peek() == '.' && (++at_, !digits())) {
      return false;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      at_ += peek() == '+' || peek() == '-' ? 1 : 0;
      return digits();
    }
    return true;
  }

  /// The number that ends here; false when the type does not hold it.
  template <class Number>
  bool take_as(const char* begin) {
    Number number{};
    const auto [end, error] = std::from_chars(begin, at_, number);
    return error == std::errc() && end == at_ && hand_over(number);
  }
  bool hand_over(double number) { return handler_.number_float(number, std::string()); }
  bool hand_over(std::int64_t number) { return handler_.number_integer(number); }
  bool hand_over(std::uint64_t number) { return handler_.number_unsigned(number); }

  const char* at_;
  const char* end_;
  Handler& handler_;
  std::string text_;
};

}  // namespace gpusim::report
