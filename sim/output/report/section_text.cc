// SPDX-License-Identifier: MIT
#include "sim/output/report/section_text.h"

#include <fmt/format.h>

#include "sim/base/text.h"

namespace gpusim::report {

std::string decimal(double value, int digits) {
  return fmt::format("{:.{}f}", value, digits);
}

std::string amount(double value, std::string_view unit) {
  return value == 0 ? "0 " + std::string(unit) : with_si_prefix(value, unit);
}

std::string line_text(const isa::InstrText& name) {
  return line_cell(name) + " " + printable(name.opcode);
}

std::string sentence(std::string_view text, const TextOptions& options) {
  return layout::wrapped(text, layout::kIndent, options.width);
}

std::string marked(const std::string& text, bool is_problem, const TextOptions& options) {
  return is_problem ? layout::paint(text, layout::Style::kProblem, options) : text;
}

}  // namespace gpusim::report
