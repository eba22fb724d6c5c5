// SPDX-License-Identifier: MIT
// How numbers, keys and points are written in reports and on plots.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/sweep/analysis/analysis.h"

namespace gpusim::sweep {

/// Four significant digits; large numbers whole, with separators: "0.01234", "123.4", "1,234,567".
[[nodiscard]] std::string number_text(double value);

/// "4,190 GB/s": a value of a dimension in the unit that its first level is written in.
[[nodiscard]] std::string in_unit_of(const Dimension& dimension, double value);

/// Base units in the unit of a dimension's first level, and that unit's word ("" for plain numbers).
[[nodiscard]] double scale_of(const Dimension& dimension);
[[nodiscard]] std::string unit_word(const Dimension& dimension);

/// "dram.bandwidth [GB/s]"; "time_us" and "sm.count" as they are.
[[nodiscard]] std::string with_unit(const std::string& name, const std::string& unit);

/// Keys that have two values or more among the rows, in their order.
[[nodiscard]] std::vector<std::string> varying_keys(const Analysis& analysis);

/// The row's text of a key; "-" where it has none.
[[nodiscard]] std::string text_or_dash(const PointRow& row, const std::string& key);

/// Whether values lie so far apart that a logarithmic axis, which has no zero, shows them better.
[[nodiscard]] bool is_wide(double low, double high);

/// At most `most` (at least 2) of `count` indices, evenly, the ends included.
[[nodiscard]] std::vector<std::size_t> spread_over(std::size_t count, std::size_t most);

/// "flashattn on h100".
[[nodiscard]] std::string name_of(const Group& group);

}  // namespace gpusim::sweep
