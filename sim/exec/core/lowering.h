// SPDX-License-Identifier: MIT
// How a family of instructions makes micro-operations: it is handed the decoded instruction, and resolves operands.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/code/sass/instruction.h"
#include "sim/exec/core/image.h"
#include "sim/exec/core/micro_op.h"

namespace gpusim::exec {

/// One instruction on its way into an image.
class Lowering {
 public:
  Lowering(Image& image, const sass::Instruction& instruction, std::uint32_t pc)
      : image_(image), instruction_(instruction), pc_(pc) {}

  [[nodiscard]] const sass::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] const sass::Operand& operand(std::size_t at) const { return instruction_.operands[at]; }
  [[nodiscard]] bool has(sass::Mod mod) const { return instruction_.has(mod); }
  [[nodiscard]] std::uint8_t modifier(sass::Mod mod) const { return instruction_.modifier(mod); }
  [[nodiscard]] std::uint32_t pc() const { return pc_; }
  [[nodiscard]] MicroOp& op() { return op_; }
  [[nodiscard]] const Image& image() const { return image_; }
  /// An operand is beyond the end of its constant bank.
  [[nodiscard]] bool outside_bank() const { return outside_bank_; }
  void set_outside_bank() { outside_bank_ = true; }

  /// Sets source `to` from an operand: a register, an immediate, a constant; rows of zeros where there is none. An
  /// operand of width 2 has its upper half in the row behind; an FP64 immediate is the upper half.
  void source(std::size_t to, std::size_t operand_at);
  /// The rows of a value that no lane changes, one row per word.
  [[nodiscard]] std::uint32_t pooled(std::span<const std::uint32_t> words);
  /// Sets source `to` to such a value.
  void constant_source(std::size_t to, std::uint32_t word);
  /// The register that indexes a constant bank.
  void index_source(std::size_t to, std::size_t operand_at);
  void destination(std::size_t to, std::size_t operand_at);
  /// A predicate that the instruction reads, PT where there is none.
  void predicate(std::size_t to, std::size_t operand_at);
  void predicate_destination(std::size_t to, std::size_t operand_at);
  /// A branch's target, as index of an instruction; one that leaves the code is an error when it is reached.
  void target(std::size_t operand_at);
  /// The base register and offset of an address: source 0, a uniform register that is added: source 1 (zeros where
  /// there is none), MicroOp::offset. `width` of the base: 1 or 2 registers, in MicroOp::bytes[0]; of the uniform
  /// register in bytes[1].
  void address(std::size_t operand_at, std::size_t base_to = 0, std::size_t uniform_to = 1);

  /// Where words of a constant bank begin; null where it does not have so many bytes.
  [[nodiscard]] const char* constant(unsigned bank, std::int64_t offset, unsigned bytes) const;

 private:
  [[nodiscard]] std::uint32_t row_of(const sass::Operand& operand) const;
  [[nodiscard]] static std::uint8_t predicate_index(const sass::Operand& operand);

  Image& image_;
  const sass::Instruction& instruction_;
  std::uint32_t pc_;
  bool outside_bank_ = false;
  MicroOp op_;
};

/// Fills Lowering::op(), the guard excepted. Leaves the handler null for a form that has no semantics here.
using Lower = void (*)(Lowering& lowering);

/// A row of a family's table.
struct LowerRow {
  sass::Op op = sass::Op::kUnknown;
  Lower lower = nullptr;
};

}  // namespace gpusim::exec
