// SPDX-License-Identifier: MIT
// Least squares with what it does not know: the error of each coefficient, and which of them cannot be told apart.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace gpusim::sweep {

struct Coefficient {
  double value = 0;
  std::optional<double> error;  ///< standard error; nothing without more points than unknowns
};

struct Fit {
  /// By column; nothing where the column is a constant, or a sum of multiples of others.
  std::vector<std::optional<Coefficient>> coefficients;
  double residual = 0;  ///< root mean square of what is left
};

/// y = constant + sum of coefficient x column; all columns are as long as y. With `blocks`, each of its numbers has a
/// constant of its own: points of one block are only compared with each other.
[[nodiscard]] Fit fit_least_squares(std::span<const std::vector<double>> columns, std::span<const double> y,
                                    std::span<const std::size_t> blocks = {});

}  // namespace gpusim::sweep
