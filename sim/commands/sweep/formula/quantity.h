// SPDX-License-Identifier: MIT
// Values of architecture keys as numbers that can be compared and computed with, without knowing the key.
#pragma once

#include <optional>
#include <string_view>

namespace gpusim::sweep {

/// A unit that architecture files know.
struct UnitWord {
  std::string_view word;
  double scale;  ///< base units (bytes, hertz, nanoseconds, bytes a second, ...) in one
};

/// The unit that `text` begins with, up to a character that no unit goes on with; null when there is none.
[[nodiscard]] const UnitWord* leading_unit(std::string_view text);

struct Quantity {
  double value = 0;                ///< in base units
  const UnitWord* unit = nullptr;  ///< as it was written; null for a plain number
};

/// "4190 GB/s", "50 MiB", "132", "6.25", "25/4"; nothing for any other text.
[[nodiscard]] std::optional<Quantity> parse_quantity(std::string_view text);

}  // namespace gpusim::sweep
