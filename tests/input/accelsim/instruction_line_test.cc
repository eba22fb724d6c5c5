// SPDX-License-Identifier: MIT
// The static part of a line, which says what instruction it is.
#include <catch2/catch.hpp>

#include "tests/input/accelsim/folder.h"

namespace instruction_line_test {

using namespace gpusim;
using namespace gpusim::test;

namespace {

const std::string kEnd = "0100 ffffffff 0 EXIT 0 0 0\n";

}  // namespace

TEST_CASE("an instruction is the same however many blanks and zeros its line has") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0010 ffffffff 1 R6 FADD 2 R2 R3 0 0\n"
                                         "0010 ffffffff 1 R6  FADD 2 R2 R3 0 0\n"
                                         "0010 ffffffff 1 R6 FADD 2\tR2 R3 0 0\n"
                                         "0010 ffffffff 1 R6 FADD 2 R2 R03 0 0\n"
                                         "0010 ffffffff  1 R6 FADD 02 R2   R3  0 0\n" +
                                             kEnd)
                                   .kernels[0];
  CHECK(kernel.code.size() == 2);
  CHECK(kernel.texts[0].text == "FADD R6, R2, R3");
  const trace::Kernel spread = load_warp(folder, "0010 ffffffff 1\tR06  FADD 02 R2   R3  0 0\n" + kEnd).kernels[0];
  CHECK(spread.texts[0].text == "FADD R6, R2, R3");
}

}  // namespace instruction_line_test
