// SPDX-License-Identifier: MIT
#include "sim/output/compare/words.h"

#include <cmath>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/compare/comparison.h"
#include "sim/output/view/instruction.h"
#include "sim/output/view/line_counts.h"

namespace gpusim::compare {

std::string amount(double value, std::string_view unit) {
  constexpr double kLongest = 1e7;  // what has more digits gets a prefix
  if (unit == "bytes" || unit == "bytes/s") {
    return value == 0 ? "0 B" : with_si_prefix(value, unit == "bytes" ? "B" : "B/s");
  }
  if (unit == "%") {
    return fmt::format("{:.1f} %", value);
  }
  const std::string behind = unit.empty() ? "" : " " + std::string(unit);
  if (std::abs(value) >= kLongest) {
    return with_si_prefix(value, unit);
  }
  if (value >= 0 && value == std::floor(value)) {
    return with_thousands(static_cast<std::uint64_t>(value)) + behind;
  }
  return fmt::format("{:.2f}", value) + behind;
}

std::string change_text(double first, double second) {
  if (first == second) {
    return "no change";
  }
  if (!(first > 0) || !(second > 0)) {
    return first == 0 ? "new" : second == 0 ? "gone" : "changed";
  }
  const double ratio = second / first;
  if (ratio >= 2) {
    return ratio < 1e4 ? fmt::format("{:.2f} x", ratio) : fmt::format("{:.2e} x", ratio);
  }
  if (ratio <= 0.5) {
    return ratio > 1e-4 ? fmt::format("1/{:.2f}", 1 / ratio) : fmt::format("1/{:.2e}", 1 / ratio);
  }
  return fmt::format("{:+.2f} %", 100 * (ratio - 1));
}

std::uint64_t magnitude(std::int64_t difference) {
  return difference < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(difference)
                        : static_cast<std::uint64_t>(difference);
}

std::string more_or_less(std::int64_t difference) {
  return with_si_prefix(static_cast<double>(magnitude(difference)), "") + (difference < 0 ? " fewer" : " more");
}

std::string signed_amount(std::int64_t difference) {
  if (difference == 0) {
    return "no change";
  }
  return (difference < 0 ? "-" : "+") + with_si_prefix(static_cast<double>(magnitude(difference)), "");
}

std::string line_name(const LineChange& line) {
  const report::LineCounts& sum = line.second ? *line.second : *line.first;
  return fmt::format("{} ({})", report::place_text(sum), clipped(printable(sum.opcode), 24));
}

}  // namespace gpusim::compare
