// SPDX-License-Identifier: MIT
#include "sim/input/sass/diagnostics.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "tests/input/listing/listings.h"

namespace diagnostics_test {

using namespace gpusim;
using namespace gpusim::frontend::sass;

namespace {

std::string text_of_diagnostics(const std::string& listing) {
  std::string text;
  for (const Problem& diagnostic : diagnostics_of(read_listing(listing, "k.sass"), "k.sass")) {
    text += to_text(diagnostic) + "\n";
  }
  return text;
}

/// One instruction with control bits.
std::string doubt_of(const std::string& instruction) {
  return text_of_diagnostics("[B------:R-:W-:-:S05] " + instruction + " ;\n");
}

}  // namespace

TEST_CASE("nothing about a listing as the tools print it is doubted") {
  CHECK(text_of_diagnostics(test::kCuobjdump).empty());
  CHECK(text_of_diagnostics(test::kNvdisasm).empty());
  for (const auto& entry : std::filesystem::directory_iterator(GPUSIM_SOURCE_DIR "/tests/fuzz/seeds/sass")) {
    std::ifstream in(entry.path(), std::ios::binary);
    INFO(entry.path());
    CHECK(text_of_diagnostics({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}).empty());
  }
}

TEST_CASE("an unknown opcode is told once, with the nearest") {
  CHECK(
      text_of_diagnostics("--:-:-:Y:4 FOOBAR R0 ;\n--:-:-:Y:4 FFMB.FTZ R0, R1, R2, R3 ;\n--:-:-:Y:4 FFMB.FTZ R0 ;\n") ==
      "k.sass:1:12: 'FOOBAR' is not a known opcode, and is taken for an operation of the ALU\n"
      "k.sass:2:12: 'FFMB.FTZ' is not a known opcode, and is taken for an operation of the ALU (did you mean "
      "'FFMA'?)\n");
}

TEST_CASE("operands that are missing are doubted") {
  CHECK(doubt_of("FFMA R1, R2") ==
        "k.sass:1:23: FFMA takes at least 4 operands, and has 2 (the line may be damaged)\n");
  for (const char* instruction :
       {"LDG.E.64 R5", "STG.E [R2.64]", "FADD R0, R1", "DADD R2, R4", "HMMA.16816.F32 R4, R8, R12", "IMAD R0, R1, R2",
        "ISETP.GE.AND P0, PT, R4, R5", "ATOMG.E.ADD PT, R0", "LOP3.LUT R0, R1, R2, R3", "SHFL.BFLY PT, R0, R1, 0x10"}) {
    INFO(instruction);
    CHECK(doubt_of(instruction).find("takes at least") != std::string::npos);
  }
  CHECK(doubt_of("LDG.E.64 R4, R6").find("LDG.E.64 has no address in brackets") != std::string::npos);
  for (const char* instruction :
       {"LDC R4, c[0x0][0x160]", "LEPC R20", "B2R.RESULT RZ", "ULEPC UR4", "EXIT", "FADD R0, R1, R2"}) {
    INFO(instruction);
    CHECK(doubt_of(instruction).empty());
  }
}

TEST_CASE("groups of registers that begin where none can are doubted") {
  CHECK(doubt_of("HMMA.16816.F32 R1, R3, R5, R7") ==
        "k.sass:1:23: HMMA.16816.F32: R1 begins a group of 4 registers, which is not a multiple of 4 "
        "(the line may be damaged)\n");
  for (const char* instruction :
       {"LDG.E.64 R5, [R2.64]", "LDG.E R4, [R3.64]", "LDG.E.128 R6, [R2.64]", "DADD R2, R4, R7",
        "IMAD.WIDE R3, R4, R5, R6", "ULDC.64 UR5, c[0x0][0x118]", "HMMA.16816.F32 R4, R8, R13, R4"}) {
    INFO(instruction);
    CHECK(doubt_of(instruction).find("begins a group of") != std::string::npos);
  }
  for (const char* instruction : {"LDG.E.64 RZ, [R2.64]", "IMAD.WIDE R2, R5, R7, RZ", "HMMA.1688.F32 R4, R10, R13, RZ",
                                  "LDG.E R5, desc[UR4][R2.64+UR6]"}) {
    INFO(instruction);
    CHECK(doubt_of(instruction).empty());
  }
}

TEST_CASE("code without control bits is told, though every line has a comment where its encoding may have been") {
  std::string damaged = test::kCuobjdump;
  for (std::size_t at = damaged.find("/* 0x"); at != std::string::npos; at = damaged.find("/* 0x", at)) {
    damaged.replace(at, 5, "/* 0y");
  }
  const std::string diagnostics = text_of_diagnostics(damaged);
  CHECK(diagnostics.find("'sums' has no encodings: its control bits are assigned") != std::string::npos);
  CHECK(diagnostics.find('\n') + 1 == diagnostics.size());
}

TEST_CASE("architectures after Hopper are told once each") {
  const std::string code = "[B------:R-:W-:-:S05] EXIT ;\n";
  const std::string diagnostics =
      text_of_diagnostics("code for sm_100a\nFunction : a\n" + code + "Function : b\n" + code);
  CHECK(diagnostics ==
        "k.sass:2:1: 'a' is code for sm_100 (the opcode table ends with Hopper, sm_90: later opcodes are unknown, and "
        "others may have changed)\n");
  CHECK(text_of_diagnostics("code for sm_90a\nFunction : a\n" + code).empty());
}

TEST_CASE("of many diagnostics the first are told, and how many there are besides") {
  std::string listing;
  for (int i = 0; i < 50; ++i) {
    listing += "--:-:-:Y:4 FADD R0 ;\n";
  }
  const auto diagnostics = diagnostics_of(read_listing(listing, "k.sass"), "k.sass");
  REQUIRE(diagnostics.size() == kMostDiagnostics + 1);
  CHECK(to_text(diagnostics.back()) == "k.sass: and 30 more such lines");
}

}  // namespace diagnostics_test
