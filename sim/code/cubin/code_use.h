// SPDX-License-Identifier: MIT
// What code uses, as far as its instructions tell: for listings, which say less than a cubin.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/code/cubin/module.h"
#include "sim/code/sass/instruction.h"

namespace gpusim::cubin {

struct CodeUse {
  std::uint32_t registers = 0;    ///< a thread: the highest that is named, and those below
  std::uint32_t barriers = 0;     ///< named ones of a CTA
  std::uint32_t frame_bytes = 0;  ///< local memory that the function takes from its stack
  bool shared_memory = false;
  bool exits = false;
  bool returns = false;
  bool changes_registers = false;  ///< setmaxnreg
};

/// Nothing of code that is not decoded.
[[nodiscard]] CodeUse use_of(const Function& function, std::optional<sass::Generation> generation);

/// What the code reads of constant bank 0 from Function::parameter_base on, ascending and each once. Reads at an index
/// in a register are left out.
[[nodiscard]] std::vector<ParameterRead> parameter_reads(const Function& function,
                                                         std::optional<sass::Generation> generation);

}  // namespace gpusim::cubin
