// SPDX-License-Identifier: MIT
#include "sim/code/cubin/code_use.h"

#include <algorithm>
#include <set>
#include <span>

#include "sim/code/sass/decode.h"

namespace gpusim::cubin {
namespace {

using sass::Op;
using sass::Operand;
using sass::OperandKind;

constexpr std::uint8_t kStackPointer = 1;
constexpr std::uint32_t kNamedBarriers = 16;

std::span<const Operand> operands_of(const sass::Instruction& instruction) {
  return std::span(instruction.operands).first(instruction.operand_count);
}

bool is_shared_access(Op op) {
  static constexpr Op kOps[] = {Op::kLds,  Op::kSts,    Op::kAtoms,     Op::kLdsm,
                                Op::kStsm, Op::kLdgsts, Op::kSyncsExch, Op::kUtmaldg};
  return std::ranges::find(kOps, op) != std::end(kOps);
}

/// "IADD3 R1, R1, -0x28, RZ": bytes taken from the stack; 0 for any other instruction.
std::uint32_t frame_of(const sass::Instruction& instruction) {
  bool writes = false;
  bool reads = false;
  std::int32_t change = 0;
  for (const Operand& operand : operands_of(instruction)) {
    if (operand.is_register(isa::RegFile::kGeneral) && operand.index == kStackPointer) {
      (operand.written ? writes : reads) = true;
    } else if (operand.kind == OperandKind::kImmediate) {
      change = static_cast<std::int32_t>(operand.value);
    }
  }
  constexpr std::int32_t kMostFrame = 512 * 1024;
  const bool takes = writes && reads && change < 0 && change >= -kMostFrame;
  return takes ? static_cast<std::uint32_t>(-change) : 0;
}

/// Barriers 0 to the one that is named; all where a register names it.
std::uint32_t barriers_of(const sass::Instruction& bar) {
  const Operand& number = bar.operands[0];
  return number.kind == OperandKind::kImmediate
             ? static_cast<std::uint32_t>(std::clamp<std::int64_t>(number.value + 1, 1, kNamedBarriers))
             : kNamedBarriers;
}

void add_operands(const sass::Instruction& instruction, CodeUse& use) {
  for (const Operand& operand : operands_of(instruction)) {
    const bool is_general = operand.file == isa::RegFile::kGeneral;
    if (is_general && operand.index != isa::last_register(isa::RegFile::kGeneral)) {
      use.registers = std::max<std::uint32_t>(use.registers, std::uint32_t{operand.index} + operand.width);
    }
  }
}

std::uint32_t bytes_read(const sass::Instruction& instruction, const Operand& operand) {
  if (instruction.op != Op::kLdc && instruction.op != Op::kUldc) {
    return 4U * operand.width;
  }
  return sass::bytes_of(static_cast<sass::Size>(instruction.modifier(sass::Mod::kSize)));
}

}  // namespace

CodeUse use_of(const Function& function, std::optional<sass::Generation> generation) {
  CodeUse use;
  if (!generation) {
    return use;
  }
  for (const sass::Code& code : function.code) {
    const sass::Instruction instruction = sass::decode(code, *generation);
    add_operands(instruction, use);
    use.frame_bytes = std::max(use.frame_bytes, frame_of(instruction));
    use.barriers = std::max(use.barriers, instruction.op == Op::kBar ? barriers_of(instruction) : 0);
    use.shared_memory = use.shared_memory || is_shared_access(instruction.op);
    use.exits = use.exits || instruction.op == Op::kExit;
    use.returns = use.returns || instruction.op == Op::kRet;
    use.changes_registers = use.changes_registers || instruction.op == Op::kUsetmaxreg;
  }
  constexpr std::uint32_t kMostRegisters = 255;
  use.registers = std::min(use.registers, kMostRegisters);
  return use;
}

std::vector<ParameterRead> parameter_reads(const Function& function, std::optional<sass::Generation> generation) {
  std::set<ParameterRead> reads;
  if (!generation) {
    return {};
  }
  for (const sass::Code& code : function.code) {
    const sass::Instruction instruction = sass::decode(code, *generation);
    for (const Operand& operand : operands_of(instruction)) {
      const bool indexed = operand.file != isa::RegFile::kNone && operand.index != isa::last_register(operand.file);
      if (operand.kind == OperandKind::kConstant && operand.bank == 0 && !indexed &&
          operand.value >= std::int64_t{function.parameter_base}) {
        reads.insert(
            {static_cast<std::uint32_t>(operand.value - function.parameter_base), bytes_read(instruction, operand)});
      }
    }
  }
  return {reads.begin(), reads.end()};
}

}  // namespace gpusim::cubin
