// SPDX-License-Identifier: MIT
#include "sim/code/sass/decode.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "sim/code/sass/row.h"
#include "sim/code/sass/text.h"
#include "sim/model/isa/decode.h"

#include "tests/code/sass/vectors.h"

using namespace gpusim;
using namespace gpusim::sass;

namespace {

Instruction decoded(std::string_view digits, Generation generation = Generation::kSm80) {
  return decode(code_of(digits), generation);
}

bool has_opcode(std::string_view base) {
  const auto rows = isa::opcode_table();
  return std::any_of(rows.begin(), rows.end(), [base](const isa::OpcodeRow& row) { return row.base == base; });
}

}  // namespace

TEST_CASE("operands come with their kinds, numbers, signs and widths, at places that do not depend on the form") {
  const Instruction add = decoded("000fc40007ffe0ff0000000104047810");
  CHECK(to_text(add, 0) == "IADD3 R4, R4, 0x1, RZ");
  CHECK(add.op == Op::kIadd3);
  CHECK(add.operands[0].is_register(isa::RegFile::kGeneral));
  CHECK(add.operands[0].written);
  CHECK(add.operands[1].is_register(isa::RegFile::kPredicate));
  CHECK(add.operands[1].hidden);
  CHECK(add.operands[3].index == 4);
  CHECK(add.operands[4].kind == OperandKind::kImmediate);
  CHECK(add.operands[4].value == 1);
  CHECK(add.operands[5].index == isa::kRZ);
  CHECK(add.operands[6].kind == OperandKind::kNone);

  const Instruction wide = decoded("040fe200078e000b00005a0000047625");
  CHECK(to_text(wide, 0) == "IMAD.WIDE.U32 R4, R0.reuse, R11, c[0x0][0x168]");
  CHECK(wide.operands[0].width == 2);
  CHECK(wide.operands[3].index == 11);
  CHECK(wide.operands[4].kind == OperandKind::kConstant);
  CHECK(wide.operands[4].value == 0x168);
  CHECK(wide.operands[4].width == 2);
}

TEST_CASE("modifiers are found by what they mean") {
  const Instruction compare = decoded("000fda0003f04070000000ff0000780c");
  CHECK(static_cast<IntCompare>(compare.modifier(Mod::kIntCompare)) == IntCompare::kGreater);
  CHECK(static_cast<Boolean>(compare.modifier(Mod::kBoolean)) == Boolean::kAnd);
  CHECK_FALSE(compare.has(Mod::kSigned));
  CHECK_FALSE(compare.has(Mod::kFtz));  // no such modifier
  const Instruction load = decoded("000162000c1e19000000800402007981");
  CHECK(to_text(load, 0) == "LDG.E R0, desc[UR4][R2.64+0x80]");
  CHECK(static_cast<Size>(load.modifier(Mod::kSize)) == Size::k32);
  CHECK(load.operands[1].kind == OperandKind::kMemory);
  CHECK(load.operands[1].descriptor);
  CHECK(load.operands[1].width == 2);
  CHECK(load.operands[1].value == 0x80);
}

TEST_CASE("a signed sum with its maximum negates what it says, and not its first source") {
  const Instruction sum = decoded("004fc600078001060000000504097246", Generation::kSm90);
  CHECK(to_text(sum, 0) == "VIADDMNMX R9, R4, R5, R6, !PT");
  CHECK_FALSE(sum.operands[1].negated);
  const Instruction difference = decoded("004fc600038000068000000405097246", Generation::kSm90);
  CHECK(to_text(difference, 0) == "VIADDMNMX.U32 R9, R5, -R4, R6, PT");
}

TEST_CASE("the floating-point atomics of sm_90 name their type, their operation and as many registers as they take") {
  const Instruction pairs = decoded("004ea800081ee1c400000004020979a3", Generation::kSm90);
  CHECK(static_cast<FloatAtomic>(pairs.modifier(Mod::kFloatAtomic)) == FloatAtomic::kF16x2);
  CHECK(pairs.operands[3].width == 1);
  const Instruction four = decoded("004fe8000c10f78400000008020079a6", Generation::kSm90);
  CHECK(static_cast<FloatAtomic>(four.modifier(Mod::kFloatAtomic)) == FloatAtomic::kF32x4);
  CHECK(four.operands[1].width == 4);
  const Instruction least = decoded("004ea800091ee3c400000004020879a3", Generation::kSm90);
  CHECK(static_cast<AtomicOp>(least.modifier(Mod::kAtomicOp)) == AtomicOp::kMin);
  CHECK(to_isa(decoded("004ea800081effc400000004020479a3", Generation::kSm90)).bytes_per_lane == 8);  // F64
}

TEST_CASE("a function of FP16 says so, and which half of the register it takes") {
  const Instruction ampere = decoded("000e240000000a001000000400097308");
  CHECK(to_text(ampere, 0) == "MUFU.EX2.F16 R9, R4.H1");
  CHECK(ampere.operands[1].part == Part::kHigh);
  CHECK(to_text(decoded("000e2400000009001000000400097308", Generation::kSm90), 0) == "MUFU.EX2.F16 R9, R4.H1");
}

