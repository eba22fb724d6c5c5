// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/isa/decode.h"

using namespace gpusim::isa;

TEST_CASE("every opcode that NVIDIA lists for a generation has a row") {
  for (const Generations generation : {kVolta, kTuring, kAmpere, kHopper}) {
    const std::vector<std::string_view> names = listed_opcodes(generation);
    CHECK(names.size() > 120);
    for (const std::string_view name : names) {
      INFO(name);
      CHECK(std::ranges::any_of(opcode_table(), [&](const OpcodeRow& row) { return row.base == name; }));
      CHECK((generations_of(name) & generation) != 0);
    }
  }
}

TEST_CASE("an opcode is listed where its generation has it") {
  CHECK(to_text(generations_of("FFMA")) == "Volta, Turing, Ampere, Hopper");
  CHECK(to_text(generations_of("LDSM")) == "Turing, Ampere, Hopper");
  CHECK(to_text(generations_of("LDGSTS")) == "Ampere, Hopper");
  CHECK(to_text(generations_of("HGMMA")) == "Hopper");
  CHECK(to_text(generations_of("RED")) == "Volta, Turing, Ampere");
  CHECK(to_text(generations_of("CSMTEST")) == "Volta");
  CHECK(to_text(generations_of("GMMA")).empty());
}

TEST_CASE("an opcode that is listed and not modelled is an unknown one to the machine") {
  for (const char* opcode : {"HGMMA.64x64x16.F32", "TEX.LL", "UTMALDG.2D", "SYNCS.EXCH.64", "UCGABAR_WAIT"}) {
    INFO(opcode);
    const Instr instr = decode_opcode(opcode);
    CHECK(instr.timing == TimingClass::kDefault);
    CHECK_FALSE(instr.known_opcode);
    CHECK(instr.space == MemSpace::kNone);
  }
}
