// SPDX-License-Identifier: MIT
// How texts name a static instruction, and where it stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sim/model/isa/instr_text.h"
#include "sim/model/stats/pc_profile.h"

namespace gpusim::report {

/// Unrolled copies share a line; instructions of unknown line stay apart. Sorts in code order.
using LineKey = std::pair<std::uint32_t, std::uint64_t>;
[[nodiscard]] LineKey line_key(const isa::InstrText& instr);

/// "24", for a column of lines; "0x0030", its program counter, where no line is known.
[[nodiscard]] std::string line_cell(const isa::InstrText& instr);

/// "line 24", for a sentence; `before_pc` and the program counter where no line is known.
[[nodiscard]] std::string place_text(const isa::InstrText& instr, std::string_view before_pc = "");

/// Printable, and cut: recorded opcodes may be of any length and hold anything.
[[nodiscard]] std::string opcode_text(const isa::InstrText& instr);

/// The whole instruction, or its opcode where no more is known. Printable, of any length.
[[nodiscard]] std::string instruction_text(const isa::InstrText& instr);

/// Lane slots in which an instruction of this opcode did nothing: off the path, or with their guard false. Without
/// those of branches, most of which have no lane that takes them.
[[nodiscard]] std::uint64_t idle_lane_slots(const stats::PcCounters& counts, std::string_view opcode);

}  // namespace gpusim::report
