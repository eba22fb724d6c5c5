// SPDX-License-Identifier: MIT
// From SASS text to an Instr, by one opcode table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/isa/instr.h"

namespace gpusim::isa {

/// Which of an opcode's textual operands are written; the others are read.
enum class Form : std::uint8_t {
  kNoDestination,  ///< stores, branches, barriers
  kRegister,       ///< one register with the predicates directly before and after it: "P0, R4, P1, R2, ..."
  kPredicates,     ///< the leading predicates, at most two: "P0, PT, R4, R5, PT"
  kAllButLast,     ///< VOTE: "R4, PT, P0"
};

/// Consecutive 32-bit registers of the destination and of the first three sources, for operands that are data. Memory
/// instructions take the width of the access instead.
struct Widths {
  std::uint8_t destination = 1;
  std::array<std::uint8_t, 3> sources{1, 1, 1};
};

/// A row of the opcode table: the first row whose base name equals the opcode's and whose modifiers occur among its
/// modifiers in this order wins; a base name without a row is unknown.
struct OpcodeRow {
  std::string_view base;       ///< "HMMA"
  std::string_view modifiers;  ///< "16816.F32"; "" matches all
  OpKind kind;
  TimingClass timing;  ///< kDefault: not modelled, kind and space only tell what it would be
  MemSpace space;
  FlopClass flop_class;
  std::uint32_t flops;  ///< a lane; tensor classes: a warp
  Form form;
  Widths widths;
  bool guess = false;               ///< no source says what class or which registers; the nearest kin was taken
  std::uint8_t least_operands = 0;  ///< that disassemblies show behind the opcode; 0: none, or not known
  bool generic = false;             ///< its address may be in global, local, or any shared memory of the cluster
};

/// B0 to B15, of each warp.
inline constexpr unsigned kConvergenceBarriers = 16;

/// The number of a convergence barrier as written ("B4"), beyond the last one too; nothing when it is something else.
[[nodiscard]] std::optional<unsigned> convergence_barrier_number(std::string_view operand);

/// The table, most specific rows first within a base name.
[[nodiscard]] std::span<const OpcodeRow> opcode_table();

/// A set of generations, for each of which NVIDIA lists the opcodes; Ampere is also Ada.
using Generations = std::uint8_t;
inline constexpr Generations kVolta = 1;
inline constexpr Generations kTuring = 2;
inline constexpr Generations kAmpere = 4;
inline constexpr Generations kHopper = 8;

/// Where an opcode, given by its base name, is listed; none for what only disassemblies show.
[[nodiscard]] Generations generations_of(std::string_view base);
/// The base names listed for one generation.
[[nodiscard]] std::vector<std::string_view> listed_opcodes(Generations generation);
/// "Volta, Turing"
[[nodiscard]] std::string to_text(Generations generations);

/// The row for a full opcode such as "LDG.E.128.CONSTANT"; null when the base name is unknown.
[[nodiscard]] const OpcodeRow* find_opcode(std::string_view opcode);

/// Nearest known base name to an unknown opcode; empty when none is near.
[[nodiscard]] std::string_view nearest_opcode(std::string_view opcode);

/// Everything a row and the modifiers decide: kind, timing, space, access width, FLOPs, matrices, bypass. An opcode
/// that is unknown or not modelled gives TimingClass::kDefault with known_opcode == false. Registers are left empty.
[[nodiscard]] Instr decode_opcode(std::string_view opcode);

/// Fills guard, destinations, sources, barrier and depbar fields of `instr` (as decode_opcode() left it) from the
/// texts between the commas of SASS, destinations first: "R4", "R4.reuse", "-R4", "|R4|", "~R4", "!P0", "UR4",
/// "[R2.64+UR4+0x10]", "desc[UR4][R2.64]", "c[0x0][0x160]", "SB0", "B0", "SR_TID.X", immediates and (branches) labels;
/// the last five carry no register and are only checked. `guard` is "", "P0", "@P0", "@!UP0". Register widths come from
/// the opcode table (.64, .128, WIDE, matrix fragments, 64-bit addresses). Registers that read as zero or true (RZ,
/// URZ, PT, UPT) are left out. Returns an error message that names the offending operand, or nothing.
[[nodiscard]] std::optional<std::string> assign_operands(std::string_view opcode, std::string_view guard,
                                                         std::span<const std::string_view> operands, Instr& instr);

/// As above for formats that name only base registers in the order of SASS (Accel-Sim: no predicates, uniform
/// registers, immediates or constants). Numbers above 255 and operands beyond the arrays' capacity are ignored. Where
/// the position of a register is not certain (an IMAD.WIDE whose second or third source is a constant), the wider
/// reading wins.
void assign_registers(std::string_view opcode, std::span<const std::uint16_t> destinations,
                      std::span<const std::uint16_t> sources, Instr& instr);

/// "[B--2---:R0:W3:Y:S04]" both ways. parse returns nothing when the text is malformed.
[[nodiscard]] std::optional<ControlBits> parse_control_bits(std::string_view text);
[[nodiscard]] std::string to_text(const ControlBits& control);

}  // namespace gpusim::isa
