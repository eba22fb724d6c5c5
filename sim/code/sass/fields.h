// SPDX-License-Identifier: MIT
// Where the fields stand that all instructions have, and the places that a form decides: for decode() and encode().
// Positions: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (2018), section 2.1, and
// code/text pairs of CuAssembler.
#pragma once

#include "sim/code/sass/row.h"

namespace gpusim::sass {

inline constexpr BitRange kKeyBits{0, 12};
inline constexpr BitRange kUniformBit{91, 1};
inline constexpr BitRange kGuardBits{12, 3};
inline constexpr BitRange kGuardNegated{15, 1};
inline constexpr BitRange kStallBits{105, 4};
inline constexpr BitRange kYieldBit{109, 1};
inline constexpr BitRange kWriteBits{110, 3};
inline constexpr BitRange kReadBits{113, 3};
inline constexpr BitRange kWaitBits{116, 6};
inline constexpr BitRange kReuseBits{122, 4};
inline constexpr BitRange kBankBits{54, 5};
inline constexpr BitRange kTableLow{64, 3};
inline constexpr BitRange kTableHigh{72, 5};
/// LDGSTS: the uniform register in front of the descriptor.
inline constexpr BitRange kDescriptorBits{64, 6};
/// The lower bits of a branch's distance on sm_90, in words.
inline constexpr BitRange kNearBits{16, 8};
inline constexpr unsigned kWordBytes = 4;
inline constexpr BitRange kImmediateBits{32, 32};

/// Bits of a register's number: R 8, UR 6, P and UP 3.
[[nodiscard]] constexpr std::uint8_t register_bits(isa::RegFile file) {
  switch (file) {
    case isa::RegFile::kGeneral: return 8;
    case isa::RegFile::kUniform: return 6;
    default: return 3;
  }
}

/// What X is.
enum class XKind : std::uint8_t { kRegister, kImmediate, kConstant, kUniform };

[[nodiscard]] constexpr unsigned form_of(std::uint16_t key) {
  return (key >> 9U) & 7U;
}
[[nodiscard]] constexpr XKind x_kind(FormClass form_class, std::uint16_t key) {
  switch (form_of(key)) {
    case 2:
    case 4: return XKind::kImmediate;
    case 3:
    case 5: return XKind::kConstant;
    case 6:
    case 7: return XKind::kUniform;
    default: return form_class == FormClass::kUniformAlu ? XKind::kUniform : XKind::kRegister;
  }
}
/// Whether Y is the second source and X the third.
[[nodiscard]] constexpr bool is_swapped(std::uint16_t key) {
  const unsigned form = form_of(key);
  return form == 2 || form == 3 || form == 7;
}

/// The row of the field at place `i`: in the swapped forms X and Y change places, where a row has both.
[[nodiscard]] constexpr const OperandRow& field_at(const EncodingRow& row, std::uint16_t key, std::size_t i) {
  const auto& operands = row.operands;
  if (row.form == FormClass::kFixed || !is_swapped(key)) {
    return operands[i];
  }
  if (operands[i].slot == Slot::kX && i + 1 < operands.size() && operands[i + 1].slot == Slot::kY) {
    return operands[i + 1];
  }
  if (operands[i].slot == Slot::kY) {
    return operands[i - 1];
  }
  return operands[i];
}

/// Whether the instruction has the operand of this row.
[[nodiscard]] constexpr bool is_there(const OperandRow& row, const Code& code) {
  for (const Condition& condition : row.conditions) {
    if (condition.used && get_bit(code, condition.bit) != condition.value) {
      return false;
    }
  }
  return true;
}

/// Which of the sources that may be reused stands at place `i` of a row: 1, 2, 4 as in Control::reuse; 0 for others.
[[nodiscard]] constexpr std::uint8_t reuse_bit(const EncodingRow& row, std::size_t i) {
  const OperandRow& operand = row.operands[i];
  if (operand.slot == Slot::kY || operand.slot == Slot::kXorY) {
    return 4;
  }
  if (operand.slot == Slot::kX) {
    const bool has_y = i + 1 < row.operands.size() && row.operands[i + 1].slot == Slot::kY;
    // Additions have no second source but a third: their forms are 1, 2, 3 and 7.
    bool is_third = false;
    for (const std::uint16_t key : row.keys) {
      is_third = is_third || is_swapped(key);
    }
    return is_third && !has_y ? 4 : 2;
  }
  if (operand.never_reused || operand.slot != Slot::kRegister || operand.file != isa::RegFile::kGeneral) {
    return 0;
  }
  switch (operand.bits.at) {
    case 24: return 1;
    case 32: return 2;
    case 64: return 4;
    default: return 0;
  }
}

}  // namespace gpusim::sass
