// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/code/sass/decode.h"
#include "sim/code/sass/fields.h"

namespace gpusim::sass {
namespace {

using isa::RegFile;

/// Writes the operands of one instruction into its code.
class OperandWriter {
 public:
  OperandWriter(Code& code, const Instruction& instruction) : code_(code), instruction_(instruction) {}

  void write(const OperandRow& row, const Operand& operand) {
    switch (row.slot) {
      case Slot::kRegister:
      case Slot::kY: write_register(row, row.bits, operand); break;
      case Slot::kX: write_x(row, operand); break;
      case Slot::kXorY: write_x_or_y(row, operand); break;
      case Slot::kConstant: write_constant(row, operand); break;
      case Slot::kMemory: write_memory(row, operand); break;
      default: write_number(row, operand); break;
    }
  }

 private:
  void put(BitRange range, std::uint64_t value) { set_bits(code_, range, value); }
  void put_bit(std::uint8_t at, bool value) {
    if (at != kNoBit) {
      put({at, 1}, value ? 1 : 0);
    }
  }

  void write_signs(const OperandRow& row, const Operand& operand) {
    put_bit(row.negate, operand.negated || (operand.inverted && row.invert == kNoBit));
    put_bit(row.invert, operand.inverted);
    put_bit(row.magnitude, operand.absolute);
  }

  void write_part(const OperandRow& row, const Operand& operand) {
    switch (row.part) {
      case PartKind::kNone: break;
      case PartKind::kSwizzle:
        put({row.part_at, 2}, static_cast<unsigned>(operand.part) - static_cast<unsigned>(Part::kHalves));
        break;
      case PartKind::kByte:
        if (operand.part == Part::kLow || operand.part == Part::kHigh) {
          put_bit(row.part_at, operand.part == Part::kHigh);
          break;
        }
        put({row.part_at, 2}, static_cast<unsigned>(operand.part) - static_cast<unsigned>(Part::kByte0));
        break;
      case PartKind::kHalf: put_bit(row.part_at, operand.part == Part::kHigh); break;
      case PartKind::kLayout: put_bit(row.part_at, operand.part == Part::kColumn); break;
    }
  }

  void write_register(const OperandRow& row, BitRange range, const Operand& operand) {
    put(range, row.complement ? static_cast<unsigned>(isa::kPT - operand.index) : operand.index);
    put_bit(row.uniform_if, operand.file == RegFile::kUniformPredicate);
    put_bit(row.own_reuse, operand.reuse);
    write_signs(row, operand);
    write_part(row, operand);
  }

  void write_x(const OperandRow& row, const Operand& operand) {
    switch (x_kind(instruction_.row->form, instruction_.key)) {
      case XKind::kRegister: write_register(row, row.bits, operand); break;
      case XKind::kUniform: write_register(row, {row.bits.at, 6}, operand); break;
      case XKind::kImmediate: put(kImmediateBits, static_cast<std::uint64_t>(operand.value)); break;
      case XKind::kConstant:
        write_constant(row, operand);
        write_signs(row, operand);
        write_part(row, operand);
        break;
    }
  }

  void write_x_or_y(const OperandRow& row, const Operand& operand) {
    if (x_kind(instruction_.row->form, instruction_.key) != XKind::kRegister) {
      write_x(row, operand);
      return;
    }
    OperandRow as_y = row;
    as_y.negate = row.negate_y;
    as_y.magnitude = row.magnitude_y;
    write_register(as_y, {64, 8}, operand);
  }

  void write_constant(const OperandRow& row, const Operand& operand) {
    put(kBankBits, operand.bank);
    put({38, 16}, static_cast<std::uint64_t>(operand.value));
    if (row.slot == Slot::kConstant && row.file != RegFile::kNone) {
      put({row.base, register_bits(row.file)}, operand.index);
    }
  }

  void write_memory(const OperandRow& row, const Operand& operand) {
    put({row.base, register_bits(row.file)}, operand.index);
    put(row.bits, static_cast<std::uint64_t>(operand.value));
    put_bit(row.next_descriptor_if, operand.descriptor);
    if (operand.has_uniform && row.uniform_at != kNoBit) {
      put({row.uniform_at, 6}, operand.uniform);
      put_bit(row.descriptor_if, operand.descriptor);
      put_bit(row.typed_wide_if, operand.width == 2);
    }
    if (row.scale_at != kNoBit) {
      constexpr std::uint8_t kScales[] = {1, 4, 8, 16};
      put({row.scale_at, 2},
          static_cast<std::uint64_t>(std::find(std::begin(kScales), std::end(kScales), operand.scale) - kScales));
    }
  }

  void write_number(const OperandRow& row, const Operand& operand) {
    const auto value = static_cast<std::uint64_t>(operand.value);
    switch (row.slot) {
      case Slot::kImmediate: put(row.bits, static_cast<std::uint64_t>(operand.value / row.factor)); break;
      case Slot::kTable:
        put(kTableLow, value);
        put(kTableHigh, value >> kTableLow.width);
        break;
      case Slot::kRelative:
      case Slot::kRelativeWide:
      case Slot::kOffset: write_target(row, operand); break;
      case Slot::kSpecial:
      case Slot::kScoreboards: put(row.bits, value); break;
      case Slot::kPredicates: break;
      default: put(row.bits, operand.index); break;
    }
  }

  void write_target(const OperandRow& row, const Operand& operand) {
    std::int64_t words = operand.value / kWordBytes;
    if (row.slot != Slot::kRelative && instruction_.generation == Generation::kSm90) {
      put(kNearBits, static_cast<std::uint64_t>(words));
      words >>= kNearBits.width;
    }
    put(row.bits, static_cast<std::uint64_t>(words));
  }

  Code& code_;
  const Instruction& instruction_;
};

void write_control(Code& code, const Control& control) {
  set_bits(code, kStallBits, control.stall);
  set_bits(code, kYieldBit, control.yield ? 0 : 1);
  set_bits(code, kWriteBits, control.write_barrier);
  set_bits(code, kReadBits, control.read_barrier);
  set_bits(code, kWaitBits, control.wait_mask);
  set_bits(code, kReuseBits, control.reuse);
}

}  // namespace

Code encode(const Instruction& instruction) {
  Code code;
  set_bits(code, kKeyBits, instruction.key);
  set_bits(code, kUniformBit, (instruction.key & kUniformKey) != 0 ? 1 : 0);
  set_bits(code, kGuardBits, instruction.guard.index);
  set_bits(code, kGuardNegated, instruction.guard.negated ? 1 : 0);
  write_control(code, instruction.control);
  if (const EncodingRow* row = instruction.row) {
    for (std::size_t i = 0; i < row->modifiers.size(); ++i) {
      unsigned value = instruction.modifiers[i];
      for (const BitRange& range : row->modifiers[i].ranges) {
        set_bits(code, range, value);
        value >>= range.width;
      }
    }
    OperandWriter writer(code, instruction);
    for (std::size_t i = 0; i < row->operands.size(); ++i) {
      if (instruction.operands[i].kind != OperandKind::kNone) {
        writer.write(field_at(*row, instruction.key, i), instruction.operands[i]);
      }
    }
  }
  return {code.low ^ instruction.rest.low, code.high ^ instruction.rest.high};
}

}  // namespace gpusim::sass
