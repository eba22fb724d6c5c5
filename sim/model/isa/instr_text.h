// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace gpusim::isa {

/// Where an instruction came from, for reports. The program counter of index i is code_bytes_per_instr * i unless the
/// trace recorded one.
struct InstrText {
  std::string opcode;      ///< full name: "HMMA.16816.F32.BF16"
  std::string text;        ///< the line as written (or as expanded), without its source
  std::uint32_t line = 0;  ///< 1-based line of the trace file; 0 unknown
  std::uint64_t pc = 0;    ///< byte address in the kernel's code
};

}  // namespace gpusim::isa
