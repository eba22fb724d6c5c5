// SPDX-License-Identifier: MIT
#include "sim/output/view/instruction.h"

#include <catch2/catch.hpp>

using namespace gpusim;
using namespace gpusim::report;

namespace {

isa::InstrText instr_of(std::uint32_t line, std::uint64_t pc) {
  return {"LDG.E", "LDG.E R2, [R4]", line, pc};
}

}  // namespace

TEST_CASE("an instruction goes by its line, and where no line is known by its program counter") {
  CHECK(line_cell(instr_of(24, 0x30)) == "24");
  CHECK(place_text(instr_of(24, 0x30), "pc ") == "line 24");
  CHECK(line_cell(instr_of(0, 0x30)) == "0x0030");
  CHECK(place_text(instr_of(0, 0x30)) == "0x0030");
  CHECK(place_text(instr_of(0, 0x30), "pc ") == "pc 0x0030");
}

TEST_CASE("copies of a line have one key, instructions of unknown line one each") {
  CHECK(line_key(instr_of(24, 0x30)) == line_key(instr_of(24, 0x40)));
  CHECK(line_key(instr_of(0, 0x30)) != line_key(instr_of(0, 0x40)));
}

TEST_CASE("an instruction without its text goes by its opcode") {
  isa::InstrText instr = instr_of(24, 0x30);
  CHECK(instruction_text(instr) == "LDG.E R2, [R4]");
  instr.text.clear();
  CHECK(instruction_text(instr) == "LDG.E");
}

TEST_CASE("an opcode is cut to 40 characters, and what cannot be printed becomes a question mark") {
  isa::InstrText instr = instr_of(24, 0x30);
  instr.opcode = "A\tB" + std::string(60, 'X');
  CHECK(opcode_text(instr) == "A?B" + std::string(34, 'X') + "...");
}

TEST_CASE("lanes idle off the path or behind a false guard, those of branches off the path alone") {
  stats::PcCounters counts;
  counts.warp_instructions = 2;
  counts.active_lanes = 48;
  counts.thread_instructions = 10;
  CHECK(idle_lane_slots(counts, "FFMA") == 54);
  CHECK(idle_lane_slots(counts, "BRA") == 16);
}
