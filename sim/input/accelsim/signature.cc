// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/signature.h"

#include <algorithm>
#include <array>
#include <vector>

#include "sim/input/accelsim/static_part.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr std::size_t kMostDestinations = 1;
constexpr std::size_t kMostSources = 4;

using Registers = std::vector<std::uint16_t>;

/// Those of the first operands in general registers.
Registers registers_of(std::span<const isa::Operand> operands, std::size_t most) {
  Registers registers;
  for (const isa::Operand& operand : operands) {
    if (operand.file == isa::RegFile::kGeneral && registers.size() < most) {
      registers.push_back(operand.index);
    }
  }
  return registers;
}

/// "2 R4 R2"
std::string counted(std::span<const std::uint16_t> registers) {
  std::string text = std::to_string(registers.size());
  for (const std::uint16_t index : registers) {
    text += ' ' + register_name(index);
  }
  return text;
}

}  // namespace

std::string register_name(std::uint16_t number) {
  constexpr std::uint16_t kUniform = StaticPart::kUniform;
  return number < kUniform ? "R" + std::to_string(number) : "UR" + std::to_string(number - kUniform);
}

std::string signature_of(std::string_view opcode, const isa::Instr& instr) {
  return signature_of(opcode, registers_of(instr.destinations, kMostDestinations),
                      registers_of(instr.sources, kMostSources));
}

std::string signature_of(std::string_view opcode, std::span<const std::uint16_t> destinations,
                         std::span<const std::uint16_t> sources) {
  return counted(destinations) + ' ' + std::string(opcode) + ' ' + counted(sources);
}

bool is_transfer(std::string_view opcode) {
  static constexpr std::array<std::string_view, 7> kTransfers{"UTMALDG", "UTMASTG", "UTMAREDG", "UTMAPF",
                                                              "UBLKCP",  "UBLKRED", "UBLKPF"};
  return std::ranges::find(kTransfers, opcode.substr(0, opcode.find('.'))) != kTransfers.end();
}

bool is_generic(std::string_view opcode) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  return base == "LD" || base == "ST" || base == "ATOM";
}

}  // namespace gpusim::frontend::accelsim
