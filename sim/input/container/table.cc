// SPDX-License-Identifier: MIT
#include "sim/input/container/table.h"

namespace gpusim::container {
namespace {

/// The first warp of CTA number `cta`, from those of the CTAs before it and of the row before.
std::uint64_t expected_first(std::span<const std::uint64_t> table, std::size_t cta, const TableShape& shape) {
  const auto value = [&](std::size_t back) { return table[(cta - back) * shape.warps]; };
  const std::uint64_t row = shape.row;
  const std::uint64_t x = (shape.first_cta + cta) % row;
  if (cta == 0) {
    return 0;
  }
  if (x != 0 && cta > row) {
    return value(1) + value(row) - value(row + 1);
  }
  if (x == 0 && cta >= row) {
    return cta >= 2 * row ? 2 * value(row) - value(2 * row) : value(row);
  }
  return x >= 2 && cta >= 2 ? 2 * value(1) - value(2) : value(1);
}

}  // namespace

std::uint64_t expected(std::span<const std::uint64_t> table, std::size_t at, const TableShape& shape) {
  const std::size_t cta = at / shape.warps;
  const std::size_t warp = at % shape.warps;
  if (warp == 0) {
    return expected_first(table, cta, shape);
  }
  if (cta != 0) {
    return table[at - 1] + table[at - shape.warps] - table[at - shape.warps - 1];
  }
  return warp >= 2 ? 2 * table[at - 1] - table[at - 2] : table[at - 1];
}

}  // namespace gpusim::container
