// SPDX-License-Identifier: MIT
// Rounding to odd: a result that is not exact gets an odd last bit, so that rounding it once more, to fewer bits, gives
// what one rounding of the exact value would give (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
#pragma once

#include <bit>
#include <cstdint>

#include "sim/exec/lanes/variant.h"

namespace gpusim::exec::GPUSIM_LANES {

/// A number of FP32 for one of FP64, rounded to odd.
inline float odd_float(double value) {
  const auto nearest = static_cast<float>(value);
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  const double back = nearest;
  const bool is_even = (bits & 1U) == 0;
  const bool grew = (back > value) == (value > 0);  // away from zero
  const std::uint32_t step = back == value || value != value || !is_even ? 0 : grew ? ~std::uint32_t{0} : 1;
  bits += step;
  return std::bit_cast<float>(bits);
}

/// a * b + c of numbers with so few bits that a * b is exact in FP64, rounded to odd.
inline float odd_multiply_add(float a, float b, float c) {
  const double product = double{a} * double{b};
  const double sum = product + c;
  // What the sum has lost (Knuth's two-sum).
  const double part = sum - product;
  const double lost = (product - (sum - part)) + (c - part);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  const bool is_even = (bits & 1U) == 0;
  const bool grows = (lost > 0) == (sum > 0);
  const bool exact = lost == 0 || lost != lost;
  bits += exact || !is_even ? 0 : grows ? std::uint64_t{1} : ~std::uint64_t{0};
  return odd_float(std::bit_cast<double>(bits));
}

}  // namespace gpusim::exec::GPUSIM_LANES
