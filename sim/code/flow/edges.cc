// SPDX-License-Identifier: MIT
#include "sim/code/flow/edges.h"

#include <algorithm>

namespace gpusim::flow {
namespace {

using sass::Op;

bool is_call(Op op) {
  return op == Op::kCallRel || op == Op::kCallAbs || op == Op::kCallAbsRegister || op == Op::kCallRelRegister;
}

/// Whether all lanes that come to an unguarded one leave it for somewhere else than the instruction behind.
bool leaves_for_good(const sass::Instruction& instruction) {
  switch (instruction.op) {
    case Op::kBra: {
      const sass::Operand& predicate = instruction.operands[0];
      const bool always = predicate.kind != sass::OperandKind::kRegister || predicate.index == isa::kPT;
      return always && instruction.guard.always() && !instruction.has(sass::Mod::kBranchMode);
    }
    case Op::kBrx:
    case Op::kBrxu:
    case Op::kJmp:
    case Op::kJmx:
    case Op::kRet:
    case Op::kExit:
    case Op::kKill: return instruction.guard.always();
    default: return false;
  }
}

/// kEnd for a target that is not in the code.
std::uint32_t target_of(const sass::Instruction& instruction, std::uint32_t pc, std::size_t count) {
  const auto operand = std::ranges::find(instruction.operands, sass::OperandKind::kTarget, &sass::Operand::kind);
  if (operand == instruction.operands.end()) {
    return kEnd;
  }
  const std::int64_t address = (std::int64_t{pc} + 1) * sass::kInstructionBytes + operand->value;
  const std::int64_t index = address / sass::kInstructionBytes;
  const bool inside =
      address >= 0 && address % sass::kInstructionBytes == 0 && index < static_cast<std::int64_t>(count);
  return inside ? static_cast<std::uint32_t>(index) : kEnd;
}

}  // namespace

std::vector<Edge> edges_of(std::span<const sass::Instruction> code) {
  const auto count = static_cast<std::uint32_t>(code.size());
  std::vector<Edge> edges;
  std::vector<std::uint32_t> behind_calls;
  for (std::uint32_t pc = 0; pc + 1 < count; ++pc) {
    if (is_call(code[pc].op)) {
      behind_calls.push_back(pc + 1);
    }
  }
  for (std::uint32_t pc = 0; pc < count; ++pc) {
    if (!leaves_for_good(code[pc])) {
      edges.push_back({pc, pc + 1 < count ? pc + 1 : kEnd});
    }
    switch (code[pc].op) {
      case Op::kBra:
      case Op::kBraDiv:
      case Op::kBraUniform:
      case Op::kCallRel: edges.push_back({pc, target_of(code[pc], pc, count)}); break;
      case Op::kRet: std::ranges::for_each(behind_calls, [&](std::uint32_t to) { edges.push_back({pc, to}); }); break;
      case Op::kExit:
      case Op::kKill: edges.push_back({pc, kEnd}); break;
      default: break;
    }
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

bool leads_anywhere(Op op) {
  switch (op) {
    case Op::kBrx:
    case Op::kBrxu:
    case Op::kJmp:
    case Op::kJmx:
    case Op::kCallAbs:
    case Op::kCallAbsRegister:
    case Op::kCallRelRegister: return true;
    default: return false;
  }
}

}  // namespace gpusim::flow
