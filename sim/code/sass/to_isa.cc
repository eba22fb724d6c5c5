// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/code/sass/text.h"

namespace gpusim::sass {
namespace {

/// What the opcode table has no operand for: FSWZADD's pattern, and DEPBAR's list of counters.
bool is_of_sass_only(const Operand& operand) {
  return operand.kind == OperandKind::kScoreboards ||
         (operand.kind == OperandKind::kImmediate && operand.immediate == ImmediateKind::kPattern);
}

}  // namespace

isa::ControlBits control_bits(const Control& control) {
  const auto counter = [](std::uint8_t field) { return field < isa::kDependenceCounters ? field : isa::kNoBarrier; };
  return {std::max<std::uint8_t>(control.stall, 1), control.yield, counter(control.write_barrier),
          counter(control.read_barrier), control.wait_mask};
}

isa::Instr to_isa(const Instruction& instruction) {
  Instruction plain = instruction;
  isa::ControlBits control = control_bits(instruction.control);
  for (Operand& operand : plain.operands) {
    if (operand.kind == OperandKind::kScoreboards) {
      control.wait_mask = static_cast<std::uint8_t>(control.wait_mask | operand.value);
    }
    operand = is_of_sass_only(operand) ? Operand{} : operand;
  }
  const std::string opcode = opcode_text(plain);
  const std::vector<std::string> texts = operand_texts(plain, 0);
  const std::vector<std::string_view> operands(texts.begin(), texts.end());
  isa::Instr instr = isa::decode_opcode(opcode);
  if (isa::assign_operands(opcode, guard_text(plain.guard), operands, instr)) {
    instr = isa::decode_opcode("");
  }
  instr.control = control;
  instr.has_control = true;
  return instr;
}

}  // namespace gpusim::sass
