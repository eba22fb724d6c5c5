// SPDX-License-Identifier: MIT
#include "sim/exec/core/lowering.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "sim/code/sass/code.h"
#include "sim/exec/core/warp.h"

namespace gpusim::exec {

using isa::RegFile;
using sass::OperandKind;

std::uint32_t Lowering::row_of(const sass::Operand& operand) const {
  if (operand.index == isa::last_register(operand.file)) {
    return operand.written ? RowLayout::sink() : RowLayout::zero();
  }
  return operand.file == RegFile::kUniform ? image_.layout.uniform(operand.index) : RowLayout::general(operand.index);
}

std::uint8_t Lowering::predicate_index(const sass::Operand& operand) {
  if (operand.index == isa::kPT && operand.written) {
    return Warp::kPredicateSink;
  }
  const unsigned first = operand.file == RegFile::kUniformPredicate ? Warp::kFirstUniformPredicate : 0;
  return static_cast<std::uint8_t>(first + operand.index);
}

std::uint32_t Lowering::pooled(std::span<const std::uint32_t> words) {
  const std::uint32_t row = image_.pool.rows();
  image_.pool.grow(row + static_cast<std::uint32_t>(words.size()));
  std::uint32_t* const to = image_.pool.data() + std::size_t{row} * kRow;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::fill_n(to + i * kRow, kRow, words[i]);
  }
  return row * kRow;
}

void Lowering::constant_source(std::size_t to, std::uint32_t word) {
  op_.sources[to] = {};
  op_.sources[to].pooled = true;
  op_.sources[to].offset = pooled(std::array{word});
}

const char* Lowering::constant(unsigned bank, std::int64_t offset, unsigned bytes) const {
  const auto found = image_.banks.find(bank);
  if (found == image_.banks.end() || offset < 0 || static_cast<std::uint64_t>(offset) + bytes > found->second.size()) {
    return nullptr;
  }
  return found->second.data() + offset;
}

void Lowering::source(std::size_t to, std::size_t operand_at) {
  const sass::Operand& operand = instruction_.operands[operand_at];
  Source& source = op_.sources[to];
  source.negated = operand.negated;
  source.absolute = operand.absolute;
  source.inverted = operand.inverted;
  source.part = operand.part;
  switch (operand.kind) {
    case OperandKind::kRegister: source.offset = row_of(operand); break;
    case OperandKind::kImmediate: {
      const auto word = static_cast<std::uint32_t>(operand.value);
      const bool doubled = operand.immediate == sass::ImmediateKind::kDouble;
      const std::uint32_t upper =
          operand.immediate == sass::ImmediateKind::kSigned && operand.value < 0 ? ~std::uint32_t{0} : 0;
      source.pooled = true;
      source.offset = doubled ? pooled(std::array{std::uint32_t{0}, word}) : pooled(std::array{word, upper});
      break;
    }
    case OperandKind::kConstant: {
      std::array<std::uint32_t, 2> words{};
      const unsigned bytes = 4U * std::min<unsigned>(operand.width, 2);
      const char* const from = constant(operand.bank, operand.value, bytes);
      if (from == nullptr) {
        outside_bank_ = true;
        break;
      }
      std::memcpy(words.data(), from, bytes);
      source.pooled = true;
      source.offset = pooled(words);
      break;
    }
    default: source.offset = RowLayout::zero(); break;
  }
}

void Lowering::index_source(std::size_t to, std::size_t operand_at) {
  op_.sources[to].offset = row_of(instruction_.operands[operand_at]);
}

void Lowering::destination(std::size_t to, std::size_t operand_at) {
  const sass::Operand& operand = instruction_.operands[operand_at];
  op_.destinations[to] = operand.kind == OperandKind::kRegister ? row_of(operand) : RowLayout::sink();
}

void Lowering::predicate(std::size_t to, std::size_t operand_at) {
  const sass::Operand& operand = instruction_.operands[operand_at];
  if (operand.kind == OperandKind::kRegister) {
    op_.predicates[to] = {predicate_index(operand), operand.negated};
  } else {
    op_.predicates[to] = {isa::kPT, false};
  }
}

void Lowering::predicate_destination(std::size_t to, std::size_t operand_at) {
  const sass::Operand& operand = instruction_.operands[operand_at];
  op_.predicate_destinations[to] =
      operand.kind == OperandKind::kRegister ? predicate_index(operand) : std::uint8_t{Warp::kPredicateSink};
}

void Lowering::target(std::size_t operand_at) {
  const std::int64_t behind = (std::int64_t{pc_} + 1) * sass::kInstructionBytes;
  const std::int64_t address = behind + instruction_.operands[operand_at].value;
  const auto end = static_cast<std::int64_t>(image_.instructions.size());
  const std::int64_t index = address / sass::kInstructionBytes;
  const bool inside = address >= 0 && address % sass::kInstructionBytes == 0 && index < end;
  op_.target = static_cast<std::uint32_t>(inside ? index : end);
}

void Lowering::address(std::size_t operand_at, std::size_t base_to, std::size_t uniform_to) {
  const sass::Operand& operand = instruction_.operands[operand_at];
  op_.sources[base_to].offset = row_of(operand);
  op_.offset = operand.value;
  op_.bytes[0] = operand.width;
  op_.bytes[2] = operand.scale;
  op_.sources[uniform_to] = {};
  if (operand.has_uniform && !operand.descriptor && operand.uniform != isa::kURZ) {
    op_.sources[uniform_to].offset = image_.layout.uniform(operand.uniform);
  }
}

}  // namespace gpusim::exec
