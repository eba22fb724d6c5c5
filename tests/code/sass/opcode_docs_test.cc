// SPDX-License-Identifier: MIT
#include "sim/code/sass/opcode_docs.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

TEST_CASE("docs/opcodes.md says what the tables say") {
  const std::string path = std::string(GPUSIM_SOURCE_DIR) + "/docs/opcodes.md";
  if (std::getenv("GPUSIM_REGENERATE") != nullptr) {
    std::ofstream(path) << gpusim::sass::opcode_reference();
  }
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  INFO("run this test with GPUSIM_REGENERATE=1 and commit docs/opcodes.md");
  CHECK(text.str() == gpusim::sass::opcode_reference());
}
