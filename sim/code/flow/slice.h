// SPDX-License-Identifier: MIT
// The part of a kernel's code that decides which instructions execute, for which lanes, at which addresses: a program
// slice. What the others calculate makes no difference to the time that the kernel takes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/code/sass/instruction.h"

namespace gpusim::flow {

struct Slice {
  /// By instruction: whether it belongs to the slice. Accesses do, with their addresses; what they move does not.
  std::vector<bool> contains;
  /// The first instruction whose value from memory decides: a branch, a lane or an address depends on it. Nothing where
  /// constants, the launch and the numbers of CTAs and threads decide alone.
  std::optional<std::uint32_t> decider;
};

/// Whether it may find tensor maps in memory, where kernels write them: it has instructions for that, or none among its
/// parameters.
[[nodiscard]] bool may_read_maps(std::span<const sass::Instruction> code, bool has_map_parameter);

/// A backward data-flow analysis: an instruction that writes a register belongs to the slice if some path leads from it
/// to a use that decides, on which nothing overwrites the register.
[[nodiscard]] Slice slice_of(std::span<const sass::Instruction> code);

}  // namespace gpusim::flow
