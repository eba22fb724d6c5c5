// SPDX-License-Identifier: MIT
// Which instructions decide lanes, addresses and paths, on code of a few lines.
#include "sim/code/flow/slice.h"

#include <initializer_list>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/code/flow/edges.h"

namespace slice_test {

using namespace gpusim;
using isa::RegFile;
using sass::Instruction;
using sass::Op;
using sass::Operand;
using sass::OperandKind;

namespace {

Operand reg(std::uint8_t index, std::uint8_t width = 1, RegFile file = RegFile::kGeneral) {
  Operand operand;
  operand.kind = OperandKind::kRegister;
  operand.file = file;
  operand.index = index;
  operand.width = width;
  return operand;
}

Operand predicate(std::uint8_t index) {
  return reg(index, 1, RegFile::kPredicate);
}

Operand to(Operand operand) {
  operand.written = true;
  return operand;
}

/// [R<index>.64]
Operand at(std::uint8_t index) {
  Operand operand = reg(index, 2);
  operand.kind = OperandKind::kMemory;
  return operand;
}

Instruction make(Op op, std::initializer_list<Operand> operands) {
  Instruction instruction;
  instruction.op = op;
  for (const Operand& operand : operands) {
    instruction.operands[instruction.operand_count++] = operand;
  }
  return instruction;
}

Instruction guarded(std::uint8_t index, bool negated, Instruction instruction) {
  instruction.guard.index = index;
  instruction.guard.negated = negated;
  return instruction;
}

Instruction branch(std::uint32_t from, std::uint32_t target) {
  Operand place;
  place.kind = OperandKind::kTarget;
  place.value = (static_cast<std::int64_t>(target) - from - 1) * sass::kInstructionBytes;
  return make(Op::kBra, {Operand{}, place});
}

Instruction load(std::uint8_t into, std::uint8_t address) {
  return make(Op::kLdg, {to(reg(into)), at(address)});
}
Instruction store(std::uint8_t address, std::uint8_t value) {
  return make(Op::kStg, {at(address), reg(value)});
}
Instruction add(std::uint8_t into, std::uint8_t a, std::uint8_t b) {
  return make(Op::kIadd3, {to(reg(into)), reg(a), reg(b)});
}
Instruction compare(std::uint8_t into, std::uint8_t a) {
  return make(Op::kIsetp, {to(predicate(into)), reg(a)});
}
const Instruction kExit = make(Op::kExit, {});

std::vector<bool> slice_in(const std::vector<Instruction>& code) {
  return flow::slice_of(code).contains;
}

}  // namespace

TEST_CASE("what is only stored is not in the slice, and what calculates an address is") {
  const std::vector<Instruction> code = {add(2, 8, 9), load(4, 2), add(5, 4, 4), store(2, 5), kExit};
  CHECK(slice_in(code) == std::vector<bool>{true, true, false, true, true});
  CHECK_FALSE(flow::slice_of(code).decider);
}

TEST_CASE("a value from memory decides when an address depends on it") {
  const std::vector<Instruction> code = {load(4, 2), add(6, 4, 8), load(5, 6), kExit};
  CHECK(flow::slice_of(code).decider == 0);
}

TEST_CASE("a value from memory decides when a branch, or lanes of an instruction, depend on it") {
  const std::vector<Instruction> branches = {load(4, 2), compare(0, 4), guarded(0, false, branch(2, 0)), kExit};
  CHECK(flow::slice_of(branches).decider == 0);
  const std::vector<Instruction> guards = {load(4, 2), compare(0, 4), guarded(0, false, add(5, 5, 5)), kExit};
  CHECK(flow::slice_of(guards).decider == 0);
}

TEST_CASE("a value that is overwritten before an address is made of its register decides nothing") {
  const std::vector<Instruction> code = {load(2, 6), add(5, 2, 2), add(2, 8, 8), add(3, 8, 8), load(4, 2), kExit};
  CHECK_FALSE(flow::slice_of(code).decider);
  CHECK_FALSE(slice_in(code)[1]);
}

TEST_CASE("a guarded write leaves the value of the other lanes, unless only the same lanes need it") {
  const auto code = [](bool negated) {
    return std::vector<Instruction>{load(2, 6), guarded(0, false, add(2, 8, 8)), guarded(0, false, add(3, 8, 8)),
                                    guarded(0, negated, load(4, 2)), kExit};
  };
  CHECK_FALSE(flow::slice_of(code(false)).decider);
  CHECK(flow::slice_of(code(true)).decider == 0);
}

TEST_CASE("a predicate that changes between a guarded write and its use says nothing of the write") {
  const std::vector<Instruction> code = {load(2, 6), guarded(0, false, add(2, 8, 8)), compare(0, 8),
                                         guarded(0, false, load(4, 2)), kExit};
  CHECK(flow::slice_of(code).decider == 0);
}

TEST_CASE("what an instruction calculates for lanes that do not need it is not in the slice") {
  const std::vector<Instruction> code = {guarded(0, true, add(2, 8, 8)), guarded(0, false, load(4, 2)), kExit};
  CHECK(slice_in(code) == std::vector<bool>{false, true, true});
}

TEST_CASE("needs go round a loop") {
  // R2 is an address at the top, and comes from R5, which is loaded at the bottom.
  const std::vector<Instruction> code = {
      load(4, 2), add(2, 5, 5), add(3, 5, 5), load(5, 6), compare(0, 8), guarded(0, false, branch(5, 0)), kExit};
  CHECK(flow::slice_of(code).decider == 3);
}

TEST_CASE("behind a branch whose target is in a register every need of the code is one") {
  const std::vector<Instruction> code = {load(2, 6), make(Op::kBrx, {reg(10, 2)}), load(4, 2), kExit};
  CHECK(flow::slice_of(code).decider == 0);
}

TEST_CASE("a return leads behind every call") {
  Instruction call = branch(1, 4);
  call.op = Op::kCallRel;
  const std::vector<Instruction> code = {load(2, 6), call, load(4, 2), kExit, make(Op::kRet, {reg(10, 2)})};
  CHECK(flow::slice_of(code).decider == 0);
  const std::vector<flow::Edge> edges = flow::edges_of(code);
  CHECK(std::ranges::find(edges, flow::Edge{4, 2}) != edges.end());
}

TEST_CASE("predicates that are set from a register keep those that its mask does not name") {
  Operand file = to(Operand{});
  file.kind = OperandKind::kPredicates;
  file.file = RegFile::kPredicate;
  const std::vector<Instruction> code = {load(4, 6), compare(0, 4), make(Op::kR2p, {file, reg(8)}),
                                         guarded(0, false, add(5, 5, 5)), kExit};
  CHECK(flow::slice_of(code).decider == 0);
}

TEST_CASE("a value of a matrix product in shared memory decides as a loaded one does") {
  const std::vector<Instruction> code = {make(Op::kHgmma, {to(reg(24, 8))}), compare(0, 24),
                                         guarded(0, false, branch(2, 0)), kExit};
  CHECK(flow::slice_of(code).decider == 0);
}

TEST_CASE("a load from a constant bank at an address in a register is in the slice: it may be beyond the end") {
  Operand indexed = reg(6);
  indexed.kind = OperandKind::kConstant;
  const std::vector<Instruction> code = {make(Op::kLdc, {to(reg(4)), indexed}), store(2, 4), kExit};
  CHECK(slice_in(code)[0]);
}

TEST_CASE("tensor maps may come from memory where no parameter is one, or where code announces changed ones") {
  const std::vector<Instruction> copies = {make(Op::kUtmaldg, {}), kExit};
  const std::vector<Instruction> announces = {make(Op::kUtmacctl, {}), make(Op::kUtmaldg, {}), kExit};
  CHECK_FALSE(flow::may_read_maps(copies, true));
  CHECK(flow::may_read_maps(copies, false));
  CHECK(flow::may_read_maps(announces, true));
  CHECK_FALSE(flow::may_read_maps(std::vector<Instruction>{kExit}, false));
}

}  // namespace slice_test
