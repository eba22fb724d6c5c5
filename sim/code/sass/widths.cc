// SPDX-License-Identifier: MIT
#include "sim/code/sass/widths.h"

#include <algorithm>

#include "sim/code/sass/text.h"
#include "sim/model/isa/decode.h"

namespace gpusim::sass {
namespace {

/// ATOMS.ARRIVE.64 and ATOM.ARRIVE.64, of Mod::kArriveCount.
constexpr std::uint8_t kArrive64 = 9;

std::uint8_t pair_if(bool pair) {
  return pair ? 2 : 1;
}

std::uint8_t of_size(const Instruction& instruction) {
  switch (static_cast<Size>(instruction.modifier(Mod::kSize))) {
    case Size::k64: return 2;
    case Size::k128:
    case Size::kU128: return 4;
    default: return 1;
  }
}

/// Registers of sm_90's atomics for floating point, by FloatAtomic.
std::uint8_t of_float_atomic(std::uint8_t type) {
  switch (static_cast<FloatAtomic>(type)) {
    case FloatAtomic::kF16x4:
    case FloatAtomic::kBf16x4:
    case FloatAtomic::kF32x2:
    case FloatAtomic::kF64: return 2;
    case FloatAtomic::kF16x8:
    case FloatAtomic::kBf16x8:
    case FloatAtomic::kF32x4: return 4;
    default: return 1;
  }
}

std::uint8_t of_atomic(const Instruction& instruction) {
  if (instruction.has(Mod::kFloatAtomic)) {
    return of_float_atomic(instruction.modifier(Mod::kFloatAtomic));
  }
  const auto format = static_cast<AtomicFormat>(instruction.modifier(Mod::kAtomicType));
  const bool pair = format == AtomicFormat::kU64 || format == AtomicFormat::kS64 || format == AtomicFormat::kF64;
  return pair_if(pair || instruction.has(Mod::kWide));
}

std::uint8_t of_float(std::uint8_t type) {
  return pair_if(static_cast<FloatType>(type) == FloatType::kF64);
}

std::uint8_t of_integer(std::uint8_t type) {
  const auto integer = static_cast<IntegerType>(type);
  return pair_if(integer == IntegerType::kU64 || integer == IntegerType::kS64);
}

/// Fragments of a matrix product: the opcode table has them by shape and type.
std::uint8_t of_fragment(const Instruction& instruction, Wide which) {
  const isa::OpcodeRow* row = isa::find_opcode(opcode_text(instruction));
  if (row == nullptr) {
    return 1;
  }
  switch (which) {
    case Wide::kMatrixA: return row->widths.sources[0];
    case Wide::kMatrixB: return row->widths.sources[1];
    default: return row->widths.destination;
  }
}

/// D and C of a WGMMA operation: 64 x N values of 32 or 16 bits in 128 lanes. A: 64 values of 32 bits a row.
std::uint8_t of_warpgroup(const Instruction& instruction, Wide which) {
  constexpr std::uint8_t kRegistersOfA = 4;
  if (which == Wide::kWarpgroupA) {
    return kRegistersOfA;
  }
  const ShapeCode code = shape_code_of(instruction.op);
  const unsigned columns = warpgroup_shape(code, instruction.modifier(Mod::kShape)).columns;
  const bool integers = code != ShapeCode::kEights;
  const bool halves = !integers && !instruction.has(Mod::kFloatResult);
  return static_cast<std::uint8_t>(columns / (halves ? 4 : 2));
}

std::uint8_t width_of(const Instruction& instruction, Wide width) {
  switch (width) {
    case Wide::k1: return 1;
    case Wide::k2: return 2;
    case Wide::k4: return 4;
    case Wide::kBySize: return of_size(instruction);
    case Wide::kByAtomic: return of_atomic(instruction);
    case Wide::kByArrival: return pair_if(instruction.modifier(Mod::kArriveCount) == kArrive64);
    case Wide::kByMatrices:
      return static_cast<std::uint8_t>(1U << std::min<unsigned>(instruction.modifier(Mod::kMatrices), 2));
    case Wide::kByToFloat: return of_float(instruction.modifier(Mod::kToFloat));
    case Wide::kByFromFloat: return of_float(instruction.modifier(Mod::kFromFloat));
    case Wide::kByToInteger: return of_integer(instruction.modifier(Mod::kToInteger));
    case Wide::kByFromInteger: return of_integer(instruction.modifier(Mod::kFromInteger));
    case Wide::kByFlag: return pair_if(instruction.has(Mod::kIs64) || instruction.has(Mod::kWide));
    case Wide::kMatrixD:
    case Wide::kMatrixA:
    case Wide::kMatrixB: return of_fragment(instruction, width);
    case Wide::kWarpgroupD:
    case Wide::kWarpgroupA: return of_warpgroup(instruction, width);
  }
  return 1;
}

}  // namespace

void assign_widths(Instruction& instruction) {
  for (std::size_t i = 0; i < instruction.operand_count; ++i) {
    Operand& operand = instruction.operands[i];
    if (operand.kind == OperandKind::kRegister || operand.kind == OperandKind::kMatrixDescriptor ||
        operand.kind == OperandKind::kConstant || operand.kind == OperandKind::kImmediate) {
      operand.width = width_of(instruction, instruction.row->operands[i].width);
    }
  }
}

}  // namespace gpusim::sass
