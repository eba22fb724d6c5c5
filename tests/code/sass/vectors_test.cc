// SPDX-License-Identifier: MIT
// Our own pairs of code and text (vectors.csv, of which README.md tells the source), and disassemblies that others made
// where they are at hand: GPUSIM_SASS_VECTORS names a file "arch,code,text,address,...".
#include "tests/code/sass/vectors.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <regex>

#include <catch2/catch.hpp>

#include "sim/code/sass/decode.h"
#include "sim/code/sass/text.h"

using namespace gpusim;
using namespace gpusim::sass;

namespace {

/// Newer generations share most of their encodings with sm_90.
Generation generation_for(unsigned sm) {
  return generation_of(std::min(sm, 90U)).value();
}

std::string replaced(const std::string& text, const char* what, const char* by) {
  return std::regex_replace(text, std::regex(what), by);
}

/// Disassemblers before CUDA 12 left out what later ones print, wrote blanks elsewhere, and abbreviated IMAD.
std::string normal(std::string text, bool keeps_descriptors) {
  text = replaced(text, "IMAD\\.(MOV|SHL|IADD)", "IMAD");
  text = replaced(text, "\\] \\[", "][");
  text = replaced(text, "INF ,", "INF,");
  text = replaced(text, "REDG", "RED");
  text = replaced(text, "BF16\\.F32\\.PACK", "BF16.PACK");
  text = replaced(text, "\\.F16\\.F32\\.(PACK_AB|MERGE_C)", ".$1");
  text = replaced(text, "DMMA\\.884", "DMMA.8x8x4");
  text = replaced(text, "(VIMNMX)\\.S32", "$1");
  text = replaced(text, "(VIMNMX[.A-Z0-9x]* R[0-9Z]+), PT, PT", "$1");
  text = replaced(text, "(IADD3[.X0-9]* U?R[0-9Z]+), U?PT, U?PT", "$1");
  return keeps_descriptors ? text : replaced(text, "desc\\[UR?[0-9Z]*\\]", "");
}

std::string base_name(const std::string& text) {
  std::smatch match;
  std::regex_search(text, match, std::regex("^(@!?U?P[0-9T]+ )?([A-Za-z0-9_]+)"));
  return match[2].str() == "REDG" ? "RED" : match[2].str();
}

/// Code and text that others made stay outside the project.
std::string vectors_of_others() {
  if (const char* path = std::getenv("GPUSIM_SASS_VECTORS"); path != nullptr) {
    return path;
  }
  const std::filesystem::path source(GPUSIM_SOURCE_DIR);
  return (source / ".." / "shared" / "reference" / "sass-vectors.csv").lexically_normal().string();
}

struct Count {
  std::size_t rows = 0;
  std::size_t opcodes = 0;
  std::size_t entire = 0;
};

void add(const Vector& vector, Count& count) {
  const Instruction instruction = decode(vector.code, generation_for(vector.sm));
  CHECK(encode(instruction) == vector.code);
  const std::string text = to_text(instruction, vector.address);
  const bool descriptors = vector.text.find("desc[") != std::string::npos;
  ++count.rows;
  count.opcodes += base_name(text) == base_name(vector.text) ? 1 : 0;
  count.entire += normal(text, descriptors) == normal(vector.text, descriptors) ? 1 : 0;
}

}  // namespace

TEST_CASE("our own pairs of code and text are reproduced, and the code again from what was decoded") {
  const std::vector<Vector> vectors = read_vectors(std::string(GPUSIM_SOURCE_DIR) + "/tests/code/sass/vectors.csv");
  REQUIRE(vectors.size() > 600);
  for (const Vector& vector : vectors) {
    const Instruction instruction = decode(vector.code, generation_for(vector.sm));
    CHECK(to_text(instruction, vector.address) == vector.text);
    CHECK(encode(instruction) == vector.code);
    CHECK(to_isa(instruction).known_opcode);
    Instruction fields = instruction;
    fields.rest = {};
    const Instruction again = decode(encode(fields), instruction.generation);
    CHECK(again.operands == instruction.operands);
    CHECK(again.modifiers == instruction.modifiers);
  }
}

TEST_CASE("disassemblies made by others are reproduced: every opcode of sm_75 to sm_89, 97 of 100 lines in full") {
  const std::string path = vectors_of_others();
  if (!std::filesystem::is_regular_file(path)) {
    WARN("skipped: there are no code/text pairs at " << path);
    return;
  }
  std::map<unsigned, Count> counts;
  for (const Vector& vector : read_vectors(path)) {
    add(vector, counts[vector.sm]);
  }
  Count all;
  for (const auto& [sm, count] : counts) {
    std::cout << "sm_" << sm << ": " << count.rows << " rows, opcode " << count.opcodes << ", entirely " << count.entire
              << '\n';
    CHECK((sm > 90 || count.opcodes == count.rows));
    all.rows += count.rows;
    all.entire += count.entire;
  }
  CHECK(100 * all.entire >= 97 * all.rows);
}
