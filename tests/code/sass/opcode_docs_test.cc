// SPDX-License-Identifier: MIT
#include "sim/code/sass/opcode_docs.h"

#include <catch2/catch.hpp>

#include "sim/code/sass/encoding_docs.h"

#include "tests/support/golden.h"

TEST_CASE("docs/opcodes.md and docs/encodings.md say what the tables say") {
  INFO("run this test with GPUSIM_REGENERATE=1 and commit the documents");
  CHECK(gpusim::golden("docs/opcodes.md", gpusim::sass::opcode_reference()) == gpusim::sass::opcode_reference());
  CHECK(gpusim::golden("docs/encodings.md", gpusim::sass::encoding_reference()) == gpusim::sass::encoding_reference());
}
