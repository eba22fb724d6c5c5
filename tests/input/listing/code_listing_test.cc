// SPDX-License-Identifier: MIT
// Listings as code that is to be executed.
#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/input/listing/listing.h"

#include "tests/input/listing/listings.h"

namespace code_listing_test {

using namespace gpusim;
using namespace gpusim::frontend::sass;
using Catch::Contains;

namespace {

std::string error_of(const std::string& text, std::uint32_t first_line = 1) {
  try {
    (void)read_code_listing(text, "k.sass", first_line);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A listing without the line that has this text.
std::string without(std::string text, const std::string& mark) {
  const std::size_t at = text.find(mark);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = text.rfind('\n', at) + 1;
  return text.erase(begin, text.find('\n', at) + 1 - begin);
}

}  // namespace

TEST_CASE("the encodings of a listing are taken whatever its text says") {
  std::string text = test::kCuobjdump;
  text.replace(text.find("FADD R7, R6, R7"), 15, "??? {R6} <R7>  ");
  const ListedCode code = read_code_listing(text, "k.sass");
  REQUIRE(code.functions.size() == 1);
  REQUIRE(code.functions[0].code.size() == 22);
  CHECK(code.functions[0].code[16].words == std::vector<std::uint64_t>{0x0000000706077221, 0x004fd00000000000});
  CHECK(code.functions[0].sm == 80);
  CHECK_FALSE(code.functions[0].has_section);
}

TEST_CASE("a function without encodings cannot be executed, and the message says how to print it") {
  CHECK(error_of("Function : f\n/*0000*/ EXIT ;\n") ==
        "k.sass:2:1: function 'f' has no encodings, and only these can be executed (print it with cuobjdump -sass or "
        "nvdisasm -hex; without a launch, 'gpusim trace import' makes a program to be filled in of it)");
  CHECK_THAT(error_of("01:-:-:Y:4 EXIT;\n"), Contains("has no encodings"));
  CHECK_THAT(error_of("[B------:R-:W-:-:S05] /*0000*/ EXIT ;\n"), Contains("has no encodings"));
}

TEST_CASE("functions without encodings are one problem, with their count") {
  const std::string two = "Function : f\n/*0000*/ EXIT ;\nFunction : g\n/*0000*/ EXIT ;\n";
  CHECK_THAT(error_of(two), Contains("k.sass:2:1: function 'f' and another one have no encodings, and only these"));
  const std::string text = error_of(two + "Function : h\n/*0000*/ EXIT ;\n");
  CHECK_THAT(text, Contains("k.sass:2:1: function 'f' and 2 others have no encodings") && !Contains("\n"));
}

TEST_CASE("more registers, shared memory or barriers than a kernel can have are refused with their line") {
  const auto in_code = [](const std::string& info) {
    return error_of("\t.section\t.text.f,\"ax\",@progbits\n\t.sectioninfo\t@\"" + info + "\"\n");
  };
  CHECK_THAT(
      in_code("SHI_REGISTERS=99999999999"),
      Contains("k.sass:2:1: '.sectioninfo\t@\"SHI_REGISTERS=99999999999\"' gives a kernel too many registers per "
               "thread (at most 255)"));
  CHECK_THAT(in_code("SHI_REGISTERS=256"), Contains("too many registers per thread"));
  CHECK_THAT(in_code("SHI_REGISTERS=255"), !Contains("too many"));
  CHECK_THAT(in_code("SHF_BARRIERS=17"), Contains("too many named barriers (at most 16)"));
  const std::string shared = "\t.section\t.nv.shared.f,\"aw\",@nobits\n";
  CHECK_THAT(error_of(shared + "\t.zero 99999999999999\n"),
             Contains("k.sass:2:1: '.zero 99999999999999' gives a kernel too many bytes of shared memory per CTA (at "
                      "most 262144)"));
  CHECK_THAT(error_of(shared + "\t.zero 262144\n\t.zero 1\n"), Contains("k.sass:3:1: '.zero 1' gives"));
  CHECK_THAT(error_of("Function f:\nREG:99999999999999999999999 STACK:0\n"), Contains("too many registers"));
  CHECK_THAT(error_of("Function f:\nREG:8 STACK:4294967295 LOCAL:1\n"), Contains("too many bytes of local memory"));
}

TEST_CASE("an instruction with half an encoding, or more than one, is refused with its line") {
  CHECK_THAT(error_of(without(test::kCuobjdump, "0x004fd00000000000")),
             Contains("k.sass:44:29: the instruction has 64 bits of encoding (expected 128, as Volta and later have)"));
  CHECK_THAT(error_of(without(test::kCuobjdump, "/*0110*/"), 101),
             Contains("the instruction before has more than 128 bits") || Contains("bits of encoding"));
}

TEST_CASE("an encoding of which nothing but control bits is left is refused") {
  CHECK_THAT(error_of("Function : f\n/*0000*/ EXIT ; /* 0x0000000000000000 */\n/* 0x000fea0003800000 */\n"),
             Contains("k.sass:2:10: the encoding has nothing but control bits: its first 64 bits are 0"));
}

TEST_CASE("lines that are missing are found by the addresses") {
  const std::string half = without(test::kCuobjdump, "/*0040*/");
  CHECK_THAT(error_of(without(half, "0x000fda0003f06270")),
             Contains("instructions of 'sums' are missing before this one"));
  CHECK_THAT(
      error_of("Function : f\n/*0010*/ EXIT ; /* 0x000000000000794d */\n/* 0x000fea0003800000 */\n"),
      Contains("k.sass:2:1: instructions of 'f' are missing before this one (expected all of them, each 16 bytes "
               "behind the one before, from address 0 on)"));
}

TEST_CASE("a part of a listing names the lines of the whole") {
  CHECK_THAT(error_of("Function : f\n/*0000*/ EXIT ;\n", 101), Contains("k.sass:102:1: function 'f'"));
}

TEST_CASE("lines of the source are known by the instructions that follow") {
  std::string text = test::kNvdisasm;
  text.insert(text.find(".L_x_0:"), "\t//## File \"/src/spin.cu\", line 7 inlined at \"/src/spin.cu\", line 20\n");
  const ListedFunction function = read_code_listing(text, "k.sass").functions.at(0);
  REQUIRE(function.lines.size() == 1);
  CHECK(function.lines[0].instruction == 1);
  CHECK(function.lines[0].file == "/src/spin.cu");
  CHECK(function.lines[0].line == 7);
}

TEST_CASE("what a listing says of a kernel's resources is kept") {
  const ListedFunction function = read_code_listing(test::kNvdisasm, "k.sass").functions.at(0);
  CHECK(function.is_entry);
  CHECK(function.has_section);
  const std::string usage = "Function sums:\n REG:14 STACK:8 SHARED:512 LOCAL:0 CONSTANT[0]:376 TEXTURE:0\n";
  const ListedFunction sums = read_code_listing(usage + test::kCuobjdump, "k.sass").functions.at(0);
  CHECK(sums.registers == 14);
  CHECK(sums.bank_bytes == 376U);
  CHECK(sums.local_bytes == 8U);
}

TEST_CASE("operands that a linker fills in are kept, and no others") {
  const ListedFunction function = read_code_listing(
                                      "Function : f\n/*0000*/ @!P0 MOV R4, 32@lo(g) ; /* 0x0000000000047802 */\n"
                                      "/* 0x000fe20000000f00 */\n",
                                      "k.sass")
                                      .functions.at(0);
  CHECK(function.code[0].operands == std::vector<std::string>{"32@lo(g)"});
}

TEST_CASE("constants larger than any GPU's are refused with their line") {
  CHECK_THAT(error_of("\t.section\t.nv.constant3,\"a\",@progbits\n\t.zero 999999999\n"),
             Contains("k.sass:2: sections of data have more than 256 MiB"));
  CHECK_THAT(error_of("\t.section\t.nv.constant3,\"a\",@progbits\n\t.zero 99999999999999999999999\n"),
             Contains("k.sass:2: sections of data have more than 256 MiB"));
}

}  // namespace code_listing_test
