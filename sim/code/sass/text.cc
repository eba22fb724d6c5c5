// SPDX-License-Identifier: MIT
#include "sim/code/sass/text.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <utility>

#include "sim/code/sass/decode.h"
#include "sim/code/sass/row.h"

namespace gpusim::sass {
namespace {

using isa::RegFile;

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string signed_hex(std::int64_t value) {
  return value < 0 ? "-" + hex(std::uint64_t{0} - static_cast<std::uint64_t>(value))
                   : hex(static_cast<std::uint64_t>(value));
}

/// As the disassemblers print floating-point numbers: with 20 digits.
std::string number_text(double value) {
  if (std::isnan(value)) {
    return std::signbit(value) ? "-QNAN" : "+QNAN";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-INF" : "+INF";
  }
  constexpr double kManyDigits = 1e9;
  char text[48];
  std::snprintf(text, sizeof text, std::fabs(value) >= kManyDigits ? "%.20e" : "%.20g", value);
  return text;
}

double from_half(std::uint32_t bits) {
  constexpr int kFractionBits = 10;
  constexpr std::uint32_t kMaxExponent = 31;
  constexpr int kBias = 15;
  const std::uint32_t exponent = (bits >> kFractionBits) & kMaxExponent;
  const std::uint32_t fraction = bits & ((1U << kFractionBits) - 1U);
  double value = 0;
  if (exponent == kMaxExponent) {
    value = fraction != 0 ? std::nan("") : HUGE_VAL;
  } else if (exponent == 0) {
    value = std::ldexp(fraction, 1 - kBias - kFractionBits);
  } else {
    value = std::ldexp(fraction + (1U << kFractionBits), static_cast<int>(exponent) - kBias - kFractionBits);
  }
  return (bits & 0x8000U) != 0 ? -value : value;
}

/// FSWZADD: of each of four lanes, what becomes of both operands.
std::string pattern_text(std::uint32_t bits) {
  constexpr std::string_view kLanes[] = {"PP", "PN", "NP", "ZP"};
  std::string text;
  for (int lane = 3; lane >= 0; --lane) {
    text += kLanes[(bits >> (2 * lane)) & 3U];
  }
  return text;
}

std::string half_text(std::uint32_t bits, bool brain) {
  return number_text(brain ? std::bit_cast<float>(bits << 16U) : from_half(bits & 0xffffU));
}

/// The text of an immediate operand. An operand of two halves shows the upper one.
std::string immediate_text(const Operand& operand, bool brain) {
  const auto bits = static_cast<std::uint32_t>(operand.value);
  switch (operand.immediate) {
    case ImmediateKind::kFloat: return number_text(std::bit_cast<float>(bits));
    case ImmediateKind::kDouble: return number_text(std::bit_cast<double>(std::uint64_t{bits} << 32U));
    case ImmediateKind::kPattern: return pattern_text(bits);
    case ImmediateKind::kHalves: return half_text(bits >> 16U, brain);
    case ImmediateKind::kSigned: return signed_hex(static_cast<std::int32_t>(bits));
    case ImmediateKind::kInteger: break;
  }
  return signed_hex(operand.value);
}

/// MUFU.RCP64H and RSQ64H take the upper half of an FP64 number.
Operand typed_immediate(const Instruction& instruction, Operand operand) {
  const auto function = static_cast<Function>(instruction.modifier(Mod::kFunction));
  if (instruction.op == Op::kMufu && (function == Function::kRcp64High || function == Function::kRsq64High)) {
    operand.immediate = ImmediateKind::kDouble;
  }
  return operand;
}

std::string register_text(RegFile file, unsigned index) {
  constexpr std::string_view kPrefixes[] = {"", "R", "UR", "P", "UP"};
  constexpr std::string_view kLast[] = {"", "RZ", "URZ", "PT", "UPT"};
  const auto which = static_cast<std::size_t>(file);
  return index == isa::last_register(file) ? std::string(kLast[which])
                                           : std::string(kPrefixes[which]) + std::to_string(index);
}

std::string_view part_text(Part part) {
  constexpr std::string_view kParts[] = {"", "",    ".F32", ".H0_H0", ".H1_H1", "",    ".H1",
                                         "", ".B1", ".B2",  ".B3",    ".ROW",   ".COL"};
  return kParts[static_cast<std::size_t>(part)];
}

/// The operand with what stands around it: !P0, -|R2|.reuse.H0_H0, ~R3, |c[0x0][0x160].H0_H0|.
std::string decorated(const Operand& operand, std::string name, bool predicate) {
  const bool whole = operand.kind == OperandKind::kConstant || operand.file == RegFile::kUniform;
  const std::string part(part_text(operand.part));
  name += whole ? part : "";
  name = operand.absolute ? "|" + name + "|" : name;
  name += operand.reuse ? ".reuse" : "";
  name += whole ? "" : part;
  if (operand.negated) {
    name.insert(0, predicate ? "!" : "-");
  }
  return operand.inverted ? "~" + name : name;
}

std::string constant_text(const Operand& operand) {
  std::string inside;
  if (operand.file != RegFile::kNone && (operand.index != isa::last_register(operand.file) || operand.value == 0)) {
    inside = register_text(operand.file, operand.index);
  }
  if (inside.empty() || operand.value != 0) {
    inside += (inside.empty() ? "" : "+") + signed_hex(operand.value);
  }
  return "c[" + hex(operand.bank) + "][" + inside + "]";
}

std::string memory_text(const Operand& operand, const OperandRow& row) {
  std::string inside;
  const bool plain_uniform =
      operand.has_uniform && !operand.descriptor && !(row.hides_urz && operand.uniform == isa::kURZ);
  const bool has_base = operand.index != isa::last_register(operand.file);
  if (has_base || operand.descriptor || (!plain_uniform && operand.value == 0)) {
    inside = register_text(operand.file, operand.index);
    if (operand.scale != 1) {
      inside += ".X" + std::to_string(operand.scale);
    }
    if (operand.typed || operand.descriptor) {
      inside += operand.width == 2 ? ".64" : ".U32";
    }
  }
  if (plain_uniform) {
    inside += (inside.empty() ? "" : "+") + register_text(RegFile::kUniform, operand.uniform);
  }
  if (operand.value != 0) {
    inside += (inside.empty() ? "" : "+") + signed_hex(operand.value);
  }
  return operand.descriptor ? "desc[" + register_text(RegFile::kUniform, operand.uniform) + "][" + inside + "]"
                            : "[" + inside + "]";
}

std::string scoreboards_text(std::int64_t mask) {
  std::string text;
  for (int counter = static_cast<int>(isa::kDependenceCounters) - 1; counter >= 0; --counter) {
    if (((mask >> counter) & 1) != 0) {
      text += (text.empty() ? "" : ",") + std::to_string(counter);
    }
  }
  return "{" + text + "}";
}

/// The name of a state that BMOV moves.
std::string warp_state_text(unsigned number) {
  constexpr unsigned kActive = 26;
  return number == kActive ? "MACTIVE" : "WARP_STATE_" + std::to_string(number);
}

std::string shape_text(const ModifierKind& kind, unsigned value) {
  const WarpgroupShape shape = warpgroup_shape(kind.shapes, value);
  const std::string depth = shape.depth < kind.depths.size() ? std::to_string(kind.depths[shape.depth]) : "?";
  return "64x" + std::to_string(shape.columns) + "x" + depth;
}

std::string modifier_text(const ModifierKind& kind, unsigned value) {
  if (!kind.depths.empty()) {
    return shape_text(kind, value);
  }
  return value < kind.names.size() ? std::string(kind.names[value]) : "INVALID" + std::to_string(value);
}

bool applies(const Instruction& instruction, const ModifierRow& row) {
  return !row.silent && (row.only_with == Mod::kNone || instruction.has(row.only_with));
}

/// "gdesc[UR8].tnspB": what is done to the matrices stands behind their descriptors.
std::string descriptor_text(const Instruction& instruction, const Operand& operand) {
  constexpr std::pair<Mod, std::string_view> kTreatments[] = {{Mod::kTransposedA, ".tnspA"},
                                                              {Mod::kTransposedB, ".tnspB"},
                                                              {Mod::kNegatedA, ".negA"},
                                                              {Mod::kNegatedB, ".negB"}};
  std::string text = "gdesc[" + register_text(RegFile::kUniform, operand.index) + "]";
  for (const auto& [mod, name] : kTreatments) {
    text += instruction.has(mod) ? name : "";
  }
  return text;
}

/// The place of HFMA2's second factor.
constexpr std::size_t kSecondFactor = 2;

/// Whether a register and an offset make the target: the text has no comma between them.
bool is_indirect(Op op) {
  return op == Op::kBrx || op == Op::kBrxu || op == Op::kRet || op == Op::kCallRelRegister ||
         op == Op::kCallAbsRegister;
}

std::string operand_text(const Instruction& instruction, std::size_t i, std::uint64_t address,
                         const TargetName& target) {
  const Operand& operand = instruction.operands[i];
  switch (operand.kind) {
    case OperandKind::kNone: break;
    case OperandKind::kRegister: {
      const bool predicate = operand.file == RegFile::kPredicate || operand.file == RegFile::kUniformPredicate;
      const bool negates_high = i == kSecondFactor && instruction.has(Mod::kNegatesHigh);
      return decorated(operand, register_text(operand.file, operand.index), predicate) +
             (negates_high ? ".H0_NH1" : "");
    }
    case OperandKind::kImmediate:
      return immediate_text(typed_immediate(instruction, operand), instruction.has(Mod::kBfloat));
    case OperandKind::kConstant: return decorated(operand, constant_text(operand), false);
    case OperandKind::kMemory: return memory_text(operand, instruction.row->operands[i]);
    case OperandKind::kTarget: {
      if (instruction.row->operands[i].slot == Slot::kOffset) {
        return signed_hex(operand.value);
      }
      const std::int64_t to = static_cast<std::int64_t>(address) + kInstructionBytes + operand.value;
      return target ? target(to) : signed_hex(to);
    }
    case OperandKind::kSpecial: return special_register_name(operand.value);
    case OperandKind::kConvergence: return "B" + std::to_string(operand.index);
    case OperandKind::kWarpState: return warp_state_text(operand.index);
    case OperandKind::kPredicates: return operand.file == RegFile::kPredicate ? "PR" : "UPR";
    case OperandKind::kReturnPc: return operand.index == 0 ? "Rpc.LO" : "Rpc.HI";
    case OperandKind::kScoreboard: return "SB" + std::to_string(operand.index);
    case OperandKind::kScoreboards: return scoreboards_text(operand.value);
    case OperandKind::kMatrixDescriptor: return descriptor_text(instruction, operand);
    case OperandKind::kGroup: return "gsb" + std::to_string(operand.index);
  }
  return {};
}

}  // namespace

std::string opcode_text(const Instruction& instruction) {
  if (!instruction.is_known()) {
    char text[16];
    std::snprintf(text, sizeof text, "UNKNOWN_%04X", static_cast<unsigned>(instruction.key));
    return text;
  }
  const EncodingRow& row = *instruction.row;
  std::string text(row.name);
  for (std::size_t i = 0; i < row.modifiers.size(); ++i) {
    if (applies(instruction, row.modifiers[i])) {
      const std::string name = modifier_text(*row.modifiers[i].kind, instruction.modifiers[i]);
      text += name.empty() ? "" : "." + name;
    }
  }
  // Disassemblers say so of a mask of no lanes.
  const bool all = instruction.op == Op::kWarpsync && instruction.operands[0].hidden;
  return all ? text + ".ALL" : text;
}

std::string guard_text(const Guard& guard) {
  if (guard.always()) {
    return "";
  }
  return (guard.negated ? "@!" : "@") +
         register_text(guard.uniform ? RegFile::kUniformPredicate : RegFile::kPredicate, guard.index);
}

std::vector<std::string> operand_texts(const Instruction& instruction, std::uint64_t address,
                                       const TargetName& target) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    const bool no_group = operand.kind == OperandKind::kGroup && operand.index == kNoGroup;
    if (operand.kind != OperandKind::kNone && !operand.hidden && !no_group) {
      texts.push_back(operand_text(instruction, i, address, target));
      if (operand.kind == OperandKind::kImmediate && operand.immediate == ImmediateKind::kHalves) {
        texts.push_back(half_text(static_cast<std::uint32_t>(operand.value), instruction.has(Mod::kBfloat)));
      }
    }
  }
  return texts;
}

std::string to_text(const Instruction& instruction, std::uint64_t address, const TargetName& target) {
  std::string text = guard_text(instruction.guard);
  text += (text.empty() ? "" : " ") + opcode_text(instruction);
  if (!instruction.is_known()) {
    const Code code = encode(instruction);
    char bits[48];
    std::snprintf(bits, sizeof bits, " 0x%016llx 0x%016llx", static_cast<unsigned long long>(code.high),
                  static_cast<unsigned long long>(code.low));
    return text + bits;
  }
  const std::vector<std::string> operands = operand_texts(instruction, address, target);
  const bool indirect = is_indirect(instruction.op);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    text += (i == 0 || indirect ? " " : ", ") + operands[i];
  }
  return text;
}

}  // namespace gpusim::sass
