// SPDX-License-Identifier: MIT
// WGMMA operations by their names: "HGMMA.64x128x16.F32.BF16". Private to this module (decode.h is its face).
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "sim/model/isa/instr.h"

namespace gpusim::isa {

/// What the name alone decides.
struct WgmmaName {
  WgmmaForm wgmma;
  FlopClass flop_class = FlopClass::kNone;
  bool half_accumulators = false;  ///< FP16: two in a register
};

/// The parsed name of an HGMMA, QGMMA, IGMMA or BGMMA, or what is wrong with its shape.
[[nodiscard]] std::variant<WgmmaName, std::string> parse_wgmma(std::string_view opcode);

/// FLOPs of one of the four warps. Of a sparse one (half of A is there): those of half of K.
[[nodiscard]] std::uint32_t flops_per_warp(const WgmmaForm& form);

}  // namespace gpusim::isa
