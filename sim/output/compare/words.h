// SPDX-License-Identifier: MIT
// Numbers and names as the comparison's sentences and tables write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusim::compare {

struct LineChange;

/// "41.20 us", "12.5 %", "1.23 MB", "64,512": short, and with few digits.
[[nodiscard]] std::string amount(double value, std::string_view unit);

/// From the first to the second: "no change", "+12.3 %", "2.50 x", "1/8.00", "new", "gone".
[[nodiscard]] std::string change_text(double first, double second);

/// "12.3 M fewer", "12.3 M more", of a signed number of cycles.
[[nodiscard]] std::string more_or_less(std::int64_t difference);
/// "-12.3 M", "no change".
[[nodiscard]] std::string signed_amount(std::int64_t difference);
[[nodiscard]] std::uint64_t magnitude(std::int64_t difference);

/// "line 41 (LDG.E.128)", or of an instruction of unknown line the program counter.
[[nodiscard]] std::string line_name(const LineChange& line);

}  // namespace gpusim::compare
