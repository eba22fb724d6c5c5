// SPDX-License-Identifier: MIT
// A line that makes no sense hides no problem of another line, and makes none.
#include <catch2/catch.hpp>

#include "sim/input/text/parser.h"

#include "tests/input/text/support.h"

namespace recovery_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;

namespace {

/// What is wrong with `code` in a kernel whose first line of code is line 8.
std::string code_error(const std::string& code) {
  return load_error(kernel_text("grid (1)\nblock (32)\nbuffer x f32[64]\nbuffer y f32[64]\n", code));
}

}  // namespace

TEST_CASE("problems behind a line that makes no sense are reported with it") {
  CHECK(load_error("gpusim trace 1\nparm n = 3\nlet m = 4\nkernel k\ngird (n)\nblock (m*1000)\ncode\n"
                   "FADD R1, R2, R300\nEXIT\nend\n") ==
        "t.trace:2:1: unknown statement 'parm' outside kernels (did you mean 'param'?)\n"
        "t.trace:5:1: unknown statement 'gird' in the head of a kernel (did you mean 'grid'?)\n"
        "t.trace:6:9: block.x is 4000 (allowed: 1 to 1024)\n"
        "t.trace:8:1: operand 'R300' is not a register: expected R0 to R254, or RZ");
}

TEST_CASE("names of a line that makes no sense are not reported as unknown") {
  CHECK(load_error("gpusim trace 1\nlet tiles = 4 +\nlet rows = tiles * 2\ncheck rows % 5 == 0 \"five\"\nkernel k\n"
                   "grid (rows)\nblock (32)\ncode\nEXIT\nend\n") ==
        "t.trace:2:16: expected a number, a name or '(', the line ends");
  CHECK(code_error("let a = 1 ++* 2\nLDG.E R4, [R2.64] @ x[a]\nEXIT\n") ==
        "t.trace:8:13: expected a number, a name or '(', found '*'");
  CHECK(code_error("top;\n@P0 BRA top when lane\nEXIT\nend\nkernel b\ngrid (1)\nblock (32)\ncode\nEXIT\n") ==
        "t.trace:8:1: unknown statement 'top' (did you mean 'loop'?; opcodes are in capitals)");
  CHECK(load_error(kernel_text("grid (1)\nblock (32)\nbuffer x ff32[4]\n", "LDG.E R4, [R2.64] @ x[0]\nEXIT\n")) ==
        "t.trace:5:10: unknown element type 'ff32' (did you mean 'f32'?)");
  CHECK(load_error("gpusim trace 1\nparam n 3\ntest n = 1\nkernel k\ngrid (n)\nblock (32)\ncode\nEXIT\nend\n",
                   {{{"n", 5}}, false}) == "t.trace:2:9: expected '=' after the parameter's name, found '3'");
}

TEST_CASE("a head with a line that makes no sense is not reported as lacking what may have stood there") {
  CHECK(load_error(kernel_text("grid (1\nblock (32)\nshared sttic 256\nshared_buffer s bytes[256] at 0\n", "EXIT\n")) ==
        "t.trace:3:8: expected ')' after the dimensions, the line ends\n"
        "t.trace:5:8: expected 'static' or 'dynamic' after 'shared'");
}

TEST_CASE("a block whose first line makes no sense is looked into") {
  CHECK(
      code_error("loop i = 0.4\nLDG.E R4, [R2.64] @ x[i + j]\nend\nEXIT\n") ==
      "t.trace:8:10: '0' is not an integer (integers only, decimal or 0x hexadecimal)\n"
      "t.trace:9:27: unknown name 'j' (known: cluster_ctaid.x, cluster_ctaid.y, cluster_ctaid.z, cluster_ctarank, "
      "cluster_nctaid.x, cluster_nctaid.y, cluster_nctaid.z, cluster_nctarank, clusterid.x, clusterid.y, clusterid.z, "
      "ctaid.x, ...)");
  CHECK_THAT(code_error("unroll k = 0..n\nFADD R{k}, R2, R300\nend\nEXIT\n"),
             Contains("unknown name 'n'") && Contains("'R300' is not a register") && !Contains("name 'k'"));
  CHECK_THAT(code_error("if lane <\nFADD R1, R2, R300\nelse\nFADD R1, R2, R400\nend\nEXIT\n"),
             Contains("t.trace:8:10: expected a number") && Contains("'R300'") && Contains("'R400'"));
}

TEST_CASE("a misspelt word that opens a block takes its 'end' with it") {
  CHECK(code_error("lop i = 0..4\nFADD R1, R2, R300\nend\nEXIT\n") ==
        "t.trace:8:1: unknown statement 'lop' (did you mean 'loop'?; opcodes are in capitals)\n"
        "t.trace:9:1: operand 'R300' is not a register: expected R0 to R254, or RZ");
}

TEST_CASE("a file of nothing but words that make no sense is given up") {
  std::string text = "gpusim trace 1\n";
  for (int i = 0; i < 2000; ++i) {
    text += "word" + std::to_string(i) + " a" + std::to_string(i) + " b" + std::to_string(i) + "\n";
  }
  CHECK_THAT(load_error(text + "kernel k\ngrid (0)\nblock (32)\ncode\nEXIT\nend\n"),
             Contains("t.trace:2:1: unknown statement 'word0'") && !Contains("grid.x is 0"));
}

TEST_CASE("however many words a line has that makes no sense, few are kept") {
  std::string text = "gpusim trace 1\nnonsense";
  for (int i = 0; i < 100'000; ++i) {
    text += " w" + std::to_string(i);
  }
  ProblemList problems;
  const frontend::Syntax syntax = frontend::parse(text + "\n", "t.trace", problems);
  CHECK(syntax.cut_short);
  CHECK(syntax.excused.size() < 10'000);
}

}  // namespace recovery_test
