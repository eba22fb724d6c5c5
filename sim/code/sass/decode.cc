// SPDX-License-Identifier: MIT
#include "sim/code/sass/decode.h"

#include "sim/code/sass/fields.h"
#include "sim/code/sass/widths.h"
#include "sim/model/isa/decode.h"

namespace gpusim::sass {
namespace {

using isa::RegFile;

/// Reads the operands of one instruction.
class OperandReader {
 public:
  OperandReader(const Code& code, const Instruction& instruction) : code_(code), instruction_(instruction) {}

  /// `reuse`: the operand's bit of Control::reuse.
  [[nodiscard]] Operand read(const OperandRow& row, std::uint8_t reuse) const {
    Operand operand;
    operand.written = row.written;
    operand.immediate = row.immediate;
    switch (row.slot) {
      case Slot::kRegister:
      case Slot::kY: read_register(row, row.bits, row.file, operand); break;
      case Slot::kX: read_x(row, operand); break;
      case Slot::kXorY: read_x_or_y(row, operand); break;
      case Slot::kConstant: read_constant(row, operand); break;
      case Slot::kMemory: read_memory(row, operand); break;
      default: read_number(row, operand); break;
    }
    operand.hidden = is_hidden(row, operand);
    operand.reuse =
        operand.is_register(RegFile::kGeneral) && ((instruction_.control.reuse & reuse) != 0 || bit(row.own_reuse));
    return operand;
  }

 private:
  [[nodiscard]] std::uint64_t bits(BitRange range) const { return get_bits(code_, range); }
  [[nodiscard]] bool bit(std::uint8_t at) const { return at != kNoBit && get_bit(code_, at); }
  [[nodiscard]] std::uint8_t byte(BitRange range) const { return static_cast<std::uint8_t>(bits(range)); }

  [[nodiscard]] bool is_hidden(const OperandRow& row, const Operand& operand) const {
    for (const HiddenWhen& when : row.hidden_when) {
      if (bit(when.set) && !bit(when.clear)) {
        return true;
      }
    }
    const std::int64_t value = operand.kind == OperandKind::kImmediate || operand.kind == OperandKind::kScoreboards
                                   ? operand.value
                                   : operand.index;
    return row.hidden_at != kNeverHidden && !operand.negated && value == row.hidden_at;
  }

  void read_signs(const OperandRow& row, Operand& operand) const {
    const bool sign = bit(row.negate);
    const bool inverts = bit(row.inverts_if);
    operand.negated = sign && !inverts;
    operand.inverted = (sign && inverts) || bit(row.invert);
    operand.absolute = bit(row.magnitude);
  }

  [[nodiscard]] bool reads_half() const {
    const auto type = static_cast<IntegerType>(instruction_.modifier(Mod::kFromInteger));
    return type == IntegerType::kU16 || type == IntegerType::kS16;
  }

  void read_part(const OperandRow& row, Operand& operand) const {
    constexpr Part kSwizzles[] = {Part::kHalves, Part::kFloat, Part::kLowTwice, Part::kHighTwice};
    constexpr Part kBytes[] = {Part::kByte0, Part::kByte1, Part::kByte2, Part::kByte3};
    switch (row.part) {
      case PartKind::kNone: break;
      case PartKind::kSwizzle: operand.part = kSwizzles[bits({row.part_at, 2})]; break;
      case PartKind::kByte:
        operand.part = reads_half() ? (bit(row.part_at) ? Part::kHigh : Part::kLow) : kBytes[bits({row.part_at, 2})];
        break;
      case PartKind::kHalf: operand.part = bit(row.part_at) ? Part::kHigh : Part::kLow; break;
      case PartKind::kLayout: operand.part = bit(row.part_at) ? Part::kColumn : Part::kRow; break;
    }
  }

  void read_register(const OperandRow& row, BitRange range, RegFile file, Operand& operand) const {
    operand.kind = OperandKind::kRegister;
    operand.file = file;
    operand.index = byte(range);
    if (row.complement) {
      operand.index = static_cast<std::uint8_t>(isa::kPT - operand.index);
    }
    if (bit(row.uniform_if)) {
      operand.file = RegFile::kUniformPredicate;
    }
    read_signs(row, operand);
    read_part(row, operand);
  }

