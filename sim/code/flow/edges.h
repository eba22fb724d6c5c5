// SPDX-License-Identifier: MIT
// Which instruction of a kernel's machine code may follow which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/code/sass/instruction.h"

namespace gpusim::flow {

/// Where a kernel ends: no instruction.
inline constexpr std::uint32_t kEnd = ~std::uint32_t{0};

struct Edge {
  std::uint32_t from = 0;  ///< index of an instruction
  std::uint32_t to = 0;    ///< kEnd: the thread exits, or runs off the code's end
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

/// Ascending, each once. A return leads behind every call. An instruction that leads_anywhere() has the edge to the one
/// behind it alone, if any.
[[nodiscard]] std::vector<Edge> edges_of(std::span<const sass::Instruction> code);

/// Where it branches to is in its registers.
[[nodiscard]] bool leads_anywhere(sass::Op op);

}  // namespace gpusim::flow
