// SPDX-License-Identifier: MIT
// One textual operand of SASS, parsed: private to this module (decode.h is its face).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "sim/model/isa/instr.h"

namespace gpusim::isa {

/// A register as written. `pair` and `single` say whether the text itself fixes the width ("R2.64", "R2.U32").
struct RegisterText {
  Operand operand;
  bool pair = false;
  bool single = false;
  bool descriptor = false;  ///< inside "desc[...]" or "cx[...]": a 64-bit descriptor
};

enum class OperandKind : std::uint8_t {
  kRegister,      ///< R4, UR4, P0, PR
  kMemory,        ///< [R2.64+0x10], desc[UR4][R2.64]
  kConstant,      ///< c[0x0][0x160], c[0x0][R4]
  kNumber,        ///< 0x10, 1.5, -INF
  kScoreboard,    ///< SB0
  kGroupCounter,  ///< gsb0: of WGMMA operations
  kName           ///< SR_TID.X, B0, a label
};

struct ParsedOperand {
  OperandKind kind = OperandKind::kName;
  std::array<RegisterText, 4> registers;
  std::uint8_t register_count = 0;
  std::uint64_t number = 0;  ///< kNumber (non-negative integers), kScoreboard
};

/// Where labels may stand.
enum class Labels : std::uint8_t { kRefused, kAccepted };

/// The parsed operand, or what is wrong with it.
[[nodiscard]] std::variant<ParsedOperand, std::string> parse_operand(std::string_view text, Labels labels);

}  // namespace gpusim::isa
