// SPDX-License-Identifier: MIT
// The words in which the rows of the encoding table are written. Numbers are bits of the code.
#pragma once

#include "sim/code/sass/modifier_kinds.h"
#include "sim/code/sass/row.h"

namespace gpusim::sass {

using enum Wide;
using enum FormClass;
using enum Confidence;
using enum ImmediateKind;

inline constexpr GenerationSet k75 = 1;
inline constexpr GenerationSet k80 = 2;
inline constexpr GenerationSet k86 = 4;
inline constexpr GenerationSet k89 = 8;
inline constexpr GenerationSet k90 = 16;
inline constexpr GenerationSet kFrom86 = k86 | k89 | k90;
inline constexpr GenerationSet kFrom80 = k80 | kFrom86;
inline constexpr GenerationSet k80To89 = k80 | k86 | k89;
inline constexpr GenerationSet kTo89 = k75 | k80 | k86 | k89;
inline constexpr GenerationSet kAll = k75 | kFrom80;

constexpr OperandRow of_slot(Slot slot, BitRange bits = {}, isa::RegFile file = isa::RegFile::kNone) {
  OperandRow row;
  row.slot = slot;
  row.bits = bits;
  row.file = file;
  return row;
}

/// Registers: R, UR, P, UP; predicates that are stored as 7 less their number.
constexpr OperandRow r(std::uint8_t at) {
  return of_slot(Slot::kRegister, {at, 8}, isa::RegFile::kGeneral);
}
constexpr OperandRow ur(std::uint8_t at) {
  return of_slot(Slot::kRegister, {at, 6}, isa::RegFile::kUniform);
}
constexpr OperandRow p(std::uint8_t at) {
  return of_slot(Slot::kRegister, {at, 3}, isa::RegFile::kPredicate);
}
constexpr OperandRow up(std::uint8_t at) {
  return of_slot(Slot::kRegister, {at, 3}, isa::RegFile::kUniformPredicate);
}
constexpr OperandRow complemented(OperandRow row) {
  row.complement = true;
  return row;
}
constexpr OperandRow pinv(std::uint8_t at) {
  return complemented(p(at));
}
constexpr OperandRow upinv(std::uint8_t at) {
  return complemented(up(at));
}

/// The sources whose places depend on the form.
constexpr OperandRow x() {
  return of_slot(Slot::kX, {32, 8}, isa::RegFile::kGeneral);
}
constexpr OperandRow y() {
  return of_slot(Slot::kY, {64, 8}, isa::RegFile::kGeneral);
}
constexpr OperandRow ux() {
  return of_slot(Slot::kX, {32, 6}, isa::RegFile::kUniform);
}
constexpr OperandRow uy() {
  return of_slot(Slot::kY, {64, 6}, isa::RegFile::kUniform);
}
constexpr OperandRow x_or_y() {
  return of_slot(Slot::kXorY, {32, 8}, isa::RegFile::kGeneral);
}

constexpr OperandRow imm(std::uint8_t at, std::uint8_t width) {
  return of_slot(Slot::kImmediate, {at, width});
}

/// What FSWZADD does with its operands, a pair of bits for each of four lanes.
constexpr OperandRow pattern(std::uint8_t at) {
  return imm(at, 8).as(kPattern);
}

/// Addresses: a base register and an offset with sign. ur(): a uniform register in the forms with bit 91, which desc()
/// makes a descriptor.
constexpr OperandRow memory(std::uint8_t base, std::uint8_t at, std::uint8_t width) {
  OperandRow row = of_slot(Slot::kMemory, {at, width}, isa::RegFile::kGeneral);
  row.base = base;
  return row;
}
constexpr OperandRow uniform_memory(std::uint8_t base, std::uint8_t at = 0, std::uint8_t width = 0) {
  OperandRow row = of_slot(Slot::kMemory, {at, width}, isa::RegFile::kUniform);
  row.base = base;
  return row;
}

/// c[bank][offset], with an index register where a place for one is given.
constexpr OperandRow constant(std::uint8_t base = kNoBit) {
  OperandRow row = of_slot(Slot::kConstant, {38, 16}, base == kNoBit ? isa::RegFile::kNone : isa::RegFile::kGeneral);
  row.base = base;
  return row;
}
constexpr OperandRow uniform_constant(std::uint8_t base) {
  OperandRow row = of_slot(Slot::kConstant, {38, 16}, isa::RegFile::kUniform);
  row.base = base;
  return row;
}

constexpr OperandRow target() {
  return of_slot(Slot::kRelativeWide, {34, 48});
}
constexpr OperandRow near_target() {
  return of_slot(Slot::kRelative, {34, 30});
}
constexpr OperandRow offset() {
  return of_slot(Slot::kOffset, {34, 48});
}
constexpr OperandRow special(std::uint8_t at) {
  return of_slot(Slot::kSpecial, {at, 8});
}
constexpr OperandRow barrier(std::uint8_t at, std::uint8_t width) {
  return of_slot(Slot::kConvergence, {at, width});
}
/// A half of the return program counter: the upper one where the bit is set.
constexpr OperandRow return_pc(std::uint8_t at) {
  return of_slot(Slot::kReturnPc, {at, 1});
}
constexpr OperandRow table() {
  return of_slot(Slot::kTable);
}
constexpr OperandRow predicates() {
  return of_slot(Slot::kPredicates, {}, isa::RegFile::kPredicate);
}
constexpr OperandRow upredicates() {
  return of_slot(Slot::kPredicates, {}, isa::RegFile::kUniformPredicate);
}
constexpr OperandRow scoreboard(std::uint8_t at) {
  return of_slot(Slot::kScoreboard, {at, 3});
}
constexpr OperandRow scoreboards(std::uint8_t at) {
  return of_slot(Slot::kScoreboards, {at, 6});
}
/// `registers`: 4 with descriptors of both matrices, 2 with that of B.
constexpr OperandRow descriptor(std::uint8_t at, std::uint8_t registers) {
  return of_slot(Slot::kMatrixDescriptor, {at, 6}, isa::RegFile::kUniform).w(registers == 4 ? Wide::k4 : Wide::k2);
}
constexpr OperandRow group(std::uint8_t at) {
  return of_slot(Slot::kGroup, {at, 3});
}
constexpr OperandRow group0() {
  return of_slot(Slot::kGroup);
}

constexpr ModifierRow m(const ModifierKind& kind, std::uint8_t at, std::uint8_t width = 1) {
  return {&kind, {BitRange{at, width}, {}, {}, {}}};
}
constexpr ModifierRow m(const ModifierKind& kind, BitRange low, BitRange second, BitRange third = {},
                        BitRange fourth = {}) {
  return {&kind, {low, second, third, fourth}};
}
/// A modifier that means something only where another is set.
constexpr ModifierRow only_with(Mod other, ModifierRow row) {
  row.only_with = other;
  return row;
}
/// A modifier that is not printed by itself.
constexpr ModifierRow silent(ModifierRow row) {
  row.silent = true;
  return row;
}

}  // namespace gpusim::sass
