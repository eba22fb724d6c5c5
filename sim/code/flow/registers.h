// SPDX-License-Identifier: MIT
// The registers and predicates that an instruction reads and writes.
#pragma once

#include <bitset>
#include <cstddef>

#include "sim/code/sass/instruction.h"

namespace gpusim::flow {

/// R0 to R254, UR0 to UR62, P0 to P6 and UP0 to UP6, each with its last one (RZ, PT, ...), which is never a member.
inline constexpr std::size_t kPredicates = 8;
inline constexpr std::size_t kFirstUniformPlace = 256;
inline constexpr std::size_t kFirstPredicatePlace = kFirstUniformPlace + 64;
inline constexpr std::size_t kRegisterPlaces = kFirstPredicatePlace + 2 * kPredicates;
using RegisterSet = std::bitset<kRegisterPlaces>;

/// What an instruction asks of the values that it reads.
enum class Role : std::uint8_t {
  kValue,   ///< calculates what it writes into registers, and does nothing else
  kAccess,  ///< moves values between registers and memory; addresses and predicates say which
  kAct,     ///< everything else: control flow, barriers, copies by the TMA
};
[[nodiscard]] Role role_of(sass::Op op);

/// Whether what it writes into registers comes from memory that the kernel's threads and others change.
[[nodiscard]] bool reads_memory(sass::Op op);

/// A load from a constant bank at an address in a register: it may be beyond the end of the bank.
[[nodiscard]] bool reads_indexed_constant(const sass::Instruction& instruction);

[[nodiscard]] RegisterSet guard_of(const sass::Instruction& instruction);
/// Without the guard. For an access: its addresses and predicates, not the values that it moves.
[[nodiscard]] RegisterSet sources_of(const sass::Instruction& instruction);
[[nodiscard]] RegisterSet destinations_of(const sass::Instruction& instruction);

}  // namespace gpusim::flow
