// SPDX-License-Identifier: MIT
// Exact fractions of 128 bits: what steps, factors and conditions compute with, so that 0.1 + 0.2 is 0.3 and every
// machine gets the same values.
#pragma once

#include <compare>
#include <stdexcept>
#include <string>

#include "sim/base/ratio.h"

namespace gpusim::sweep {

__extension__ using Int128 = __int128;

/// A result needs more than 128 bits, or divides by zero. Whoever knows the input says so.
struct NotExact : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// numerator / denominator in lowest terms; the denominator is at least 1.
class Exact {
 public:
  constexpr Exact() = default;
  constexpr Exact(std::int64_t whole) : numerator_(whole) {}  // NOLINT(google-explicit-constructor): it is a number
  explicit Exact(const Ratio& ratio) : Exact(of(ratio.numerator, ratio.denominator)) {}

  /// Throws NotExact when `denominator` is 0.
  [[nodiscard]] static Exact of(Int128 numerator, Int128 denominator);
  /// The fraction with twelve significant digits that is nearest to a number above 0: far more than the last bit of a
  /// machine's pow() may change.
  [[nodiscard]] static Exact near(double value);

  [[nodiscard]] Int128 numerator() const { return numerator_; }
  [[nodiscard]] Int128 denominator() const { return denominator_; }
  [[nodiscard]] bool is_whole() const { return denominator_ == 1; }
  /// The nearest whole number; halves are rounded away from zero.
  [[nodiscard]] Int128 rounded() const;
  [[nodiscard]] double value() const;

  friend Exact operator+(const Exact& a, const Exact& b);
  friend Exact operator-(const Exact& a, const Exact& b);
  friend Exact operator*(const Exact& a, const Exact& b);
  friend Exact operator/(const Exact& a, const Exact& b);
  friend bool operator==(const Exact&, const Exact&) = default;
  friend std::strong_ordering operator<=>(const Exact& a, const Exact& b);

 private:
  Int128 numerator_ = 0;
  Int128 denominator_ = 1;
};

/// A whole number in decimal.
[[nodiscard]] std::string to_decimal(Int128 value);

/// "-2.5": all decimals, of which there are at most `most_decimals`; empty when there are more.
[[nodiscard]] std::string to_decimal(const Exact& value, int most_decimals);

/// `value` at `digits` significant decimal digits; the error is below half of the last.
[[nodiscard]] Exact at_digits(const Exact& value, int digits);

}  // namespace gpusim::sweep
