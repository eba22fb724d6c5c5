// SPDX-License-Identifier: MIT
// Instructions as text, in the style of NVIDIA's disassemblers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/code/sass/instruction.h"
#include "sim/model/isa/decode.h"

namespace gpusim::sass {

/// "IMAD.WIDE.U32": the name and all modifiers. Of an unknown encoding its key: "UNKNOWN_1F8C".
[[nodiscard]] std::string opcode_text(const Instruction& instruction);

/// "@!P0" or "".
[[nodiscard]] std::string guard_text(const Guard& guard);

/// What the text of a branch names: the address is that of its target, in bytes from the function's begin.
using TargetName = std::function<std::string(std::int64_t address)>;

/// What stands between the commas. `address`: of the instruction. Without a name for targets, addresses stand there.
[[nodiscard]] std::vector<std::string> operand_texts(const Instruction& instruction, std::uint64_t address,
                                                     const TargetName& target = {});

/// "@!P0 IADD3 R0, R1, 0x1, RZ"; of an unknown encoding "UNKNOWN_1F8C 0x000fe200078e00ff 0x0000000000007f8c".
[[nodiscard]] std::string to_text(const Instruction& instruction, std::uint64_t address, const TargetName& target = {});

/// The control bits as ours, with the pattern of reuse left to the operands.
[[nodiscard]] isa::ControlBits control_bits(const Control& control);

/// What the timing model sees of it: the opcode table's row for the text, with registers and control bits. What that
/// table does not know, or reads otherwise, becomes an unknown opcode.
[[nodiscard]] isa::Instr to_isa(const Instruction& instruction);

/// "SR_TID.X" for 33; "SR_<number>" where no name is known.
[[nodiscard]] std::string special_register_name(std::int64_t number);

}  // namespace gpusim::sass
