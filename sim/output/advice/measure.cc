// SPDX-License-Identifier: MIT
#include "sim/output/advice/measure.h"

#include <algorithm>

#include "sim/output/view/instruction.h"

namespace gpusim::advice {

double share_pct(const report::KernelView& view, std::initializer_list<stats::Stall> states) {
  double share = 0;
  for (const report::StateRow& row : view.states) {
    share += std::ranges::find(states, row.state) != states.end() ? row.share_pct : 0;
  }
  return share;
}

double latency_pct(const report::KernelView& view) {
  using enum stats::Stall;
  return view.states.empty() ? 0
                             : 100 - share_pct(view, {kSelected, kNotSelected, kLgThrottle, kTexThrottle, kMioThrottle,
                                                      kMathPipeThrottle});
}

double unit_pct(const report::KernelView& view, stats::Bound unit) {
  const auto row = std::ranges::find(view.units, unit, &report::UnitRow::bound);
  return row == view.units.end() ? 0 : row->pct;
}

double busiest_pct_without(const report::KernelView& view, std::initializer_list<stats::Bound> left_out) {
  double most = 0;
  for (const report::UnitRow& row : view.units) {
    most = std::ranges::find(left_out, row.bound) == left_out.end() ? std::max(most, row.deciding_pct) : most;
  }
  return most;
}

double room_pct(const report::KernelView& view) {
  return std::max(0.0, 100 - busiest_pct_without(view, {}));
}

double above_others_pct(const report::KernelView& view, double pct, std::initializer_list<stats::Bound> left_out) {
  return std::max(0.0, std::min(pct, 100.0) - busiest_pct_without(view, left_out));
}

bool begins_with(std::string_view opcode, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [opcode](std::string_view prefix) { return opcode.starts_with(prefix); });
}

std::string place_of(const report::KernelView& view, std::uint32_t index) {
  const stats::PcResult& pc = view.instructions[index];
  return report::opcode_text(pc) + " at " + report::place_text(pc);
}

std::string most_at(const report::KernelView& view, std::optional<std::uint32_t> index) {
  return index ? "; most of it: " + place_of(view, *index) : "";
}

}  // namespace gpusim::advice