TEST_CASE("the control bits are those of the listing's notation") {
  const Instruction load = decoded("000162000c1e19000000800402007981");
  CHECK(isa::to_text(control_bits(load.control)) == "[B------:R0:W5:-:S01]");
  CHECK(to_isa(load).control == control_bits(load.control));
}

TEST_CASE("the target of a branch counts from the end of the instruction, and in two parts on sm_90") {
  const Instruction ampere = decoded("000fc0000383fffffffffff000007947");
  CHECK(ampere.operands[1].value == -16);
  CHECK(to_text(ampere, 0x110) == "BRA 0x110");
  CHECK(to_text(ampere, 0x110, [](std::int64_t) { return std::string(".L_x_0"); }) == "BRA .L_x_0");
  const Instruction hopper = decoded("000fc0000383fffffffffffc00fc7947", Generation::kSm90);
  CHECK(hopper.operands[1].value == -16);
  CHECK(encode(hopper) == code_of("000fc0000383fffffffffffc00fc7947"));
}

TEST_CASE("an unknown encoding keeps its bits, its guard and its control bits") {
  const Code code = code_of("000fe20000000000123456789a8a9fff");
  const Instruction unknown = decode(code, Generation::kSm90);
  CHECK_FALSE(unknown.is_known());
  CHECK(unknown.op == Op::kUnknown);
  CHECK(encode(unknown) == code);
  CHECK(to_text(unknown, 0) == "@!P1 UNKNOWN_0FFF 0x000fe20000000000 0x123456789a8a9fff");
  CHECK(unknown.control.stall == 1);
  CHECK_FALSE(to_isa(unknown).known_opcode);
}

TEST_CASE("an instruction that was changed encodes as what it now is") {
  Instruction add = decoded("000fc40007ffe0ff0000000104047810");
  add.operands[0].index = 9;
  add.operands[4].value = -2;
  add.guard = {2, true, false};
  const Instruction again = decode(encode(add), Generation::kSm80);
  CHECK(to_text(again, 0) == "@!P2 IADD3 R9, R4, -0x2, RZ");
}

TEST_CASE(
    "a key stands for one row in each generation, and an op has its operands at the same places in all its rows") {
  std::set<std::pair<std::size_t, std::uint16_t>> keys;
  std::map<Op, const EncodingRow*> first;
  for (const auto& part : encoding_table()) {
    for (const EncodingRow& row : part) {
      INFO(row.name);
      for (std::size_t generation = 0; generation < kGenerations; ++generation) {
        for (const std::uint16_t key : row.keys) {
          if (((row.generations >> generation) & 1U) != 0) {
            CHECK(keys.emplace(generation, key).second);
          }
        }
      }
      CHECK(row.generations != 0);
      CHECK(has_opcode(row.name.substr(0, row.name.find('.'))));
      const EncodingRow& like = *first.emplace(row.op, &row).first->second;
      if (row.op != Op::kWarpsync) {  // sm_90 has a target where it is .COLLECTIVE
        CHECK(row.operands.size() == like.operands.size());
        CHECK(row.operands[0].written == like.operands[0].written);
      }
    }
  }
}

TEST_CASE("every key decodes and encodes whatever else the bits are") {
  std::uint64_t state = 0x9e3779b97f4a7c15U;
  const auto random = [&state] {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    return state;
  };
  for (std::size_t generation = 0; generation < kGenerations; ++generation) {
    for (unsigned key = 0; key < 2 * kUniformKey; ++key) {
      Code code{random(), random()};
      set_bits(code, {0, 12}, key);
      set_bits(code, {91, 1}, key / kUniformKey);
      const Instruction instruction = decode(code, static_cast<Generation>(generation));
      REQUIRE(encode(instruction) == code);
      REQUIRE_FALSE(to_text(instruction, 0).empty());
      REQUIRE_NOTHROW(to_isa(instruction));
    }
  }
}

TEST_CASE("the shapes of WGMMA operations are numbered as ptxas does it") {
  const auto columns = [](ShapeCode code, unsigned value) { return warpgroup_shape(code, value).columns; };
  // What ptxas 13.0 makes of m64nNk32 with .s8, of its sparse kin, of m64nNk256 with .b1 and of m64nNk16 with .f16.
  constexpr std::pair<unsigned, unsigned> kOfIntegers[] = {{0, 8},   {3, 16},  {6, 24},   {9, 32},   {12, 48},
                                                           {15, 64}, {18, 80}, {27, 128}, {48, 240}, {51, 256}};
  for (const auto& [value, n] : kOfIntegers) {
    CHECK(columns(ShapeCode::kIntegers, value) == n);
    CHECK(warpgroup_shape(ShapeCode::kIntegers, value).depth == 0);
    CHECK(columns(ShapeCode::kIntegers, value + 1) == n);
    CHECK(warpgroup_shape(ShapeCode::kIntegers, value + 1).depth == 1);
    CHECK(columns(ShapeCode::kBits, value / 3) == n);
  }
  CHECK(columns(ShapeCode::kEights, 4) == 40);
  CHECK(columns(ShapeCode::kEights, 95) == 256);
  CHECK(warpgroup_shape(ShapeCode::kEights, 95).depth == 2);
}
