// SPDX-License-Identifier: MIT
#include "sim/code/flow/registers.h"

#include <algorithm>
#include <span>

namespace gpusim::flow {
namespace {

using isa::RegFile;
using sass::Op;
using sass::Operand;
using sass::OperandKind;

/// The TMA reads so many uniform registers from the one that an instruction names on.
constexpr unsigned kMostUniforms = 8;
/// A descriptor, or an address of 64 bits.
constexpr unsigned kPair = 2;

/// Nothing for a file of which no number is known.
std::size_t first_of(RegFile file) {
  switch (file) {
    case RegFile::kUniform: return kFirstUniformPlace;
    case RegFile::kPredicate: return kFirstPredicatePlace;
    case RegFile::kUniformPredicate: return kFirstPredicatePlace + kPredicates;
    default: return 0;
  }
}

void add(RegisterSet& set, RegFile file, unsigned index, unsigned width) {
  const unsigned last = isa::last_register(file);
  for (unsigned i = index; i < index + width && i < last; ++i) {
    set.set(first_of(file) + i);
  }
}

void add_address(RegisterSet& set, const Operand& operand) {
  if (operand.file != RegFile::kNone) {
    add(set, operand.file, operand.index, operand.width);
  }
  if (operand.has_uniform && !operand.descriptor) {
    add(set, RegFile::kUniform, operand.uniform, kPair);
  }
}

/// The whole predicate file.
void add_predicates(RegisterSet& set, const Operand& operand) {
  const RegFile file = operand.file == RegFile::kUniformPredicate ? RegFile::kUniformPredicate : RegFile::kPredicate;
  add(set, file, 0, isa::last_register(file));
}

bool is_predicate(const Operand& operand) {
  return operand.is_register(RegFile::kPredicate) || operand.is_register(RegFile::kUniformPredicate);
}

void add_source(RegisterSet& set, const Operand& operand, Role role) {
  switch (operand.kind) {
    case OperandKind::kRegister:
      if (operand.written || (role == Role::kAccess && !is_predicate(operand))) {
        break;
      }
      add(set, operand.file, operand.index,
          role == Role::kAct && operand.file == RegFile::kUniform ? kMostUniforms : unsigned{operand.width});
      break;
    case OperandKind::kMemory:
      add_address(set, operand);
      if (role == Role::kAct && operand.file == RegFile::kUniform) {
        add(set, operand.file, operand.index, kMostUniforms);
      }
      break;
    case OperandKind::kConstant:
      if (operand.file != RegFile::kNone) {
        add(set, operand.file, operand.index, operand.width);
      }
      break;
    case OperandKind::kMatrixDescriptor: add(set, RegFile::kUniform, operand.index, operand.width); break;
    case OperandKind::kPredicates:
      if (!operand.written) {
        add_predicates(set, operand);
      }
      break;
    default: break;
  }
}

bool is_of_warpgroup(Op op) {
  switch (op) {
    case Op::kHgmma:
    case Op::kHgmmaRegister:
    case Op::kQgmma:
    case Op::kQgmmaRegister:
    case Op::kIgmma:
    case Op::kIgmmaRegister:
    case Op::kBgmma:
    case Op::kBgmmaRegister: return true;
    default: return false;
  }
}

bool is_between(Op op, Op first, Op last) {
  return op >= first && op <= last;
}

}  // namespace

Role role_of(Op op) {
  if (is_between(op, Op::kMov, Op::kMovm) || is_between(op, Op::kS2r, Op::kShfl) ||
      is_between(op, Op::kUmov, Op::kUp2ur) || is_of_warpgroup(op)) {
    return Role::kValue;
  }
  if (is_between(op, Op::kLdg, Op::kStsm) || is_between(op, Op::kAtomg, Op::kAtomsCount)) {
    return Role::kAccess;
  }
  switch (op) {
    case Op::kLdc:
    case Op::kUldc:
    case Op::kElect:
    case Op::kQspc:
    case Op::kUr2up:
    case Op::kVimnmx3: return Role::kValue;
    case Op::kLdgsts:
    case Op::kAtomCount: return Role::kAccess;
    default: return Role::kAct;
  }
}

bool reads_memory(Op op) {
  return role_of(op) == Role::kAccess || is_of_warpgroup(op);
}

bool reads_indexed_constant(const sass::Instruction& instruction) {
  const auto is_indexed = [](const Operand& operand) {
    return operand.kind == OperandKind::kConstant && operand.file != RegFile::kNone &&
           operand.index != isa::last_register(operand.file);
  };
  return (instruction.op == Op::kLdc || instruction.op == Op::kUldc) &&
         std::ranges::any_of(instruction.operands, is_indexed);
}

RegisterSet guard_of(const sass::Instruction& instruction) {
  RegisterSet set;
  add(set, instruction.guard.uniform ? RegFile::kUniformPredicate : RegFile::kPredicate, instruction.guard.index, 1);
  return set;
}

RegisterSet sources_of(const sass::Instruction& instruction) {
  RegisterSet set;
  for (const Operand& operand : std::span(instruction.operands).first(instruction.operand_count)) {
    add_source(set, operand, role_of(instruction.op));
  }
  return set;
}

RegisterSet destinations_of(const sass::Instruction& instruction) {
  RegisterSet set;
  for (const Operand& operand : std::span(instruction.operands).first(instruction.operand_count)) {
    if (!operand.written) {
      continue;
    }
    if (operand.kind == OperandKind::kRegister) {
      add(set, operand.file, operand.index, operand.width);
    } else if (operand.kind == OperandKind::kPredicates) {
      add_predicates(set, operand);
    }
  }
  return set;
}

}  // namespace gpusim::flow
