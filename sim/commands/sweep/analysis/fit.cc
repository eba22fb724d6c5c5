// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace gpusim::sweep {
namespace {

using Column = std::vector<double>;

/// The column without the mean of each block.
Column centred(std::span<const double> column, std::span<const std::size_t> blocks) {
  const auto block_of = [blocks](std::size_t i) { return blocks.empty() ? 0 : blocks[i]; };
  std::map<std::size_t, std::pair<double, double>> sums;
  for (std::size_t i = 0; i < column.size(); ++i) {
    auto& [sum, count] = sums[block_of(i)];
    sum += column[i];
    count += 1;
  }
  Column out(column.begin(), column.end());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto& [sum, count] = sums[block_of(i)];
    out[i] -= sum / count;
  }
  return out;
}

double dot(const Column& a, const Column& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/// All products of two columns.
using Products = std::vector<Column>;

Products products_of(const std::vector<Column>& columns) {
  Products all(columns.size(), Column(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      all[i][j] = all[j][i] = dot(columns[i], columns[j]);
    }
  }
  return all;
}

/// The products of what is left of every column after its best combination of the first columns, all of `count` but
/// `kept` (a step of Gauss's elimination for each). One that those before it explain already is passed over.
void eliminate(Products& products, std::size_t count, std::size_t kept) {
  constexpr double kExplained = 1e-12;
  const Products before = products;
  for (std::size_t pivot = 0; pivot < count; ++pivot) {
    if (pivot == kept || products[pivot][pivot] <= kExplained * before[pivot][pivot]) {
      continue;
    }
    const Column row = products[pivot];
    for (std::size_t i = 0; i < products.size(); ++i) {
      const double share = products[i][pivot] / row[pivot];
      for (std::size_t j = 0; j < row.size() && share != 0; ++j) {
        products[i][j] -= share * row[j];
      }
    }
  }
}

std::size_t distinct(std::span<const std::size_t> blocks) {
  std::vector<std::size_t> sorted(blocks.begin(), blocks.end());
  std::ranges::sort(sorted);
  return blocks.empty() ? 1 : static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

}  // namespace

Fit fit_least_squares(std::span<const std::vector<double>> columns, std::span<const double> y,
                      std::span<const std::size_t> blocks) {
  /// A column that others explain but for this share of its length says nothing of its own.
  constexpr double kTold = 1e-3;
  std::vector<Column> all;
  std::ranges::transform(columns, std::back_inserter(all), [&](const Column& c) { return centred(c, blocks); });
  all.push_back(centred(y, blocks));
  const Products products = products_of(all);
  const std::size_t target = columns.size();
  Products left = products;
  eliminate(left, target, target);
  const double unexplained = std::max(left[target][target], 0.0);
  const std::size_t unknowns = columns.size() + distinct(blocks);
  Fit fit;
  fit.residual = y.empty() ? 0 : std::sqrt(unexplained / static_cast<double>(y.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    left = products;
    eliminate(left, target, c);
    const double own = left[c][c];
    if (own <= kTold * kTold * products[c][c] || own <= 0) {
      fit.coefficients.emplace_back();
      continue;
    }
    Coefficient coefficient{left[c][target] / own, std::nullopt};
    if (y.size() > unknowns) {
      coefficient.error = std::sqrt(unexplained / static_cast<double>(y.size() - unknowns) / own);
    }
    fit.coefficients.emplace_back(coefficient);
  }
  return fit;
}

}  // namespace gpusim::sweep
