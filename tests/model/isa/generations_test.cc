// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/isa/decode.h"

namespace generations_test {

using namespace gpusim::isa;

namespace {

/// The words of tests/model/isa/listed/NAME.txt.
std::vector<std::string> opcodes_in(const std::string& name) {
  std::ifstream file(std::string(GPUSIM_SOURCE_DIR) + "/tests/model/isa/listed/" + name + ".txt");
  std::vector<std::string> words;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line.starts_with('#') ? "" : line);
    words.insert(words.end(), std::istream_iterator<std::string>(in), {});
  }
  return words;
}

Instr decoded(std::string_view opcode, std::vector<std::string_view> operands) {
  Instr instr = decode_opcode(opcode);
  const auto error = assign_operands(opcode, "", operands, instr);
  INFO(error.value_or(""));
  REQUIRE_FALSE(error);
  return instr;
}

/// "R24:64" for 64 registers from R24.
template <typename Operands>
std::vector<std::string> texts_of(const Operands& operands) {
  std::vector<std::string> texts;
  for (const Operand& one : operands) {
    const bool uniform = one.file == RegFile::kUniform;
    if (uniform || one.file == RegFile::kGeneral) {
      texts.push_back((uniform ? "UR" : "R") + std::to_string(one.index) + ":" + std::to_string(one.width));
    }
  }
  return texts;
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("every opcode that NVIDIA lists for a generation has a row, and is known to be listed for it") {
  for (const auto& [name, generation] : {std::pair("volta", kVolta), std::pair("turing", kTuring),
                                         std::pair("ampere", kAmpere), std::pair("hopper", kHopper)}) {
    const std::vector<std::string> listed = opcodes_in(name);
    CHECK(listed.size() > 130);
    std::set<std::string_view> bases;
    for (const std::string& opcode : listed) {
      INFO(name << ": " << opcode);
      const std::string_view base = std::string_view(opcode).substr(0, opcode.find('.'));
      CHECK(std::ranges::any_of(opcode_table(), [&](const OpcodeRow& row) { return row.base == base; }));
      CHECK((generations_of(base) & generation) != 0);
      bases.insert(base);
    }
    for (const std::string_view opcode : listed_opcodes(generation)) {
      INFO(name << " does not list " << opcode);
      CHECK(bases.contains(opcode));
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
  for (const char* opcode : {"TEX.LL", "LDGMC.E", "SUST.D", "TLD4"}) {
    INFO(opcode);
    const Instr instr = decode_opcode(opcode);
    CHECK(instr.timing == TimingClass::kDefault);
    CHECK_FALSE(instr.known_opcode);
    CHECK(instr.space == MemSpace::kNone);
  }
}

TEST_CASE("products across a warpgroup have the registers of their shape") {
  const Instr shared = decoded("HGMMA.64x128x16.F32.BF16", {"R24", "gdesc[UR8].tnspB", "R24", "gsb0"});
  CHECK(texts_of(shared.destinations) == Texts{"R24:64"});
  CHECK(texts_of(shared.sources) == Texts{"UR8:4", "R24:64"});
  const Instr from_registers = decoded("HGMMA.64x64x16.F16", {"R24", "R4", "gdesc[UR8]", "R24", "!UPT"});
  CHECK(texts_of(from_registers.destinations) == Texts{"R24:16"});
  CHECK(texts_of(from_registers.sources) == Texts{"R4:4", "UR8:2"});
  CHECK(texts_of(decoded("IGMMA.64x256x32.S8.S8", {"R8", "gdesc[UR4]", "RZ", "!UPT"}).destinations) == Texts{"R8:128"});
}

TEST_CASE("bulk copies and accesses that are not modelled have the registers of their shape") {
  const Instr load = decoded("UTMALDG.3D", {"[UR8]", "[UR16]", "desc[UR20]"});
  CHECK(texts_of(load.destinations).empty());
  CHECK(texts_of(load.sources) == Texts{"UR8:5", "UR16:2", "UR20:2"});
  CHECK(texts_of(decoded("UBLKCP.S.G", {"[UR8]", "[UR10]", "UR12"}).sources) == Texts{"UR8:2", "UR10:2", "UR12:1"});
  CHECK(texts_of(decoded("SYNCS.EXCH.64", {"URZ", "[UR4]", "UR8"}).sources) == Texts{"UR4:1", "UR8:2"});
  const Instr poll = decoded("SYNCS.PHASECHK.TRANS64.TRYWAIT", {"P0", "[R3+URZ]", "R4"});
  CHECK(texts_of(poll.sources) == Texts{"R3:1", "R4:1"});
  CHECK(poll.destinations[0].file == RegFile::kPredicate);
  CHECK(texts_of(decoded("LDGMC.E.ADD.F32.128", {"R4", "desc[UR4][R2.64]"}).destinations) == Texts{"R4:4"});
}

TEST_CASE("what no source says is marked as a guess") {
  for (const char* opcode : {"QSPC", "R2B", "SETCTAID", "GETLMEMBASE", "MOVM", "UTMALDG"}) {
    CHECK(find_opcode(opcode)->guess);
  }
  CHECK_FALSE(find_opcode("FFMA")->guess);
}

TEST_CASE("an absolute value may be reused, and a texture has a shape") {
  const Instr instr = decoded("FSETP.NEU.AND", {"P0", "PT", "|R0|.reuse", "+INF", "PT"});
  CHECK(instr.sources[0].index == 0);
  CHECK(instr.sources[0].reuse);
  CHECK(texts_of(decoded("TLD.LZ", {"RZ", "R4", "R2", "R5", "0x0", "0x58", "2D"}).sources) ==
        Texts{"R4:1", "R2:1", "R5:1"});
}

}  // namespace generations_test
