// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/exact.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpusim::sweep {
namespace {

constexpr const char* kTooLarge = "numbers grow beyond 128 bits";

Int128 magnitude(Int128 value) {
  return value < 0 ? -value : value;
}

Int128 common_divisor(Int128 a, Int128 b) {
  while (b != 0) {
    a = std::exchange(b, a % b);
  }
  return magnitude(a);
}

Int128 product(Int128 a, Int128 b) {
  Int128 result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    throw NotExact(kTooLarge);
  }
  return result;
}

Int128 sum(Int128 a, Int128 b) {
  Int128 result = 0;
  if (__builtin_add_overflow(a, b, &result)) {
    throw NotExact(kTooLarge);
  }
  return result;
}

Int128 power_of_ten(int exponent) {
  Int128 power = 1;
  for (int i = 0; i < exponent; ++i) {
    power = product(power, 10);
  }
  return power;
}

}  // namespace

Exact Exact::of(Int128 numerator, Int128 denominator) {
  if (denominator == 0) {
    throw NotExact("division by zero");
  }
  // The one number without a counterpart of the other sign.
  constexpr Int128 kLeast = Int128{1} << 127;
  if (numerator == kLeast || denominator == kLeast) {
    throw NotExact(kTooLarge);
  }
  const Int128 divisor = common_divisor(numerator, denominator) * (denominator < 0 ? -1 : 1);
  Exact result;
  result.numerator_ = numerator / divisor;
  result.denominator_ = denominator / divisor;
  return result;
}

Exact Exact::near(double value) {
  constexpr int kBits = 53;  // bits of a double
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, kBits));
  const int shift = exponent - kBits;
  if (shift > kBits || shift < -2 * kBits) {
    throw NotExact(kTooLarge);
  }
  constexpr int kKeptDigits = 12;
  const Exact exact = shift >= 0 ? of(Int128{mantissa} << shift, 1) : of(mantissa, Int128{1} << -shift);
  return at_digits(exact, kKeptDigits);
}

Int128 Exact::rounded() const {
  const Int128 whole = magnitude(numerator_) / denominator_;
  const Int128 rest = magnitude(numerator_) % denominator_;
  const Int128 nearest = whole + (rest >= denominator_ - rest ? 1 : 0);
  return numerator_ < 0 ? -nearest : nearest;
}

double Exact::value() const {
  return static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

Exact operator+(const Exact& a, const Exact& b) {
  const Int128 common = common_divisor(a.denominator_, b.denominator_);
  const Int128 numerator =
      sum(product(a.numerator_, b.denominator_ / common), product(b.numerator_, a.denominator_ / common));
  return Exact::of(numerator, product(a.denominator_ / common, b.denominator_));
}

Exact operator-(const Exact& a, const Exact& b) {
  return a + Exact(-1) * b;
}

Exact operator*(const Exact& a, const Exact& b) {
  const Int128 left = common_divisor(a.numerator_, b.denominator_);
  const Int128 right = common_divisor(b.numerator_, a.denominator_);
  return Exact::of(product(a.numerator_ / left, b.numerator_ / right),
                   product(a.denominator_ / right, b.denominator_ / left));
}

Exact operator/(const Exact& a, const Exact& b) {
  return a * Exact::of(b.denominator_, b.numerator_);
}

std::strong_ordering operator<=>(const Exact& a, const Exact& b) {
  return product(a.numerator_, b.denominator_) <=> product(b.numerator_, a.denominator_);
}

std::string to_decimal(Int128 value) {
  std::string digits;
  for (Int128 rest = value; rest != 0; rest /= 10) {
    digits += static_cast<char>('0' + static_cast<int>(magnitude(rest % 10)));
  }
  digits += digits.empty() ? "0" : "";
  digits += value < 0 ? "-" : "";
  std::ranges::reverse(digits);
  return digits;
}

std::string to_decimal(const Exact& value, int most_decimals) {
  for (int decimals = 0; decimals <= most_decimals; ++decimals) {
    const Exact shifted = value * Exact::of(power_of_ten(decimals), 1);
    if (!shifted.is_whole()) {
      continue;
    }
    std::string digits = to_decimal(magnitude(shifted.numerator()));
    const auto places = static_cast<std::size_t>(decimals);
    if (digits.size() <= places) {
      digits.insert(0, places + 1 - digits.size(), '0');
    }
    digits.insert(digits.size() - places, places == 0 ? "" : ".");
    return (shifted.numerator() < 0 ? "-" : "") + digits;
  }
  return {};
}

Exact at_digits(const Exact& value, int digits) {
  const Int128 most = power_of_ten(digits);
  Exact scaled = value;
  Exact unit = 1;
  const auto size = [&scaled] { return magnitude(scaled.rounded()); };
  while (size() >= most) {
    scaled = scaled / 10;
    unit = unit * 10;
  }
  // Smaller than any value of a key: it is zero.
  constexpr int kMostSteps = 15;
  for (int step = 0; step < kMostSteps && size() * 10 < most; ++step) {
    scaled = scaled * 10;
    unit = unit / 10;
  }
  return Exact::of(scaled.rounded(), 1) * unit;
}

}  // namespace gpusim::sweep
