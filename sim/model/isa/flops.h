// SPDX-License-Identifier: MIT
// The floating-point operations of an instruction that are work: assemblers also use arithmetic to load constants.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/model/isa/instr.h"

namespace gpusim::isa {

/// "HFMA2.MMA R7, -RZ, RZ, 1.875, 0": a product of zeros that brings an immediate into a register, so that the move
/// takes the half-precision pipe and leaves the others free. (RZ is not a source: it is not a real register.)
[[nodiscard]] constexpr bool loads_constant(const Instr& instr) {
  constexpr std::uint32_t kFlopsOfFma = 4;  // an FMA of two halves
  constexpr std::uint8_t kFactors = 2;
  return instr.timing == TimingClass::kHalf && instr.flops == kFlopsOfFma && instr.destinations[0].is_real() &&
         std::none_of(instr.sources.begin(), instr.sources.end(),
                      [](const Operand& source) { return source.is_real() && source.slot < kFactors; });
}

/// As Instr::flops, without those of an instruction that loads a constant.
[[nodiscard]] constexpr std::uint32_t flops_of(const Instr& instr) {
  return loads_constant(instr) ? 0 : instr.flops;
}

}  // namespace gpusim::isa