  void read_x(const OperandRow& row, Operand& operand) const {
    switch (x_kind(instruction_.row->form, instruction_.key)) {
      case XKind::kRegister: read_register(row, row.bits, RegFile::kGeneral, operand); break;
      case XKind::kUniform: read_register(row, {row.bits.at, 6}, RegFile::kUniform, operand); break;
      case XKind::kImmediate:
        operand.kind = OperandKind::kImmediate;
        operand.value = row.immediate == ImmediateKind::kSigned
                            ? sign_extended(bits(kImmediateBits), kImmediateBits.width)
                            : static_cast<std::int64_t>(bits(kImmediateBits));
        break;
      case XKind::kConstant:
        read_constant(row, operand);
        read_signs(row, operand);
        read_part(row, operand);
        break;
    }
  }

  void read_x_or_y(const OperandRow& row, Operand& operand) const {
    if (x_kind(instruction_.row->form, instruction_.key) != XKind::kRegister) {
      read_x(row, operand);
      return;
    }
    OperandRow as_y = row;
    as_y.negate = row.negate_y;
    as_y.magnitude = row.magnitude_y;
    read_register(as_y, {64, 8}, RegFile::kGeneral, operand);
  }

  void read_constant(const OperandRow& row, Operand& operand) const {
    operand.kind = OperandKind::kConstant;
    operand.bank = byte(kBankBits);
    const bool indexed = row.slot == Slot::kConstant && row.file != RegFile::kNone;
    operand.value = static_cast<std::int64_t>(bits({38, 16}));
    if (indexed) {
      operand.file = row.file;
      operand.index = byte({row.base, register_bits(row.file)});
      operand.value = sign_extended(bits({38, 16}), 16);
    }
  }

  void read_memory(const OperandRow& row, Operand& operand) const {
    operand.kind = OperandKind::kMemory;
    operand.file = row.file;
    operand.index = byte({row.base, register_bits(row.file)});
    operand.value = row.bits.width == 0 ? 0 : sign_extended(bits(row.bits), row.bits.width);
    operand.has_uniform = row.uniform_at != kNoBit && (instruction_.key & kUniformKey) != 0;
    if (operand.has_uniform) {
      operand.uniform = byte({row.uniform_at, 6});
      operand.descriptor = bit(row.descriptor_if);
      operand.typed = row.typed_wide_if != kNoBit;
    }
    if (bit(row.next_descriptor_if)) {
      operand.has_uniform = true;
      operand.descriptor = true;
      operand.uniform = static_cast<std::uint8_t>((byte(kDescriptorBits) + 1U) & isa::kURZ);
    }
    const bool wide = operand.typed ? bit(row.typed_wide_if) : bit(row.wide_if);
    operand.width = wide || row.always_wide ? 2 : 1;
    operand.typed = operand.typed || row.always_wide;
    if (row.scale_at != kNoBit) {
      constexpr std::uint8_t kScales[] = {1, 4, 8, 16};
      operand.scale = kScales[bits({row.scale_at, 2})];
    }
  }

