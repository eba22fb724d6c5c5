// SPDX-License-Identifier: MIT
#include "sim/frontend/accelsim/signature.h"

#include <span>

namespace gpusim::frontend::accelsim {
namespace {

constexpr unsigned kMostDestinations = 1;
constexpr unsigned kMostSources = 4;

/// " R4 R2" with its count before it.
std::string registers(std::span<const isa::Operand> operands, unsigned most) {
  std::string names;
  unsigned count = 0;
  for (const isa::Operand& operand : operands) {
    if (operand.file == isa::RegFile::kGeneral && count < most) {
      names += " R" + std::to_string(operand.index);
      ++count;
    }
  }
  return std::to_string(count) + names;
}

}  // namespace

std::string signature_of(std::string_view opcode, const isa::Instr& instr) {
  return registers(instr.destinations, kMostDestinations) + ' ' + std::string(opcode) + ' ' +
         registers(instr.sources, kMostSources);
}

bool is_generic(std::string_view opcode) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  return base == "LD" || base == "ST" || base == "ATOM";
}

}  // namespace gpusim::frontend::accelsim
