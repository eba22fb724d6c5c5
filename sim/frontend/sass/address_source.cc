// SPDX-License-Identifier: MIT
#include "sim/frontend/sass/address_source.h"

#include <algorithm>
#include <charconv>
#include <span>

namespace gpusim::frontend::sass {
namespace {

constexpr unsigned kMostHops = 32;
constexpr std::uint32_t kMostLookedBack = 4096;
/// Arguments begin at 0x160 of constant bank 0 (Volta to Ada) or at 0x210 (Hopper); before that stands the launch.
constexpr unsigned kFirstArgument = 0x160;

bool is_address_register(const isa::Operand& operand) {
  return operand.file == isa::RegFile::kGeneral || operand.file == isa::RegFile::kUniform;
}

bool writes(const isa::Instr& instr, const isa::Operand& wanted) {
  return std::any_of(instr.destinations.begin(), instr.destinations.end(), [&](const isa::Operand& to) {
    return to.file == wanted.file && to.index <= wanted.index && wanted.index < to.index + to.width;
  });
}

std::optional<std::string> argument_in(const std::string& operand) {
  constexpr std::string_view kBank = "c[0x0][0x";
  const std::size_t at = operand.find(kBank);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const std::string digits =
      operand.substr(at + kBank.size(), operand.find(']', at + kBank.size()) - at - kBank.size());
  unsigned offset = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), offset, 16);
  return offset >= kFirstArgument ? std::optional("arg_" + digits) : std::nullopt;
}

/// The last real register among the sources, for a multiply-add: what is added; else the first.
isa::Operand next_register(const ListedInstruction& one) {
  const std::span<const isa::Operand> sources(one.instr.sources);
  const bool multiplies = one.opcode.starts_with("IMAD") || one.opcode.starts_with("UIMAD");
  isa::Operand chosen;
  for (const isa::Operand& source : sources) {
    if (is_address_register(source) && (multiplies || chosen.file == isa::RegFile::kNone)) {
      chosen = source;
    }
  }
  return chosen;
}

std::optional<std::string> argument_of(const ListedInstruction& one) {
  const bool multiplies = one.opcode.starts_with("IMAD") || one.opcode.starts_with("UIMAD");
  if (one.operands.empty()) {
    return std::nullopt;
  }
  if (multiplies) {
    return argument_in(one.operands.back());
  }
  for (const std::string& operand : one.operands) {
    if (auto argument = argument_in(operand)) {
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
    if (auto argument = argument_of(one)) {
      return argument;
    }
    wanted = next_register(one);
    ++hops;
  }
  return std::nullopt;
}

}  // namespace gpusim::frontend::sass
