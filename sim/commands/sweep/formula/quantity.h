// SPDX-License-Identifier: MIT
// Values of architecture keys as numbers that can be compared and computed with, without knowing the key.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::sweep {

/// A unit that architecture files know.
struct UnitWord {
  std::string_view word;
  double scale;           ///< base units (bytes, hertz, nanoseconds, bytes a second, ...) in one
  std::string_view base;  ///< the same without its prefix: "B" of "KiB"; units of one base can be converted
};

/// The unit that `text` begins with, up to a character that no unit goes on with; null when there is none.
[[nodiscard]] const UnitWord* leading_unit(std::string_view text);

struct Quantity {
  double value = 0;                ///< in base units
  const UnitWord* unit = nullptr;  ///< as it was written; null for a plain number
};

/// "4190 GB/s", "50 MiB", "132", "6.25", "25/4"; nothing for any other text.
[[nodiscard]] std::optional<Quantity> parse_quantity(std::string_view text);

/// Writes the columns from `begin` up to `end` of a table with one unit each: "4100 ns" below "2.05 us" is "4.1 us". Of
/// the units that a column has, the one with the shortest texts is taken. Columns stay as they are where a cell is no
/// quantity with a unit. Empty cells stay empty.
void give_one_unit(std::vector<std::vector<std::string>>& rows, std::size_t begin, std::size_t end);

}  // namespace gpusim::sweep
