// SPDX-License-Identifier: MIT
#include "sim/input/listing/listing.h"

#include <catch2/catch.hpp>

#include "sim/input/kind/listing.h"
#include "sim/model/isa/decode.h"

#include "tests/input/listing/listings.h"

namespace listing_test {

using namespace gpusim;
using namespace gpusim::frontend::sass;

namespace {

std::string listing_error(const std::string& text) {
  try {
    (void)read_listing(text, "k.sass");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("what cuobjdump prints is read with addresses, guards, operands and control bits") {
  const auto functions = read_listing(test::kCuobjdump, "k.sass");
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].name == "sums");
  REQUIRE(functions[0].code.size() == 22);
  const ListedInstruction& branch = functions[0].code[17];
  CHECK(branch.address == 0x110);
  CHECK(branch.guard == "@!P0");
  CHECK(branch.opcode == "BRA");
  CHECK(branch.operands == std::vector<std::string>{"0xc0"});
  CHECK(branch.words == std::vector<std::uint64_t>{0xffffffa000008947, 0x000fea000383ffff});
  CHECK(isa::to_text(*functions[0].code[16].control) == "[B--2---:R-:W-:Y:S08]");
  CHECK(functions[0].code[12].operands == std::vector<std::string>{"R6", "[R2.64]"});
}

TEST_CASE("what nvdisasm prints is read with labels and the count of registers") {
  const auto functions = read_listing(test::kNvdisasm, "k.sass");
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].name == "spin");
  CHECK(functions[0].registers == 12);
  CHECK(functions[0].labels == std::map<std::string, std::uint32_t>{{"L_x_0", 1}, {"L_x_1", 4}});
}

TEST_CASE("the notations of CuAssembler and maxas give control bits without an encoding") {
  const auto cuasm = read_listing("[B0-----:R-:W1:-:S02] /*0000*/ LDG.E R4, [R2.64] ;\n", "k");
  CHECK(isa::to_text(*cuasm[0].code[0].control) == "[B0-----:R-:W1:-:S02]");
  const auto maxas = read_listing("--:-:2:Y:4   LDG.E R4, [R2.64];\nTOP:\n01:-:-:-:5 @P0 BRA TOP;\n", "k");
  REQUIRE(maxas[0].code.size() == 2);
  CHECK(isa::to_text(*maxas[0].code[0].control) == "[B------:R-:W1:Y:S04]");
  CHECK(maxas[0].code[1].address == 16);
  CHECK(maxas[0].labels.at("TOP") == 1);
}

TEST_CASE("what is linked later, and what later tools say of the encoding, is not an operand that matters") {
  const auto functions =
      read_listing("MOV R4, 32@lo((f + .L_1@srel)) ;\nLEPC R20, `(.L_1) ;\nS2R R3, SR_TID.X &wr=0x0 ?trans1 ;\n", "k");
  REQUIRE(functions[0].code.size() == 3);
  CHECK(functions[0].code[1].instr.destinations[0].index == 20);
  CHECK(functions[0].code[2].operands == std::vector<std::string>{"R3", "SR_TID.X"});
}

TEST_CASE("a listing without encodings has no control bits") {
  const auto functions = read_listing("/*0000*/ NOP ;\n/*0010*/ EXIT ;\n", "k");
  CHECK_FALSE(functions[0].code[0].control);
}

TEST_CASE("several functions are kept apart") {
  const auto functions = read_listing("\t\tFunction : a\n/*0000*/\tEXIT ;\nFunction : b\n/*0000*/ EXIT ;\n", "k");
  REQUIRE(functions.size() == 2);
  CHECK(functions[1].name == "b");
}

