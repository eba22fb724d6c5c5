// SPDX-License-Identifier: MIT
#include "tools/silicon/host/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gpusim::silicon {

// Several sums at once, because one alone waits for its addition every time.
double dot(std::span<const float> a, std::span<const float> b) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= a.size(); i += sums.size()) {
    for (std::size_t j = 0; j < sums.size(); ++j) {
      sums[j] += static_cast<double>(a[i + j]) * static_cast<double>(b[i + j]);
    }
  }
  for (; i < a.size(); ++i) {
    sums[0] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

std::vector<double> attention_row(std::span<const float> q, std::span<const float> k, std::span<const float> v) {
  const std::size_t d = q.size();
  std::vector<double> result(d);
  double total = 0;
  for (std::size_t key = 0; key < k.size() / d; ++key) {
    const double weight = std::exp(dot(q, k.subspan(key * d, d)) / std::sqrt(static_cast<double>(d)));
    total += weight;
    for (std::size_t i = 0; i < d; ++i) {
      result[i] += weight * static_cast<double>(v[key * d + i]);
    }
  }
  for (double& value : result) {
    value /= total;
  }
  return result;
}

// Multiples of the golden ratio, modulo one, lie evenly and have no period.
std::vector<std::size_t> sample_below(std::size_t size, std::size_t count) {
  std::vector<std::size_t> indices(std::min(size, count));
  if (size <= count) {
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
  }
  constexpr double kGolden = 0.6180339887498949;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(i) * kGolden;
    indices[i] = static_cast<std::size_t>((place - std::floor(place)) * static_cast<double>(size));
  }
  return indices;
}

double Product::at(std::size_t row, std::size_t column) const {
  return factor * dot(std::span(a).subspan(row * k, k), std::span(b).subspan(column * k, k));
}

Comparison Product::check(const std::vector<float>& c, std::size_t samples, Tolerance tolerance) const {
  std::vector<std::size_t> looked_at = sample_below(m * n, samples);
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (std::isnan(c[i])) {
      looked_at.push_back(i);
    }
  }
  std::vector<double> got;
  std::vector<double> expected;
  for (const std::size_t i : looked_at) {
    got.push_back(static_cast<double>(c.at(i)));
    expected.push_back(std::isnan(c[i]) ? 0 : at(i / n, i % n));
  }
  return compare(got, expected, tolerance);
}

}  // namespace gpusim::silicon
