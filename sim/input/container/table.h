// SPDX-License-Identifier: MIT
// Tables by CTA and warp, coded as what the entries before let not expect: where values are sums of something of the
// CTA and something of the warp, that is zero almost everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpusim::container {

/// Where the entries of a table are in the grid.
struct TableShape {
  std::uint64_t first_cta = 0;  ///< linear
  std::uint32_t warps = 1;      ///< warps of a CTA
  std::uint32_t row = 1;        ///< CTAs in a row of the grid
};

/// Entry `at` as the entries before it let expect: exact for values that are affine in the warp and in the CTA's place.
[[nodiscard]] std::uint64_t expected(std::span<const std::uint64_t> table, std::size_t at, const TableShape& shape);

}  // namespace gpusim::container
