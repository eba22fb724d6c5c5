// SPDX-License-Identifier: MIT
// From SASS text to an Instr, by one opcode table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/isa/instr.h"

namespace gpusim::isa {

/// A row of the opcode table: the first row whose base name equals the opcode's and whose modifiers all occur in it
/// wins; a base name without a row is unknown.
struct OpcodeRow {
  std::string_view base;       ///< "HMMA"
  std::string_view modifiers;  ///< "16816.F32": each must occur among the opcode's; "" matches all
  OpKind kind;
  TimingClass timing;
  MemSpace space;
  FlopClass flop_class;
  std::uint32_t flops;
  std::string_view what;  ///< one line for the generated documentation
};

/// The table, most specific rows first within a base name.
[[nodiscard]] std::span<const OpcodeRow> opcode_table();

/// The row for a full opcode such as "LDG.E.128.CONSTANT"; null when the base name is unknown.
[[nodiscard]] const OpcodeRow* find_opcode(std::string_view opcode);

/// Nearest known base name to an unknown opcode; empty when none is near.
[[nodiscard]] std::string_view nearest_opcode(std::string_view opcode);

/// Everything a row and the modifiers decide: kind, timing, space, access width, FLOPs, matrices, bypass. An unknown
/// opcode gives TimingClass::kDefault with known_opcode == false. Registers are left empty.
[[nodiscard]] Instr decode_opcode(std::string_view opcode);

/// A textual operand of SASS: "R4", "R4.reuse", "-R4", "|R4|", "[R2.64+0x10]", "desc[UR4][R2.64]", "UR4", "P0", "!P0",
/// "SB0", "c[0x0][0x160]", "0x10", "1.5", "SR_TID.X", "B0", a label. `width` (registers) is filled in by
/// assign_operands().
struct OperandText {
  std::string_view text;
};

/// Fills guard, destinations, sources, barrier and depbar fields of `instr` from the comma-separated operand texts, in
/// SASS order (destinations first), with register widths from the opcode table (.64, .128, WIDE, matrix fragments,
/// 64-bit addresses). Returns an error message, or nothing. Labels and constants are accepted and ignored.
[[nodiscard]] std::optional<std::string> assign_operands(std::string_view opcode, std::string_view guard,
                                                         std::span<const std::string_view> operands, Instr& instr);

/// As above for formats that name only base registers (Accel-Sim): register numbers of destinations and sources.
void assign_registers(std::string_view opcode, std::span<const std::uint16_t> destinations,
                      std::span<const std::uint16_t> sources, Instr& instr);

/// "[B--2---:R0:W3:Y:S04]" both ways. parse returns nothing when the text is malformed.
[[nodiscard]] std::optional<ControlBits> parse_control_bits(std::string_view text);
[[nodiscard]] std::string to_text(const ControlBits& control);

}  // namespace gpusim::isa
