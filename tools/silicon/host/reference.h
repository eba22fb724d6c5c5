// SPDX-License-Identifier: MIT
// What the larger kernels must compute, in double precision and as plainly as possible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tools/silicon/host/compare.h"

namespace gpusim::silicon {

[[nodiscard]] double dot(std::span<const float> a, std::span<const float> b);

/// softmax(q K^T / sqrt(d)) V for one row q of d elements; K and V have rows of d, one after another.
[[nodiscard]] std::vector<double> attention_row(std::span<const float> q, std::span<const float> k,
                                                std::span<const float> v);

/// `count` of the numbers below `size`, the same on every machine, spread over all; all of them when there are no more.
[[nodiscard]] std::vector<std::size_t> sample_below(std::size_t size, std::size_t count);

/// factor A B^T, with A m x k and B n x k row by row.
struct Product {
  std::size_t m = 0, n = 0, k = 0;
  std::vector<float> a, b;
  double factor = 1;

  [[nodiscard]] double at(std::size_t row, std::size_t column) const;
  /// C against `samples` of its elements (all, where it has no more), and every NaN in it.
  [[nodiscard]] Comparison check(const std::vector<float>& c, std::size_t samples, Tolerance tolerance) const;
};

}  // namespace gpusim::silicon
