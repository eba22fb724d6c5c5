// SPDX-License-Identifier: MIT
#include "sim/output/view/instruction.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/base/types.h"

namespace gpusim::report {
namespace {

std::string pc_text(const isa::InstrText& instr) {
  return fmt::format("{:#06x}", instr.pc);
}

}  // namespace

LineKey line_key(const isa::InstrText& instr) {
  return {instr.line, instr.line == 0 ? instr.pc : 0};
}

std::string line_cell(const isa::InstrText& instr) {
  return instr.line == 0 ? pc_text(instr) : std::to_string(instr.line);
}

std::string place_text(const isa::InstrText& instr, std::string_view before_pc) {
  return instr.line == 0 ? std::string(before_pc) + pc_text(instr) : "line " + std::to_string(instr.line);
}

std::string opcode_text(const isa::InstrText& instr) {
  constexpr std::size_t kLongest = 40;
  return clipped(printable(instr.opcode), kLongest);
}

std::string instruction_text(const isa::InstrText& instr) {
  return printable(instr.text.empty() ? instr.opcode : instr.text);
}

std::uint64_t idle_lane_slots(const stats::PcCounters& counts, std::string_view opcode) {
  const std::uint64_t used = opcode.starts_with("BRA") ? counts.active_lanes : counts.thread_instructions;
  const std::uint64_t all = counts.warp_instructions * kWarpLanes;
  return all - std::min(all, used);
}

}  // namespace gpusim::report