TEST_CASE("a line that makes no sense is named with its place") {
  CHECK(listing_error("") == "k.sass: has no instructions (expected what cuobjdump -sass or nvdisasm -hex prints)");
  CHECK(listing_error("/*0000*/ FADD R0, R256, R1 ;").find("k.sass:1:10: FADD: operand 'R256'") == 0);
  CHECK(listing_error("/*0000*/ fadd R0 ;").find("k.sass:1:10: 'fadd' is not an opcode") == 0);
  CHECK(listing_error("/*0000*/ EXIT").find("k.sass:1:10: the instruction 'EXIT' has no ';'") == 0);
  CHECK(listing_error("/*0000*/ EXIT ; /* 0x12zz */").find("'0x12zz' is not a word of 64 bits") != std::string::npos);
  CHECK(listing_error("/*0000*/ EXIT ; /* 0x0a */").find("'0x0a' is not a word of 64 bits (expected 16 hexadecimal") !=
        std::string::npos);
  CHECK(listing_error("/*0000*/ EXIT ; /* 0x12").find("k.sass:1:17: this comment is not closed") == 0);
  CHECK(listing_error("/*0010*/ NOP ;\n/*0000*/ EXIT ;").find("k.sass:2:1: the address does not follow") == 0);
  CHECK(listing_error("/* 0x0000000000000000 */").find("belongs to no instruction") != std::string::npos);
  CHECK(listing_error("/*0000*/ EXIT ; /* 0x000000000000794d */").find("an encoding of 64 bits") != std::string::npos);
  CHECK(listing_error("[B------:R9:W-:-:S05] EXIT ;").find("'[B------:R9:W-:-:S05]' are not control bits") !=
        std::string::npos);
  CHECK(listing_error("[B------:R-:W-:-:S05] NOP ;\nEXIT ;").find("k.sass:2:1: EXIT has neither encoding nor") == 0);
  CHECK(listing_error("/*0000*/ FADD R0, R1.{x}, R1 ;").find("operand 'R1.{x}' makes no sense: '{'") !=
        std::string::npos);
  CHECK(listing_error("/*0000*/ FADD#x R0, R1, R1 ;").find("'FADD#x' is not an opcode") != std::string::npos);
  CHECK(listing_error("A:\nA:\nEXIT ;").find("label 'A' stands a second time") != std::string::npos);
}

TEST_CASE("one function for two architectures is refused") {
  const std::string text = "code for sm_70\nFunction : a\nEXIT ;\ncode for sm_80\nFunction : a\nEXIT ;\n";
  CHECK(listing_error(text) ==
        "k.sass:5:1: function 'a' stands a second time (first in line 2; list the code for one "
        "architecture, as with cuobjdump -sass -arch sm_80)");
}

TEST_CASE("code from before Volta is refused at once") {
  CHECK(listing_error(
            "code for sm_52\nFunction : a\n/* 0x001c4400fe0007f6 */\n/*0008*/ FROB ; /* 0x4c98078000870001 */\n") ==
        "k.sass:1: is code for sm_52 (Volta (sm_70) to Hopper (sm_90) are read; before them, encodings were others)");
}

TEST_CASE("symbols and data of other sections are not code") {
  const auto functions = read_listing(
      ".section .nv.info.f,\"\",@\"SHT_CUDA_INFO\"\n/*0000*/ .byte 0x04, 0x37\n.L_0:\n/*0004*/ .word 0x80\n.L_0:\n"
      ".section .text.f,\"ax\",@progbits\n.sectioninfo @\"SHI_REGISTERS=20\"\nf:\n.text.f:\n.L_0:\n/*0000*/ EXIT ;\n",
      "k");
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].registers == 20);
  CHECK(functions[0].labels == std::map<std::string, std::uint32_t>{{"L_0", 0}});
}

TEST_CASE("a refused instruction has one problem, whatever its encoding") {
  std::string text = test::kCuobjdump;
  text.replace(text.find("FADD R7, R6"), 11, "FADD R7, Q6");
  CHECK(listing_error(text) ==
        "k.sass:44:29: FADD: operand 'Q6' makes no sense here: expected a register, a number, "
        "[address] or c[bank][offset]");
}

TEST_CASE("listings are told from other files by how they begin") {
  CHECK(is_listing(test::kCuobjdump));
  CHECK(is_listing(test::kNvdisasm));
  CHECK(is_listing("[B------:R-:W-:-:S05] EXIT ;"));
  CHECK(is_listing("# what a user writes\n\n  01:-:-:Y:4 @P0 BRA TOP;\n"));
  CHECK_FALSE(is_listing("gpusim trace 1\n# Function : a\n"));
  CHECK_FALSE(is_listing("# Function : a, as it was\n\n  # code for sm_80\ngpusim trace 1\n"));
  CHECK_FALSE(is_listing("-kernel name = k\n"));
}

}  // namespace listing_test
