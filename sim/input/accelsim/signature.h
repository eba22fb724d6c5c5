// SPDX-License-Identifier: MIT
// The static part of an instruction line, made from an instruction: what export writes and what import compares with.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/model/isa/instr.h"

namespace gpusim::frontend::accelsim {

/// "R4", or "UR4" of a number from StaticPart::kUniform on.
[[nodiscard]] std::string register_name(std::uint16_t number);

/// "1 R4 LDG.E 1 R2": at most one destination and four sources, the base registers of those in general registers.
[[nodiscard]] std::string signature_of(std::string_view opcode, const isa::Instr& instr);
/// The same of registers that a line names.
[[nodiscard]] std::string signature_of(std::string_view opcode, std::span<const std::uint16_t> destinations,
                                       std::span<const std::uint16_t> sources);

/// Whether it is a bulk copy, whose line says what is transferred: UTMALDG and kin.
[[nodiscard]] bool is_transfer(std::string_view opcode);

/// Whether the address decides the memory space: LD, ST, ATOM.
[[nodiscard]] bool is_generic(std::string_view opcode);

}  // namespace gpusim::frontend::accelsim
