// SPDX-License-Identifier: MIT
#include "sim/input/text/operand_check.h"

#include <algorithm>

#include "sim/model/isa/decode.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend {

std::string too_few_operands(const std::string& opcode, std::size_t operands) {
  const isa::OpcodeRow* const row = isa::find_opcode(opcode);
  if (row == nullptr || operands >= row->least_operands) {
    return "";
  }
  return opcode + " takes at least " + std::to_string(row->least_operands) + " operands, and has " +
         std::to_string(operands);
}

RegisterNeed registers_needed(const trace::Kernel& kernel) {
  RegisterNeed need;
  const auto look_at = [&](const isa::Operand& operand, std::uint32_t line) {
    const std::uint32_t end = std::uint32_t{operand.index} + operand.width;
    if (operand.file == isa::RegFile::kGeneral && operand.is_real() && end > need.registers) {
      need = {end, line};
    }
  };
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    for (const isa::Operand& operand : kernel.code[i].destinations) {
      look_at(operand, kernel.texts[i].line);
    }
    for (const isa::Operand& operand : kernel.code[i].sources) {
      look_at(operand, kernel.texts[i].line);
    }
  }
  return need;
}

bool moves_registers(const trace::Kernel& kernel) {
  return std::ranges::any_of(kernel.code,
                             [](const isa::Instr& instr) { return instr.timing == isa::TimingClass::kRegisterPool; });
}

}  // namespace gpusim::frontend
