// SPDX-License-Identifier: MIT
#include "sim/input/sass/address_source.h"

#include <algorithm>
#include <charconv>

namespace gpusim::frontend::sass {
namespace {

constexpr unsigned kMostHops = 32;
constexpr std::uint32_t kMostLookedBack = 4096;
/// Where arguments begin in constant bank 0; before that stands the launch.
unsigned first_argument(const ListedFunction& function) {
  constexpr unsigned kHopper = 90;
  return function.sm >= kHopper ? 0x210 : 0x160;
}

bool is_address_register(const isa::Operand& operand) {
  return operand.file == isa::RegFile::kGeneral || operand.file == isa::RegFile::kUniform;
}

bool writes(const isa::Instr& instr, const isa::Operand& wanted) {
  return std::any_of(instr.destinations.begin(), instr.destinations.end(), [&](const isa::Operand& to) {
    return to.file == wanted.file && to.index <= wanted.index && wanted.index < to.index + to.width;
  });
}

std::optional<std::string> argument_in(const std::string& operand, unsigned first) {
  constexpr std::string_view kBank = "c[0x0][0x";
  const std::size_t at = operand.find(kBank);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const std::string digits =
      operand.substr(at + kBank.size(), operand.find(']', at + kBank.size()) - at - kBank.size());
  unsigned offset = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), offset, 16);
  return offset >= first ? std::optional("arg_" + digits) : std::nullopt;
}

bool multiplies(const ListedInstruction& one) {
  return one.opcode.starts_with("IMAD") || one.opcode.starts_with("UIMAD");
}

/// The register among the sources that an address most likely comes from: what a multiply-add or a scaled sum adds, a
/// uniform one, else the first.
isa::Operand next_register(const ListedInstruction& one) {
  const bool wants_last = multiplies(one) || one.opcode.starts_with("LEA") || one.opcode.starts_with("ULEA");
  isa::Operand chosen;
  for (const isa::Operand& source : one.instr.sources) {
    const bool better = wants_last || chosen.file == isa::RegFile::kNone ||
                        (source.file == isa::RegFile::kUniform && chosen.file == isa::RegFile::kGeneral);
    if (is_address_register(source) && better) {
      chosen = source;
    }
  }
  return chosen;
}

std::optional<std::string> argument_of(const ListedInstruction& one, unsigned first) {
  if (one.operands.empty()) {
    return std::nullopt;
  }
  if (multiplies(one)) {
    return argument_in(one.operands.back(), first);
  }
  for (const std::string& operand : one.operands) {
    if (auto argument = argument_in(operand, first)) {
      return argument;
    }
  }
  return std::nullopt;
}

/// The register of the access' global address: of an LDGSTS, the second one.
isa::Operand address_of(const isa::Instr& instr) {
  std::size_t skipped = instr.kind == isa::OpKind::kAsyncCopy ? 1 : 0;
  isa::Operand uniform;
  for (const isa::Operand& source : instr.sources) {
    if (source.file == isa::RegFile::kGeneral && skipped-- == 0) {
      return source;
    }
    uniform = source.file == isa::RegFile::kUniform ? source : uniform;
  }
  return uniform;
}

}  // namespace

std::optional<std::string> argument_of_address(const ListedFunction& function, std::uint32_t access) {
  isa::Operand wanted = address_of(function.code[access].instr);
  unsigned hops = 0;
  const std::uint32_t first = access - std::min(access, kMostLookedBack);
  for (std::uint32_t at = access; at-- > first && hops < kMostHops && wanted.file != isa::RegFile::kNone;) {
    const ListedInstruction& one = function.code[at];
    if (!writes(one.instr, wanted)) {
      continue;
    }
    if (auto argument = argument_of(one, first_argument(function))) {
      return argument;
    }
    wanted = next_register(one);
    ++hops;
  }
  return std::nullopt;
}

}  // namespace gpusim::frontend::sass