  void read_number(const OperandRow& row, Operand& operand) const {
    const std::uint64_t number = bits(row.bits);
    const auto index = static_cast<std::uint8_t>(number);
    const auto value = static_cast<std::int64_t>(number);
    switch (row.slot) {
      case Slot::kImmediate: operand.kind = OperandKind::kImmediate, operand.value = value * row.factor; break;
      case Slot::kTable:
        operand.kind = OperandKind::kImmediate;
        operand.value = static_cast<std::int64_t>(bits(kTableLow) | bits(kTableHigh) << kTableLow.width);
        break;
      case Slot::kRelative:
      case Slot::kRelativeWide:
      case Slot::kOffset: read_target(row, operand); break;
      case Slot::kSpecial: operand.kind = OperandKind::kSpecial, operand.value = value; break;
      case Slot::kConvergence:
        operand.kind = index < isa::kConvergenceBarriers ? OperandKind::kConvergence : OperandKind::kWarpState;
        operand.index = index;
        break;
      case Slot::kPredicates: operand.kind = OperandKind::kPredicates, operand.file = row.file; break;
      case Slot::kReturnPc: operand.kind = OperandKind::kReturnPc, operand.index = index; break;
      case Slot::kScoreboard: operand.kind = OperandKind::kScoreboard, operand.index = index; break;
      case Slot::kScoreboards: operand.kind = OperandKind::kScoreboards, operand.value = value; break;
      case Slot::kMatrixDescriptor:
        operand.kind = OperandKind::kMatrixDescriptor;
        operand.file = RegFile::kUniform;
        operand.index = index;
        break;
      case Slot::kGroup: operand.kind = OperandKind::kGroup, operand.index = index; break;
      default: break;
    }
  }

  void read_target(const OperandRow& row, Operand& operand) const {
    operand.kind = OperandKind::kTarget;
    std::int64_t words = sign_extended(bits(row.bits), row.bits.width);
    if (row.slot != Slot::kRelative && instruction_.generation == Generation::kSm90) {
      words = words * (std::int64_t{1} << kNearBits.width) + static_cast<std::int64_t>(bits(kNearBits));
    }
    operand.value = words * kWordBytes;
  }

  const Code& code_;
  const Instruction& instruction_;
};

Control control_of(const Code& code) {
  const auto field = [&code](BitRange range) { return static_cast<std::uint8_t>(get_bits(code, range)); };
  Control control;
  control.stall = field(kStallBits);
  control.yield = field(kYieldBit) == 0;
  control.write_barrier = field(kWriteBits);
  control.read_barrier = field(kReadBits);
  control.wait_mask = field(kWaitBits);
  control.reuse = field(kReuseBits);
  return control;
}

std::uint8_t modifier_value(const ModifierRow& row, const Code& code) {
  unsigned value = 0;
  unsigned at = 0;
  for (const BitRange& range : row.ranges) {
    value |= static_cast<unsigned>(get_bits(code, range)) << at;
    at += range.width;
  }
  return static_cast<std::uint8_t>(value);
}

}  // namespace

Instruction decode(const Code& code, Generation generation) {
  Instruction instruction;
  instruction.generation = generation;
  instruction.key =
      static_cast<std::uint16_t>(get_bits(code, kKeyBits) | (get_bits(code, kUniformBit) != 0 ? kUniformKey : 0U));
  instruction.row = find_row(instruction.key, generation);
  instruction.control = control_of(code);
  instruction.guard.index = static_cast<std::uint8_t>(get_bits(code, kGuardBits));
  instruction.guard.negated = get_bits(code, kGuardNegated) != 0;
  if (const EncodingRow* row = instruction.row) {
    instruction.op = row->op;
    instruction.guard.uniform = row->uniform_guard || row->name.starts_with("U");
    for (std::size_t i = 0; i < row->modifiers.size(); ++i) {
      instruction.modifiers[i] = modifier_value(row->modifiers[i], code);
    }
    instruction.operand_count = static_cast<std::uint8_t>(row->operands.size());
    const OperandReader reader(code, instruction);
    for (std::size_t i = 0; i < row->operands.size(); ++i) {
      if (is_there(row->operands[i], code)) {
        instruction.operands[i] = reader.read(field_at(*row, instruction.key, i), reuse_bit(*row, i));
      }
    }
    assign_widths(instruction);
  }
  const Code explained = encode(instruction);
  instruction.rest = {code.low ^ explained.low, code.high ^ explained.high};
  return instruction;
}

std::uint8_t Instruction::modifier(Mod mod) const {
  if (row != nullptr) {
    for (std::size_t i = 0; i < row->modifiers.size(); ++i) {
      if (row->modifiers[i].kind->mod == mod) {
        return modifiers[i];
      }
    }
  }
  return 0;
}

}  // namespace gpusim::sass
