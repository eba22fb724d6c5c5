// SPDX-License-Identifier: MIT
// Checks of the operands that an instruction of a trace names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::frontend {

/// "FFMA takes at least 4 operands, and has 2"; empty when there are enough, or the table of opcodes does not say.
[[nodiscard]] std::string too_few_operands(const std::string& opcode, std::size_t operands);

/// How many registers a thread needs for the registers that the code names, and the line that names the last of them.
struct RegisterNeed {
  std::uint32_t registers = 0;
  std::uint32_t line = 0;  ///< line of the first instruction that names the last register
};
[[nodiscard]] RegisterNeed registers_needed(const trace::Kernel& kernel);

/// Whether the kernel changes the registers of its warps while it runs (USETMAXREG).
[[nodiscard]] bool moves_registers(const trace::Kernel& kernel);

}  // namespace gpusim::frontend
