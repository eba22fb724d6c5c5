// SPDX-License-Identifier: MIT
#include "sim/code/array/random.h"

#include <cmath>

#include "sim/base/hash.h"

namespace gpusim::array {
namespace {

/// Odd, with bits that look random: 2^64 divided by the golden ratio, as in splitmix64.
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

std::uint64_t hash_at(std::uint64_t seed, std::uint64_t index) {
  return mix64(mix64(seed + kGolden) + index * kGolden);
}

double unit_of(std::uint64_t hash) {
  return static_cast<double>(hash >> 11) * 0x1p-53;
}

/// The natural logarithm of a number in (0, 1], to some 15 digits, of operations that IEEE 754 rounds exactly: the
/// host's library may differ in the last bit from machine to machine.
double exact_log(double value) {
  constexpr double kLogOfTwo = 0x1.62e42fefa39efp-1;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);  // in [0.5, 1)
  // ln m = 2 artanh((m - 1) / (m + 1)), whose series in z <= 1/3 loses a factor of nine with every term.
  const double z = (mantissa - 1) / (mantissa + 1);
  const double square = z * z;
  constexpr int kTerms = 17;
  double sum = 0;
  for (int term = kTerms; term >= 0; --term) {
    sum = sum * square + 1.0 / (2 * term + 1);
  }
  return 2 * z * sum + exponent * kLogOfTwo;
}

}  // namespace

double uniform_at(std::uint64_t seed, std::uint64_t index) {
  return unit_of(hash_at(seed, index));
}

/// Marsaglia's polar method: a point drawn from a disc.
double normal_at(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t hash = hash_at(seed, index);
  for (;;) {
    const double x = 2 * unit_of(hash) - 1;
    hash = mix64(hash + kGolden);
    const double y = 2 * unit_of(hash) - 1;
    hash = mix64(hash + kGolden);
    const double square = x * x + y * y;
    if (square > 0 && square < 1) {
      return x * std::sqrt(-2 * exact_log(square) / square);
    }
  }
}

std::uint64_t below_at(std::uint64_t seed, std::uint64_t index, std::uint64_t count) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{hash_at(seed, index)} * count) >> 64U);
}

}  // namespace gpusim::array
